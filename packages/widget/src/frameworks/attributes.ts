import type {
  PayErrorEvent,
  PayRedirectEvent,
  PayReturnEvent,
  PaySettledEvent,
  PayStartEvent,
  PayStateEvent,
} from '../events.ts';
import type { PayButton } from '../pay-button.ts';
import type { PayStatus } from '../pay-status.ts';

/** The attributes of `<pay-button>` in a template, and its properties by their names. */
export interface PayButtonAttributes extends Partial<PayButtonProperties> {
  'order-id'?: string;
  'full-width'?: boolean;
  'allowed-origins'?: string;
  'timeout-ms'?: number | string;
}

type PayButtonProperties = Pick<
  PayButton,
  | 'endpoint'
  | 'orderId'
  | 'amount'
  | 'currency'
  | 'locale'
  | 'label'
  | 'variant'
  | 'size'
  | 'fullWidth'
  | 'disabled'
  | 'allowedOrigins'
  | 'timeoutMs'
  | 'credentials'
  | 'target'
  | 'methods'
  | 'message'
  | 'data'
>;

/** The attributes of `<pay-status>` in a template. */
export type PayStatusAttributes = Partial<Pick<PayStatus, 'src' | 'credentials' | 'locale'>>;

/** The events of `<pay-button>` by name. */
export interface PayButtonEvents {
  'pay-start': PayStartEvent;
  'pay-redirect': PayRedirectEvent;
  'pay-error': PayErrorEvent;
  'pay-return': PayReturnEvent;
  'pay-state': PayStateEvent;
}

/** The events of `<pay-status>` by name. */
export interface PayStatusEvents {
  'pay-settled': PaySettledEvent;
}

/** Listeners as templates write them: a prefix and the event's name. */
export type Listeners<Events, Prefix extends string> = {
  [Name in keyof Events & string as `${Prefix}${Name}`]?: (event: Events[Name]) => void;
};
