import { PaymentsError } from '../errors.ts';
import { apply } from '../payments/audit.ts';
import type { Intent } from '../payments/intent.ts';
import type { TransactionId } from '../ids.ts';
import { recordOutcome } from '../payments/intent-outcome.ts';
import type { Change, PaymentRecord } from '../payments/payment-record.ts';
import { storableText } from '../plain-text.ts';
import { settleSale } from '../payments/sale-outcome.ts';
import { commitChange } from './commit-change.ts';
import type { FlowContext } from './flow-context.ts';
import { invalid } from './money-input.ts';
import { noPayment } from './money-operation.ts';
import { loadRecovered } from './recover.ts';

const MAX_CONFLICTS = 20;
const MAX_WHY_LENGTH = 500;

/** What a person found out about a money operation. */
export interface Settlement {
  readonly intentId: string;
  readonly outcome: 'done' | 'failed';
  readonly why: string;
  /** Of a sale that was made. */
  readonly transactionId: TransactionId | null;
}

/**
 * Records what a person found out about a money operation whose outcome nobody knows. The first word
 * stands: what is done or failed already is not turned round.
 *
 * @throws {@link PaymentsError} `invalid_operation`, `not_found_in_store`, `intent_settled`,
 * `operation_in_progress`, `store_unavailable`.
 */
export async function settle<Tx>(
  context: FlowContext<Tx>,
  settlement: Settlement,
): Promise<Intent> {
  const { intentId, outcome, why } = settlement;
  if (outcome !== 'done' && outcome !== 'failed') {
    throw invalid('outcome', 'outcome must be "done" or "failed".');
  }
  const reason = readWhy(why);
  const orderId = await context.store.orderOfIntent(intentId);
  if (orderId === null) {
    throw new PaymentsError('not_found_in_store', 'There is no such money operation.');
  }
  for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
    const record = await loadRecovered(context, orderId);
    const intent = record?.intents.find(({ id }) => id === intentId);
    if (record === null || intent === undefined) throw noPayment();
    if (intent.state === outcome) return intent;
    if (intent.state === 'done' || intent.state === 'failed') {
      throw new PaymentsError('intent_settled', `It is known already: it is ${intent.state}.`);
    }
    if (intent.state === 'sending') {
      throw new PaymentsError('operation_in_progress', 'It is being sent. Look again in a minute.');
    }
    const change = changeBy(record, intent, { ...settlement, why: reason }, context.clock.now());
    if (change === null) return intent;
    if ((await commitChange(context, change)).outcome !== 'committed') continue;
    return apply(record, change).intents.find(({ id }) => id === intentId) ?? intent;
  }
  throw new PaymentsError('operation_in_progress', 'The payment keeps changing. Try again.');
}

function changeBy(
  record: PaymentRecord,
  intent: Intent,
  { outcome, why, transactionId }: Settlement,
  now: number,
): Change | null {
  if (intent.kind !== 'sale') {
    return recordOutcome(record, intent.id, { kind: outcome, reason: why }, now);
  }
  if (outcome === 'done' && transactionId === null) {
    throw invalid(
      'transactionId',
      'A sale that was made needs its transaction’s id, from the gateway’s dashboard: its status decides then.',
    );
  }
  return settleSale(record, intent, { kind: outcome, why }, transactionId, now);
}

/** What a person writes is kept, so that the next one can read it. */
export function readWhy(why: unknown): string {
  const text = typeof why === 'string' ? storableText(why) : '';
  if (text.trim() !== '' && text.length <= MAX_WHY_LENGTH) return text;
  throw invalid('why', `Say why, in at most ${MAX_WHY_LENGTH} characters: it is kept.`);
}
