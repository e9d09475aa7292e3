import { readAnswer } from './answer.ts';
import { advise, adviseUnanswered } from './console-advice.ts';

/** The view of a state: one of the element's slots, or `refunded`, which has none. */
export type StatusView = 'pending' | 'paid' | 'failed' | 'expired' | 'review' | 'refunded';

const views = {
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
} as const satisfies Readonly<Record<string, StatusView>>;

/** The state of an order's money, as the shop's server has verified it. */
export type PaymentState = keyof typeof views;

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

/** The view of a status. Without an answer the payment is pending; the page's address proves nothing. */
export function viewOf(status: PaymentStatus | undefined): StatusView {
  return status ? views[status.state] : 'pending';
}

/** Whether another request soon would bring nothing new. */
export function isFinal(status: PaymentStatus | undefined): boolean {
  return viewOf(status) !== 'pending';
}

/** Whether a later success may replace this answer: the shopper can pay, or pay again. */
export function canStillBePaid(status: PaymentStatus | undefined): boolean {
  return ['pending', 'failed', 'expired'].includes(viewOf(status));
}

const statusTimeoutMs = 10_000;

/** The result of one request to the status address. */
export interface StatusAnswer {
  /** Absent for an error, HTML, a cut connection or an unknown state, which change nothing. */
  readonly status?: PaymentStatus;
  /** The least wait before the next request, as a busy server asks by `Retry-After`. */
  readonly retryAfterMs: number;
}

/** Asks the element's status address once, and advises where it is not a status address. */
export async function retrieveStatus(
  element: Element & { readonly src: string; readonly credentials: RequestCredentials },
  signal: AbortSignal,
): Promise<StatusAnswer> {
  const { src, credentials } = element;
  let retryAfterMs = 0;
  try {
    const response = await fetch(src, {
      headers: { accept: 'application/json' },
      cache: 'no-store',
      credentials,
      signal: AbortSignal.any([signal, AbortSignal.timeout(statusTimeoutMs)]),
    });
    const { ok, status, headers } = response;
    retryAfterMs = Number(headers.get('retry-after')) * 1_000 || 0;
    const { fields, instead } = await readAnswer(response);
    if (ok && Object.hasOwn(views, fields['state'] as string)) {
      return { status: fields as unknown as PaymentStatus, retryAfterMs };
    }
    // A server that is busy or restarts answers soon.
    if (status < 500 && status !== 429) {
      const missing = instead || 'without a state';
      advise(
        element,
        `invalid_response: src answered ${status} ${missing}. Write the server's statusUrl, once the order has a payment.`,
      );
    }
  } catch (cause) {
    if (cause instanceof TypeError && navigator.onLine) adviseUnanswered(element, 'src');
  }
  return { retryAfterMs };
}
