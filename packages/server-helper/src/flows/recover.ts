import { apply } from '../payments/audit.ts';
import { recoverOperations } from '../payments/operation-outcome.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import { commitChange, loadRecord, recordAfter } from './commit-change.ts';
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
  return recovered(context, await loadRecord(context.store, orderId));
}

/** A record that was read, after what a process left in it in the middle was recovered. */
export async function recovered<Tx>(
  context: FlowContext<Tx>,
  read: PaymentRecord | null,
): Promise<PaymentRecord | null> {
  let record = read;
  for (let tries = 0; tries < MAX_CONFLICTS && record !== null; tries += 1) {
    const change = recoverOperations(record, context.clock.now());
    if (change === null) break;
    const result = await commitChange(context, change);
    record =
      result.outcome === 'committed'
        ? apply(record, change)
        : await recordAfter(context, change, result);
  }
  return record;
}
