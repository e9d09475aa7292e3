import { changeOf } from './change-of.ts';
import { hasMoney, type Payment } from './payment.ts';
import type { Change } from './payment-record.ts';

/** The merchant gives the order up. Its links stay watched; money that still comes is `paid_late`. */
export function cancelPayment(payment: Payment, now: number): Change | null {
  if (payment.cancelled || hasMoney(payment.state)) return null;
  return changeOf(payment, [], { cancelled: true }, now);
}
