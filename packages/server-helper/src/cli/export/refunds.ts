import { transactionKey } from '../../ids.ts';
import type { AuditEntry } from '../../payments/document.ts';
import type { LedgerRow, Operation } from '../../payments/record.ts';

/** A refund as evidence first showed it: what it added to the total of its transaction. */
export interface ShownRefund {
  readonly at: number;
  /** The transaction afterwards. */
  readonly row: LedgerRow;
  /** In minor units. */
  readonly amount: number;
  /** Our own refunds that the same evidence ended; none for one that was made elsewhere. */
  readonly operations: readonly Operation[];
}

/** The refunds in an order's log, oldest first. Their sum is what its ledger shows as refunded. */
export function refundsOf(log: readonly AuditEntry[]): readonly ShownRefund[] {
  const totals = new Map<string, number>();
  const found: ShownRefund[] = [];
  for (const entry of log) {
    if (entry.kind !== 'change') continue;
    for (const row of entry.change.ledger) {
      const key = transactionKey(row.transactionId);
      const amount = row.refundedMinorUnits - (totals.get(key) ?? 0);
      totals.set(key, row.refundedMinorUnits);
      if (amount <= 0) continue;
      const operations = entry.change.operations.filter(
        ({ kind, state, transactionId }) =>
          kind === 'refund' &&
          state === 'succeeded' &&
          transactionId !== null &&
          transactionKey(transactionId) === key,
      );
      found.push({ at: entry.at, row, amount, operations });
    }
  }
  return found;
}
