import type { WaitOptions } from '../flows/confirm/confirm-order.ts';
import type { PaymentFinding } from '../flows/payment-flows.ts';
import type { Pages } from '../options/payments-options.ts';
import type { PaymentState } from '../payments/payment.ts';
import type { Tokens } from './tokens.ts';
import type { Wiring } from '../options/wiring.ts';
import { seeOther, type Answer } from './http.ts';
import { invalidAddress } from './problem.ts';

/** How long a shopper who comes back waits for the gateway's word. */
const wait: WaitOptions = { deadlineMs: 2_500, onThrottled: 'leave-a-hint' };

/** Money that a person must look at is told on the waiting page; a thanks page would say too much. */
const pageOf: Readonly<Record<PaymentState, keyof Pages>> = {
  unpaid: 'pending',
  pending: 'pending',
  review: 'pending',
  paid_late: 'pending',
  paid: 'success',
  partially_refunded: 'success',
  refunded: 'success',
  authorized: 'success',
  captured: 'success',
  voided: 'failure',
  failed: 'failure',
  expired: 'failure',
};

/** What the return edge needs. */
export interface ReturnDependencies {
  readonly tokens: Tokens;
  readonly wiring: Wiring;
  confirmOrder(orderId: string, wait: WaitOptions): Promise<PaymentFinding>;
  /** Told when the payment could not be confirmed; the shopper waits on the pending page then. */
  onError(error: unknown): void;
}

/**
 * `/return/success/:token` and `/return/failure/:token`: the same hint. Where the shopper goes next
 * is decided by our state alone; the address they came by and its query are not believed.
 */
export async function shopperReturned(token: string, door: ReturnDependencies): Promise<Answer> {
  const orderId = door.tokens.read('return', token);
  if (orderId === null) return invalidAddress();
  const { payment, isFresh } = await door
    .confirmOrder(orderId, wait)
    .catch((error: unknown): PaymentFinding => {
      door.onError(error);
      return { payment: null, isFresh: false };
    });
  const known = pageOf[payment?.state ?? 'unpaid'];
  // A failure that was found before the shopper came back may be a card ago: they wait for the next.
  const page = door.wiring.pages[known === 'failure' && !isFresh ? 'pending' : known];
  const path = page.replaceAll(':orderId', encodeURIComponent(orderId));
  // A page's name may be in Arabic, which a header cannot carry; an address writes it in ASCII.
  return seeOther(new URL(`${door.wiring.publicUrl}${path}`).href);
}
