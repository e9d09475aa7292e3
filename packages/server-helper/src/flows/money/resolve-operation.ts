import { PaymentsError } from '../../errors.ts';
import type { Operation } from '../../payments/operation.ts';
import { transactionId, type TransactionId } from '../../ids.ts';
import { recordOutcome } from '../../payments/operation-outcome.ts';
import type { Change, PaymentRecord } from '../../payments/payment-record.ts';
import { storableText } from '../../plain-text.ts';
import { resolveSale } from '../../payments/sale-outcome.ts';
import { changePayment } from '../change-payment.ts';
import type { FlowContext } from '../flow-context.ts';
import { invalid } from './money-input.ts';
import { noPayment } from './money-operation.ts';

const MAX_WHY_LENGTH = 500;
const MAX_BY_LENGTH = 200;

/** The finding of a person about a money operation, as given. */
export interface Finding {
  readonly operationId: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly why: string;
  /** Who found it out. */
  readonly by?: string | undefined;
  /** Of a sale that was made. */
  readonly transactionId?: string | undefined;
}

/** A finding that was checked. */
interface Resolution {
  readonly outcome: 'succeeded' | 'failed';
  readonly why: string;
  readonly by: string | null;
  readonly transactionId: TransactionId | null;
}

/**
 * Records what a person found out about a money operation whose outcome is unknown. The first
 * resolution is final.
 *
 * @throws {@link PaymentsError} `invalid_operation`, `not_found_in_store`, `operation_resolved`,
 * `operation_in_progress`, `store_unavailable`.
 */
export async function resolveOperation<Tx>(
  context: FlowContext<Tx>,
  { operationId, outcome, why, by, transactionId: id }: Finding,
): Promise<Operation> {
  if (outcome !== 'succeeded' && outcome !== 'failed') {
    throw invalid('outcome', 'outcome must be "succeeded" or "failed".');
  }
  const transaction = id === undefined ? null : transactionId(id);
  const found = { outcome, why: readWhy(why), by: readBy(by), transactionId: transaction };
  const orderId = await context.store.orderOfOperation(operationId);
  if (orderId === null) {
    throw new PaymentsError('not_found_in_store', 'There is no such money operation.');
  }
  const { record } = await changePayment(context, orderId, (current, now) => {
    const operation = operationIn(current, operationId);
    if (current === null || operation === undefined) throw noPayment();
    refuseWhereKnown(operation, outcome);
    if (operation.state === outcome) return null;
    return changeBy(current, operation, found, now);
  });
  const operation = operationIn(record, operationId);
  if (operation === undefined) throw noPayment();
  return operation;
}

const operationIn = (record: PaymentRecord | null, operationId: string): Operation | undefined =>
  record?.operations.find(({ id }) => id === operationId);

function refuseWhereKnown({ state }: Operation, outcome: Resolution['outcome']): void {
  if (state === 'sending') {
    throw new PaymentsError('operation_in_progress', 'It is being sent. Ask again in a minute.');
  }
  if ((state === 'succeeded' || state === 'failed') && state !== outcome) {
    throw new PaymentsError('operation_resolved', `It is known already: it is ${state}.`);
  }
}

function changeBy(
  record: PaymentRecord,
  operation: Operation,
  { outcome, why, by, transactionId: ofSale }: Resolution,
  now: number,
): Change | null {
  if (operation.kind !== 'sale') {
    return recordOutcome(record, operation.id, { kind: outcome, reason: why, by }, now);
  }
  if (outcome === 'succeeded' && ofSale === null) {
    throw invalid(
      'transactionId',
      'A sale that was made needs its transaction’s id, from the gateway’s dashboard: its status decides then.',
    );
  }
  return resolveSale(record, operation, { kind: outcome, why, by }, ofSale, now);
}

/** Checks a person's explanation, which is stored for the next reader. */
export function readWhy(why: unknown): string {
  const text = typeof why === 'string' ? storableText(why) : '';
  if (text.trim() !== '' && text.length <= MAX_WHY_LENGTH) return text;
  throw invalid('why', `Say why, in at most ${MAX_WHY_LENGTH} characters: it is kept.`);
}

/** Checks the name of the person who decided, which is stored with the decision. */
export function readBy(by: unknown): string | null {
  if (by === undefined) return null;
  const text = typeof by === 'string' ? storableText(by).trim() : '';
  if (text !== '' && text.length <= MAX_BY_LENGTH) return text;
  throw invalid('by', `Say who decided, in 1 to ${MAX_BY_LENGTH} characters: it is kept.`);
}
