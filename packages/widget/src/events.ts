import type { CheckoutPhase } from './checkout-state.ts';
import type { ErrorOutcome, PayError } from './errors.ts';
import type { PaymentState } from './payment-status.ts';

/** The base of all events: they bubble out of every shadow root. */
class PayEvent extends Event {
  /** @param fields - the event's own fields, as its class declares them */
  constructor(type: string, fields: object, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
    Object.assign(this, fields);
  }
}

/**
 * A press begins an attempt. `preventDefault()` ends the attempt with nothing sent. `waitUntil` holds
 * it until the page has validated its own form; a rejection ends it with nothing sent.
 */
export class PayStartEvent extends PayEvent {
  declare readonly orderId: string;
  /** The promises that the attempt waits for. */
  readonly waits: Promise<unknown>[] = [];

  waitUntil(promise: Promise<unknown>): void {
    this.waits.push(promise);
  }
}

/** The shop answered with an address that may be followed. `preventDefault()` stops the redirect. */
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

/** The payment of `<pay-status>` ended. Fired once for a payment, reloads included. */
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
