import { transactionKey } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { Attributed } from '../../payments/hinted-rows.ts';
import type { CheckEnd, PaymentRecord } from '../../payments/payment-record.ts';
import {
  hasSignOfMoney,
  hintsToAsk,
  type TransactionHint,
} from '../../payments/transaction-hint.ts';
import type { FlowContext } from '../flow-context.ts';
import { askGateway } from './ask-gateway.ts';
import {
  sessionReadings,
  type AskingGateway,
  type HeardStatus,
  type KnownTransactions,
  type StatusReadings,
} from './ask-status.ts';

/** A status check does not last longer. */
const LONGEST_CHECK_MS = 60_000;

/** What a question about an attempt needs. */
export interface AskingContext<Tx> {
  readonly gateway: AskingGateway;
  readonly store: Pick<FlowContext<Tx>['store'], 'transactionHints'>;
  readonly readings?: StatusReadings | undefined;
}

/** Asks the gateway about an attempt, also about transactions that hints named where that is needed. */
export async function askAttempt<Tx>(
  { gateway, store, readings = sessionReadings }: AskingContext<Tx>,
  record: PaymentRecord,
  attempt: Attempt,
): Promise<HeardStatus> {
  const isNeeded = readings.asksFor !== 'session' && attempt.sessionId !== null;
  const hints = isNeeded ? await store.transactionHints(attempt.orderId) : [];
  const known = record.attempts.flatMap(({ sessionId, transactionId }) => [
    sessionId ?? '',
    transactionId ?? '',
  ]);
  const bound = record.ledger.map(({ transactionId }) => transactionId);
  const transactions: KnownTransactions = {
    ledger: record.ledger,
    hints: hintsToAsk(hints, [...known, ...bound]),
    hasSignOfMoney: hasSignOfMoney(hints),
  };
  return askGateway(gateway, attempt, readings, transactions);
}

/**
 * Notes which hinted transactions the gateway was asked about, and forgets those of other orders and those
 * whose money is bound. An attempt that one of them names is checked soon.
 *
 * @param end - When the attempt is checked next. Where no attempt of the order is, nothing is left.
 */
export async function endHints<Tx>(
  { store, clock }: FlowContext<Tx>,
  { payment: { orderId }, ledger, attempts }: PaymentRecord,
  { hinted }: HeardStatus,
  { forgotten, unsettled, due }: Attributed,
  end: CheckEnd | undefined,
): Promise<void> {
  if (hinted === undefined) return;
  const now = clock.now();
  const isOver =
    end?.nextCheckAt === null &&
    attempts.every((one) => one.number === end.attempt.number || one.nextCheckAt === null);
  const all = isOver ? await store.transactionHints(orderId) : [];
  const bound = new Set(ledger.map(({ transactionId }) => transactionKey(transactionId)));
  const isBound = (id: string): boolean => bound.has(transactionKey(id));
  const idsOf = (hints: readonly TransactionHint[]) => hints.map((hint) => hint.transactionId);
  const asked = idsOf(hinted.asked);
  // What came while the gateway was asked made the attempt due again.
  const ended = all.filter(({ hintedAt }) => now - hintedAt > LONGEST_CHECK_MS);
  const needless = [...hinted.needless, ...asked.filter(isBound), ...idsOf(ended)];
  const change = {
    asked,
    answered: idsOf(hinted.answered).filter((id) => !unsettled.includes(id)),
    forgotten: [...forgotten, ...needless],
  };
  if (asked.length + change.forgotten.length > 0) {
    await store.changeTransactionHints(orderId, change, now);
  }
  for (const name of due) await store.hint(name, now);
}
