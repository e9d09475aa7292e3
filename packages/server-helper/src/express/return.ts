import type { PaymentView } from '../flows/payment-view.ts';
import type { Pages } from '../options.ts';
import type { PaymentState } from '../payments/payment.ts';
import type { Tokens } from '../tokens.ts';
import type { Wiring } from '../wiring.ts';
import { seeOther, type Answer } from './answer.ts';
import { invalidAddress } from './problem.ts';

/** How long a shopper who comes back waits for the gateway's word. */
const DEADLINE_MS = 2_500;

/** Money that a person must look at is told on the waiting page; a thanks page would say too much. */
const pageOf: Readonly<Record<PaymentState, keyof Pages>> = {
  unpaid: 'pending',
  pending: 'pending',
  review: 'pending',
  paid_late: 'pending',
  paid: 'success',
  partially_refunded: 'success',
  refunded: 'success',
  failed: 'failure',
  expired: 'failure',
};

/** What the return edge needs. */
export interface ReturnDoor {
  readonly tokens: Tokens;
  readonly wiring: Wiring;
  confirmWithin(orderId: string, deadlineMs: number): Promise<PaymentView | null>;
  /** Told when the payment could not be confirmed; the shopper waits on the pending page then. */
  onError(error: unknown): void;
}

/**
 * `/return/success/:token` and `/return/failure/:token`: the same hint. Where the shopper goes next
 * is decided by our state alone; the address they came by and its query are not believed.
 */
export async function shopperReturned(token: string, door: ReturnDoor): Promise<Answer> {
  const orderId = door.tokens.read('return', token);
  if (orderId === null) return invalidAddress();
  const payment = await door.confirmWithin(orderId, DEADLINE_MS).catch((error: unknown) => {
    door.onError(error);
    return null;
  });
  const page = door.wiring.pages[pageOf[payment?.state ?? 'unpaid']];
  const path = page.replaceAll(':orderId', encodeURIComponent(orderId));
  // A page's name may be in Arabic, which a header cannot carry; an address writes it in ASCII.
  return seeOther(new URL(`${door.wiring.publicUrl}${path}`).href);
}
