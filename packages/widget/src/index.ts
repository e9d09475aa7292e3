/**
 * Registers `<pay-button>` and `<pay-status>`. To register them yourself, under other names or in
 * another registry, import `@pay-button/widget/pay-button` and `/pay-status` instead.
 */
import { PayButton } from './pay-button.ts';
import { PayStatus } from './pay-status.ts';

PayButton.define();
PayStatus.define();

export type { PayOutcome } from './checkout-controller.ts';
export type { CheckoutPhase } from './checkout-state.ts';
export type { BrowserErrorCode, ErrorOutcome, PayError } from './errors.ts';
export {
  PayErrorEvent,
  PayRedirectEvent,
  PayReturnEvent,
  PaySettledEvent,
  PayStartEvent,
  PayStateEvent,
} from './events.ts';
export { type ButtonLabels, registerLabels } from './labels.ts';
export { PayButton } from './pay-button.ts';
export { PayStatus } from './pay-status.ts';
export type { PaymentState, PaymentStatus } from './payment-status.ts';
export { registerStatusLabels, type StatusLabels } from './status-labels.ts';
