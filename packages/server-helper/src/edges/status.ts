import type { WaitOptions } from '../flows/confirm/confirm-order.ts';
import type { PaymentFinding } from '../flows/payment-flows.ts';
import type { Tokens } from './tokens.ts';
import type { Answer, EdgeRequest } from './http.ts';
import type { Checks } from './limits.ts';
import { invalidAddress } from './problem.ts';

/** A poll waits for a fresher answer, and for a status check that a shopper's return has asked for. */
const wait: WaitOptions = { deadlineMs: 2_500, onThrottled: 'wait-for-hints' };

/** What the status edge needs. */
export interface StatusDependencies {
  readonly tokens: Tokens;
  readonly checks: Checks;
  confirmOrder(orderId: string, wait: WaitOptions): Promise<PaymentFinding>;
}

/** `GET /status/:token`: what we verified, and no more. A poll is a hint. */
export async function paymentStatus(
  request: EdgeRequest,
  token: string,
  door: StatusDependencies,
): Promise<Answer> {
  await door.checks.pollsPerAddress(request.address);
  const orderId = door.tokens.read('status', token);
  if (orderId === null) return invalidAddress();
  await door.checks.pollsPerOrder(orderId);
  const { payment } = await door.confirmOrder(orderId, wait);
  if (payment === null) return invalidAddress();
  const { state, amount, currency, updatedAt } = payment;
  return { status: 200, json: { orderId, state, amount, currency, updatedAt } };
}
