import type { WaitOptions } from '../flows/confirm/confirm-order.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { invalidAddress } from './problem.ts';
import type { RouteContext } from './route-table.ts';

/** A poll waits for a fresher answer, and for a status check that a shopper's return has asked for. */
const wait: WaitOptions = { deadlineMs: 2_500, onThrottled: 'wait-for-hints' };

/** `GET /status/:token`: the verified state, and no more. A poll is a hint. */
export async function paymentStatus(
  request: EdgeRequest,
  { flows, checks, tokens }: RouteContext,
  token: string,
): Promise<Answer> {
  await checks.pollsPerAddress(request.address);
  const orderId = tokens.read('status', token);
  if (orderId === null) return invalidAddress();
  await checks.pollsPerOrder(orderId);
  const { payment } = await flows.confirmOrder(orderId, wait);
  if (payment === null) return invalidAddress();
  const { state, amount, currency, updatedAt } = payment;
  return { status: 200, json: { orderId, state, amount, currency, updatedAt } };
}
