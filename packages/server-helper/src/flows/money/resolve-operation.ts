import { PaymentsError } from '../../errors.ts';
import { apply } from '../../payments/audit.ts';
import type { Operation } from '../../payments/operation.ts';
import type { TransactionId } from '../../ids.ts';
import { recordOutcome } from '../../payments/operation-outcome.ts';
import type { Change, PaymentRecord } from '../../payments/payment-record.ts';
import { storableText } from '../../plain-text.ts';
import { resolveSale } from '../../payments/sale-outcome.ts';
import { commitChange } from '../commit-change.ts';
import type { FlowContext } from '../flow-context.ts';
import { invalid } from './money-input.ts';
import { noPayment } from './money-operation.ts';
import { loadRecovered } from '../recover.ts';

const MAX_CONFLICTS = 20;
const MAX_WHY_LENGTH = 500;

/** What a person found out about a money operation. */
export interface Resolution {
  readonly operationId: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly why: string;
  /** Of a sale that was made. */
  readonly transactionId: TransactionId | null;
}

/**
 * Records what a person found out about a money operation whose outcome nobody knows. The first word
 * stands: what is done or failed already is not turned round.
 *
 * @throws {@link PaymentsError} `invalid_operation`, `not_found_in_store`, `operation_resolved`,
 * `operation_in_progress`, `store_unavailable`.
 */
export async function resolveOperation<Tx>(
  context: FlowContext<Tx>,
  settlement: Resolution,
): Promise<Operation> {
  const { operationId, outcome, why } = settlement;
  if (outcome !== 'succeeded' && outcome !== 'failed') {
    throw invalid('outcome', 'outcome must be "done" or "failed".');
  }
  const reason = readWhy(why);
  const orderId = await context.store.orderOfOperation(operationId);
  if (orderId === null) {
    throw new PaymentsError('not_found_in_store', 'There is no such money operation.');
  }
  for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
    const record = await loadRecovered(context, orderId);
    const operation = record?.operations.find(({ id }) => id === operationId);
    if (record === null || operation === undefined) throw noPayment();
    if (operation.state === outcome) return operation;
    if (operation.state === 'succeeded' || operation.state === 'failed') {
      throw new PaymentsError(
        'operation_resolved',
        `It is known already: it is ${operation.state}.`,
      );
    }
    if (operation.state === 'sending') {
      throw new PaymentsError('operation_in_progress', 'It is being sent. Look again in a minute.');
    }
    const change = changeBy(record, operation, { ...settlement, why: reason }, context.clock.now());
    if (change === null) return operation;
    if ((await commitChange(context, change)).outcome !== 'committed') continue;
    return apply(record, change).operations.find(({ id }) => id === operationId) ?? operation;
  }
  throw new PaymentsError('operation_in_progress', 'The payment keeps changing. Try again.');
}

function changeBy(
  record: PaymentRecord,
  operation: Operation,
  { outcome, why, transactionId }: Resolution,
  now: number,
): Change | null {
  if (operation.kind !== 'sale') {
    return recordOutcome(record, operation.id, { kind: outcome, reason: why }, now);
  }
  if (outcome === 'succeeded' && transactionId === null) {
    throw invalid(
      'transactionId',
      'A sale that was made needs its transaction’s id, from the gateway’s dashboard: its status decides then.',
    );
  }
  return resolveSale(record, operation, { kind: outcome, why }, transactionId, now);
}

/** What a person writes is kept, so that the next one can read it. */
export function readWhy(why: unknown): string {
  const text = typeof why === 'string' ? storableText(why) : '';
  if (text.trim() !== '' && text.length <= MAX_WHY_LENGTH) return text;
  throw invalid('why', `Say why, in at most ${MAX_WHY_LENGTH} characters: it is kept.`);
}
