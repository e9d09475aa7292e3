import { transactionId } from '../ids.ts';
import type { HintChange, HintSource, TransactionHint } from '../payments/transaction-hint.ts';
import { optionalWhole, text, whole, type Row } from './rows.ts';

/** Stores the transactions that hints named; used only for a gateway that is asked by transactions. */
export interface TransactionHintStore {
  /** The transactions that hints named for an order. */
  transactionHints(orderId: string): Promise<readonly TransactionHint[]>;
  /**
   * Changes them by `changedHints`. Nothing is stored for an order that has no payment.
   *
   * @param now - When it was named or asked about.
   */
  changeTransactionHints(orderId: string, change: HintChange, now: number): Promise<void>;
}

/** Reads one hint. */
export const transactionHintOf = (row: Row): TransactionHint => ({
  transactionId: transactionId(text(row, 'transaction_id')),
  source: text(row, 'source') as HintSource,
  hintedAt: whole(row, 'hinted_at'),
  askedAt: optionalWhole(row, 'asked_at'),
  answeredAt: optionalWhole(row, 'answered_at'),
});

/** What a store removes and writes, so that the hints of an order become others. */
export const writesOf = (
  before: readonly TransactionHint[],
  after: readonly TransactionHint[],
): { readonly removed: readonly string[]; readonly written: readonly TransactionHint[] } => {
  const left = new Set(after.map((hint) => hint.transactionId));
  return {
    removed: before.map((hint) => hint.transactionId).filter((id) => !left.has(id)),
    written: after.filter((hint) => !before.includes(hint)),
  };
};
