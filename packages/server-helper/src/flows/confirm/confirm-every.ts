import { hasMoney } from '../../payments/payment.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { CHECK_GAP_MS } from '../../stores/store.ts';
import { loadRecord } from '../commit-change.ts';
import { confirm } from './confirm.ts';
import type { FlowContext } from '../flow-context.ts';

/** Sessions that one call asks about; an order with more is asked about again. */
const MAX_SESSIONS = 4;

/**
 * Asks the gateway about every session of an order, the unwatched ones too, one after the other with
 * the gap between them. An order that was asked about moments ago is not asked about again.
 *
 * @throws {@link PaymentsError} `store_unavailable`.
 */
export async function confirmEvery<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
): Promise<PaymentRecord | null> {
  let record = await loadRecord(context.store, orderId);
  const sessions = Math.min(MAX_SESSIONS, askable(record).length);
  const asked = new Set<number>();
  const failures: unknown[] = [];
  for (let checks = 0; checks < sessions; checks += 1) {
    if (checks > 0) await context.clock.sleep(CHECK_GAP_MS);
    // One session's trouble must not hide the money on another.
    try {
      const confirmation = await confirm(context, { orderId, everySession: true });
      ({ record } = confirmation);
      if (confirmation.asked === null) break;
      asked.add(confirmation.asked.attemptNumber);
    } catch (error) {
      failures.push(error);
    }
    if (failures.length === 0 && isAnswered(record, asked)) break;
  }
  if (failures.length > 0) throw failures[0];
  return record;
}

const askable = (record: PaymentRecord | null) =>
  record?.attempts.filter(
    ({ sessionId, transactionId }) => (sessionId ?? transactionId) !== null,
  ) ?? [];

/** A paid order has no question left but what its open links received. */
function isAnswered(record: PaymentRecord | null, asked: ReadonlySet<number>): boolean {
  if (record === null || !hasMoney(record.payment.state)) return false;
  return askable(record).every(({ number, state }) => state !== 'open' || asked.has(number));
}
