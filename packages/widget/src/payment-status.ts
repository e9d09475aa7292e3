import { contentOf, unanswered } from './console-advice.ts';
import { ownFields } from './own-fields.ts';

/** Where an order's money stands, as the shop's server has verified it. */
export type PaymentState =
  | 'unpaid'
  | 'pending'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'partially_refunded'
  | 'refunded'
  | 'paid_late'
  | 'review'
  | 'authorized'
  | 'captured'
  | 'voided';

/** The answer of the status address. */
export interface PaymentStatus {
  readonly orderId: string;
  readonly state: PaymentState;
  /** Decimal text, for example `115.00`. */
  readonly amount: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** What is shown for a state: one of the element's slots, or `refunded`, which has none. */
export type StatusView = 'pending' | 'paid' | 'failed' | 'expired' | 'review' | 'refunded';

const views: Readonly<Record<PaymentState, StatusView>> = {
  unpaid: 'pending',
  pending: 'pending',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  partially_refunded: 'refunded',
  refunded: 'refunded',
  paid_late: 'review',
  review: 'review',
  authorized: 'paid',
  captured: 'paid',
  voided: 'refunded',
};

/** What is shown; without an answer the payment is pending, whatever the page's address says. */
export function viewOf(status: PaymentStatus | undefined): StatusView {
  return status ? views[status.state] : 'pending';
}

/** Whether asking again soon can tell nothing new. */
export function isSettled(status: PaymentStatus | undefined): boolean {
  return viewOf(status) !== 'pending';
}

/** Whether a later success may still replace this answer: the shopper can pay again. */
export function canStillBePaid({ state }: Pick<PaymentStatus, 'state'>): boolean {
  return state === 'failed' || state === 'expired';
}

const statusTimeoutMs = 10_000;

/**
 * Asks the status address once.
 *
 * @param advise - is given what to mend, if the answer says that the address is no status address
 * @returns the answer, or `undefined` for anything that is not one: an error, HTML, a cut
 *   connection, an unknown state. Such an answer changes nothing.
 */
export async function retrieveStatus(
  src: string,
  signal: AbortSignal,
  advise: (advice: string) => void,
): Promise<PaymentStatus | undefined> {
  try {
    const response = await fetch(src, {
      headers: { accept: 'application/json' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, AbortSignal.timeout(statusTimeoutMs)]),
    });
    const { ok, status } = response;
    const text = await response.text();
    let lack = 'without a state';
    try {
      const answer = ownFields(JSON.parse(text)) as unknown as PaymentStatus;
      if (ok && Object.hasOwn(views, answer.state)) return answer;
    } catch {
      lack = contentOf(text);
    }
    // A server that is busy or being restarted answers otherwise soon.
    if (status < 500 && status !== 429) {
      advise(`invalid_response: src answered ${status} ${lack}. Write the server's statusUrl.`);
    }
  } catch (cause) {
    if (cause instanceof TypeError && navigator.onLine) advise(unanswered('src'));
  }
  return undefined;
}
