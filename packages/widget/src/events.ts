import type { CheckoutPhase } from './checkout-state.ts';
import type { ErrorOutcome, PayError } from './errors.ts';
import type { PaymentState } from './payment-status.ts';

/** What the button's events have in common: they bubble out of every shadow root. */
class PayEvent extends Event {
  /** @param fields - the event's own fields, as its class declares them */
  constructor(type: string, fields: object, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
    Object.assign(this, fields);
  }
}

/**
 * A press begins an attempt. `preventDefault()` ends it with nothing sent; `waitUntil` holds it
 * until the page has validated its own form, and a rejection ends it likewise.
 */
export class PayStartEvent extends PayEvent {
  declare readonly orderId: string;
  /** What the attempt waits for. */
  readonly waits: Promise<unknown>[] = [];

  waitUntil(promise: Promise<unknown>): void {
    this.waits.push(promise);
  }
}

/** The shop gave an address that may be followed. `preventDefault()` leaves the way to the page. */
export class PayRedirectEvent extends PayEvent {
  declare readonly redirectUrl: string;
}

/** An attempt ended without a redirect. */
export class PayErrorEvent extends PayEvent {
  /** A `BrowserErrorCode`, or the code of the shop's problem document. */
  declare readonly code: string;
  /** What happened to the request. */
  declare readonly outcome: ErrorOutcome;
  /** Whether pressing again, with nothing changed, can help. */
  declare readonly retryable: boolean;
  /** The error itself, with its `cause`. */
  declare readonly error: PayError;
}

/** The shopper came back from the hosted page by the browser's back-forward cache. */
export class PayReturnEvent extends PayEvent {
  declare readonly orderId: string;
}

/** The button's state changed. */
export class PayStateEvent extends PayEvent {
  declare readonly state: CheckoutPhase;
  declare readonly previous: CheckoutPhase;
}

/** `<pay-status>` learnt how the payment ended. Fired once for a payment, reloads included. */
export class PaySettledEvent extends PayEvent {
  declare readonly orderId: string;
  declare readonly state: PaymentState;
  /** Decimal text, for example `115.00`. */
  declare readonly amount: string;
  /** ISO 4217 code. */
  declare readonly currency: string;
}

declare global {
  interface HTMLElementEventMap {
    'pay-start': PayStartEvent;
    'pay-redirect': PayRedirectEvent;
    'pay-error': PayErrorEvent;
    'pay-return': PayReturnEvent;
    'pay-state': PayStateEvent;
    'pay-settled': PaySettledEvent;
  }
}
