import type { PaymentView } from '../flows/payment-view.ts';
import type { Tokens } from '../tokens.ts';
import type { Answer } from './answer.ts';
import { invalidAddress } from './problem.ts';

/** A poll waits this long for a fresher answer. */
const DEADLINE_MS = 2_500;

/** What the status edge needs. */
export interface StatusDoor {
  readonly tokens: Tokens;
  confirmWithin(orderId: string, deadlineMs: number): Promise<PaymentView | null>;
}

/** `GET /status/:token`: what we verified, and no more. A poll is a hint. */
export async function paymentStatus(token: string, door: StatusDoor): Promise<Answer> {
  const orderId = door.tokens.read('status', token);
  const payment = orderId === null ? null : await door.confirmWithin(orderId, DEADLINE_MS);
  if (payment === null) return invalidAddress();
  const { state, amount, currency, updatedAt } = payment;
  return { status: 200, json: { orderId, state, amount, currency, updatedAt } };
}
