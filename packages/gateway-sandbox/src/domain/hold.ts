import { hasDone } from './ledger.ts';
import { isApproved } from './transaction.ts';
import type { Transaction } from './transaction.ts';

/** Why there is nothing that a capture could take or a void could free. */
export type HoldRefusal = 'no-authorization' | 'not-authorized' | 'already-captured' | 'voided';

/** Null when the transaction is an authorization that still holds its money. */
export function refusalOfHold(transaction: Transaction): HoldRefusal | null {
  const { entries } = transaction;
  if (entries[0]?.kind !== 'authorization') return 'no-authorization';
  if (hasDone(entries, 'capture')) return 'already-captured';
  if (hasDone(entries, 'void')) return 'voided';
  return isApproved(transaction) ? null : 'not-authorized';
}
