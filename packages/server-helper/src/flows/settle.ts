import { PaymentsError } from '../errors.ts';
import { apply } from '../payments/audit.ts';
import type { Intent } from '../payments/intent.ts';
import { recordOutcome } from '../payments/intent-outcome.ts';
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
  { intentId, outcome, why }: Settlement,
): Promise<Intent> {
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
    const change = recordOutcome(record, intentId, { kind: outcome, reason }, context.clock.now());
    if (change === null) return intent;
    if ((await commitChange(context, change)).outcome !== 'committed') continue;
    return apply(record, change).intents.find(({ id }) => id === intentId) ?? intent;
  }
  throw new PaymentsError('operation_in_progress', 'The payment keeps changing. Try again.');
}

/** What a person writes is kept, so that the next one can read it. */
export function readWhy(why: unknown): string {
  if (typeof why === 'string' && why.trim() !== '' && why.length <= MAX_WHY_LENGTH) return why;
  throw invalid('why', `Say why, in at most ${MAX_WHY_LENGTH} characters: it is kept.`);
}
