import { PaymentsError } from '../../errors.ts';
import type { Operation } from '../../payments/operation.ts';
import { transactionId, type TransactionId } from '../../ids.ts';
import { isStorable } from '../../plain-text.ts';
import { recordOutcome } from '../../payments/operation-outcome.ts';
import type { Change, PaymentRecord } from '../../payments/payment-record.ts';
import { resolveSale } from '../../payments/sale-outcome.ts';
import { changePayment } from '../change-payment.ts';
import type { FlowContext } from '../flow-context.ts';
import { paymentNamed } from '../list-payments.ts';
import { askStore } from '../store-access.ts';
import { invalid, readBy, readWhy } from './money-input.ts';
import { noPayment } from './money-operation.ts';

/**
 * The word of a person about an operation. `withdrawn` is said of a proposal alone: a person who takes
 * back what another one approves in that moment must not call it failed, since it is being sent.
 */
export type FoundOutcome = 'succeeded' | 'failed' | 'withdrawn';

const outcomes: ReadonlySet<unknown> = new Set<FoundOutcome>(['succeeded', 'failed', 'withdrawn']);

/** The finding of a person about a money operation, as given. */
export interface Finding {
  readonly operationId: string;
  readonly outcome: FoundOutcome;
  readonly why: string;
  /** Who found it out. */
  readonly by?: string | undefined;
  /** Of a sale that was made. */
  readonly transactionId?: string | undefined;
}

/**
 * Records what a person found out about a money operation whose outcome is unknown, or that a proposal
 * is withdrawn. The first resolution is final.
 *
 * @throws {@link PaymentsError} `invalid_operation`, `not_found_in_store`, `operation_resolved`,
 * `operation_in_progress`, `store_unavailable`.
 */
export async function resolveOperation<Tx>(
  context: FlowContext<Tx>,
  { operationId, outcome, why, by, transactionId: id }: Finding,
): Promise<Operation> {
  if (!outcomes.has(outcome)) {
    throw invalid('outcome', 'outcome must be "succeeded", "failed" or "withdrawn".');
  }
  const ofSale = id === undefined ? null : transactionId(id);
  const found = { kind: outcome, why: readWhy(why), by: readBy(by) };
  const orderId = await orderOf(context, operationId);
  const { record } = await changePayment(context, orderId, (current, now) => {
    const operation = operationIn(current, operationId);
    if (current === null || operation === undefined) throw noPayment();
    if (isSaidAlready(operation, outcome)) return null;
    refuseWhereKnown(operation, outcome);
    return changeBy(current, operation, found, ofSale, now);
  });
  const operation = operationIn(record, operationId);
  if (operation === undefined) throw noPayment();
  return operation;
}

/**
 * Finds the order of an operation.
 *
 * @throws {@link PaymentsError} `not_found_in_store`, `store_unavailable`.
 */
export async function orderOf<Tx>(
  { store }: FlowContext<Tx>,
  operationId: unknown,
): Promise<string> {
  if (isStorable(operationId)) {
    const named = paymentNamed({ kind: 'operation', name: operationId });
    const [record] = await askStore(() => store.list(named));
    if (record !== undefined) return record.payment.orderId;
  }
  throw new PaymentsError('not_found_in_store', 'There is no such money operation.');
}

const operationIn = (record: PaymentRecord | null, operationId: string): Operation | undefined =>
  record?.operations.find(({ id }) => id === operationId);

function isSaidAlready({ state, sentAt }: Operation, outcome: FoundOutcome): boolean {
  if (outcome === 'withdrawn') return state === 'failed' && sentAt === null;
  return state === outcome && sentAt !== null;
}

function refuseWhereKnown({ state, sentAt }: Operation, outcome: FoundOutcome): void {
  if (state === 'sending') {
    throw new PaymentsError('operation_in_progress', 'It is being sent. Ask again in a minute.');
  }
  if (state === 'succeeded' || state === 'failed') {
    const known = sentAt === null ? 'withdrawn' : state;
    throw new PaymentsError('operation_resolved', `It is known already: it is ${known}.`);
  }
  if (state === 'proposed' && outcome !== 'withdrawn') {
    throw invalid('outcome', 'It is only proposed, and was not sent: approve it, or withdraw it.');
  }
  if (state !== 'proposed' && outcome === 'withdrawn') {
    throw new PaymentsError('operation_resolved', `It was sent, and is ${state} now.`);
  }
}

function changeBy(
  record: PaymentRecord,
  operation: Operation,
  found: { readonly kind: FoundOutcome; readonly why: string; readonly by: string | null },
  ofSale: TransactionId | null,
  now: number,
): Change | null {
  const { why, by } = found;
  const kind = found.kind === 'withdrawn' ? 'failed' : found.kind;
  if (operation.kind !== 'sale') {
    return recordOutcome(record, operation.id, { kind, reason: why, by }, now);
  }
  if (kind === 'succeeded' && ofSale === null) {
    throw invalid(
      'transactionId',
      'A sale that was made needs its transaction’s id, from the gateway’s dashboard: its status decides then.',
    );
  }
  return resolveSale(record, operation, { kind, why, by }, ofSale, now);
}
