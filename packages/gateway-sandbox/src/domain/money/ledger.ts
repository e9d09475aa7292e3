/**
 * The kinds of entries in a transaction's ledger. The first entry is a purchase or an
 * authorization.
 */
export type EntryKind = 'purchase' | 'authorization' | 'capture' | 'void' | 'refund';

/** `pending` is open; `done` moved money (or held or freed it), `failed` did not. Both are final. */
export type EntryResult = 'pending' | 'done' | 'failed';

/** One movement of a transaction's money. */
export interface LedgerEntry {
  /** Of a refund it is the wire's `refundId`. */
  readonly id: string;
  readonly kind: EntryKind;
  readonly amountMinor: number;
  readonly result: EntryResult;
  /** Epoch milliseconds of the sandbox clock. */
  readonly createdAt: number;
  /** Null while the entry is pending. */
  readonly finishedAt: number | null;
  /** Why it failed, in the words of the wire; null otherwise. */
  readonly reason: string | null;
  /** Of a pending refund: why it will fail; null when it will not. */
  readonly plannedReason: string | null;
}

/** §2.2. */
export type RefundStatus = 'NONE' | 'PARTIAL' | 'FULL';

/** Sums over a ledger, in minor units. */
export interface Balance {
  /** The amount that the issuer granted: held by an authorization or taken by a purchase. */
  readonly authorizedMinor: number;
  /** The captured amount. */
  readonly capturedMinor: number;
  /** The refunded amount that has settled. */
  readonly refundedMinor: number;
  /** The refunded amount that was accepted and has not settled (X6). */
  readonly pendingRefundMinor: number;
  /** The refundable amount. A pending refund counts against it. */
  readonly refundableMinor: number;
}

/** Every statement about a transaction's money is derived from its ledger here. */
export function balanceOf(entries: readonly LedgerEntry[]): Balance {
  const sum = (result: EntryResult, ...kinds: EntryKind[]): number =>
    entries.reduce(
      (total, entry) =>
        entry.result === result && kinds.includes(entry.kind) ? total + entry.amountMinor : total,
      0,
    );
  const capturedMinor = sum('done', 'purchase', 'capture');
  const refundedMinor = sum('done', 'refund');
  const pendingRefundMinor = sum('pending', 'refund');
  return {
    authorizedMinor: sum('done', 'purchase', 'authorization'),
    capturedMinor,
    refundedMinor,
    pendingRefundMinor,
    refundableMinor: capturedMinor - refundedMinor - pendingRefundMinor,
  };
}

/** §3: NONE, then PARTIAL, then FULL when all that was taken is refunded. */
export function refundStatusOf({ capturedMinor, refundedMinor }: Balance): RefundStatus {
  if (refundedMinor === 0) return 'NONE';
  return refundedMinor < capturedMinor ? 'PARTIAL' : 'FULL';
}

/** Whether an entry of this kind went through. */
export function hasDone(entries: readonly LedgerEntry[], kind: EntryKind): boolean {
  return entries.some((entry) => entry.kind === kind && entry.result === 'done');
}

/** The entries with one of them ended. An entry that has ended stays as it is. */
export function endEntry(
  entries: readonly LedgerEntry[],
  id: string,
  end: { readonly reason: string | null; readonly at: number },
): readonly LedgerEntry[] {
  return entries.map((entry) =>
    entry.id === id && entry.result === 'pending'
      ? {
          ...entry,
          result: end.reason === null ? 'done' : 'failed',
          finishedAt: end.at,
          reason: end.reason,
        }
      : entry,
  );
}
