import { transactionKey } from '../../ids.ts';
import type { Attributed } from '../../payments/hinted-rows.ts';
import type { CheckEnd, PaymentRecord } from '../../payments/payment-record.ts';
import type { TransactionHint } from '../../payments/transaction-hint.ts';
import type { FlowContext } from '../flow-context.ts';
import type { HeardAnswer } from './ask.ts';

/** A status check does not last longer. */
const LONGEST_CHECK_MS = 60_000;

/**
 * Notes which hinted transactions the gateway was asked about, and forgets those of other orders and those
 * whose money is bound. An attempt that one of them names is checked soon.
 *
 * @param end - When the attempt is checked next. Where no attempt of the order is, nothing is left.
 */
export async function endHints<Tx>(
  { store, clock }: FlowContext<Tx>,
  { payment: { orderId }, ledger, attempts }: PaymentRecord,
  { hinted }: HeardAnswer,
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
