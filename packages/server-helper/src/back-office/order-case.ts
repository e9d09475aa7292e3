import { loadPayment } from '../flows/change-payment.ts';
import type { Explanation } from '../flows/list-payments.ts';
import type { PaymentRecord } from '../payments/record.ts';
import type { Visit } from './office.ts';

/** An order as its page shows it, and as the engine decides about it. */
export interface OrderCase {
  readonly explanation: Explanation;
  readonly record: PaymentRecord;
  /** The most that one recurring charge may take, in minor units, where the shop set it. */
  readonly ceilingMinorUnits: number | undefined;
}

/**
 * Finds an order that has a payment; `null` for any other.
 *
 * @throws {@link PaymentsError} `invalid_order`, `store_unavailable`.
 */
export async function findOrder({ office }: Visit, orderId: string): Promise<OrderCase | null> {
  const explanation = await office.payments.explain(orderId);
  if (explanation === null) return null;
  return office.parts.run(async (context) => {
    const record = await loadPayment(context, orderId);
    return record && { explanation, record, ceilingMinorUnits: context.recurringCeiling };
  });
}
