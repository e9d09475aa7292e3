import { apply } from '../payments/audit.ts';
import { recoverIntents } from '../payments/intent-outcome.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import { commitChange, loadRecord } from './commit-change.ts';
import type { FlowContext } from './flow-context.ts';

const MAX_CONFLICTS = 20;

/**
 * Reads an order's record. A money operation that a process left in the middle is `unknown` from
 * then on: it may have been sent, so it is never sent again.
 *
 * @throws {@link PaymentsError} `store_unavailable`.
 */
export async function loadRecovered<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
): Promise<PaymentRecord | null> {
  let record = await loadRecord(context.store, orderId);
  for (let tries = 0; tries < MAX_CONFLICTS && record !== null; tries += 1) {
    const change = recoverIntents(record, context.clock.now());
    if (change === null) break;
    const { outcome } = await commitChange(context, change);
    record =
      outcome === 'committed' ? apply(record, change) : await loadRecord(context.store, orderId);
  }
  return record;
}
