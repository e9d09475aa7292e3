import { declineReason } from './cards.ts';
import { addTimer } from './clock.ts';
import { codeOf } from './outcome.ts';
import { record, settleRefund, takeArmed } from './record.ts';
import type { Payment } from './record.ts';
import { findTransaction, paymentOf } from './tenant.ts';
import type { Moment, Tenant, TransactionName } from './tenant.ts';
import { balanceOf, endEntry, hasDone, isApproved, newEntry } from './transaction.ts';
import type { LedgerEntry, Transaction } from './transaction.ts';

/** How long an accepted refund takes to settle (X6); assumed, the specification says only "may". */
export const refundSettlesMs = 2000;

type MoneyMove = TransactionName & { readonly amountMinor: number };

const captureFailure = 'Capture was declined by the issuer';
const refundFailure = 'Refund was declined by the issuer';

/** §4.5, N24: one capture for each authorization, in full or in part. */
export function capture(tenant: Tenant, command: MoneyMove, moment: Moment) {
  const found = findTransaction(tenant, command);
  if ('trap' in found) return { kind: 'unknown-transaction', ...found } as const;
  const { session, transaction } = found;
  const { amountMinor } = command;
  const refusal = refusalOfAuthorization(transaction);
  if (refusal !== null) return { kind: refusal } as const;
  if (amountMinor > (transaction.entries[0]?.amountMinor ?? 0)) {
    return { kind: 'above-authorized' } as const;
  }
  const armed = takeArmed(tenant, 'capture', session.merchantOrderId);
  const magic = transaction.sideEffects.captureFails ? captureFailure : null;
  const reason = armed === null ? magic : declineReason(codeOf(armed));
  const entry = moveAtOnce(tenant, found, { kind: 'capture', amountMinor, reason }, moment);
  return reason === null
    ? ({ kind: 'accepted', ...found, entry } as const)
    : ({ kind: 'declined', reason } as const);
}

/** §4.6: gives an authorization up before its capture, whole and once (N25). */
export function voidAuthorization(tenant: Tenant, command: TransactionName, moment: Moment) {
  const found = findTransaction(tenant, command);
  if ('trap' in found) return { kind: 'unknown-transaction', ...found } as const;
  const { amountMinor, status } = found.transaction;
  const refusal = refusalOfAuthorization(found.transaction);
  if (refusal !== null) {
    // The gateway itself captured a standard sale (§4.4).
    const isCaptured = refusal === 'no-authorization' && status === 'SUCCESS';
    return { kind: isCaptured ? 'already-captured' : refusal } as const;
  }
  const entry = moveAtOnce(tenant, found, { kind: 'void', amountMinor, reason: null }, moment);
  return { kind: 'accepted', ...found, entry } as const;
}

/** A movement that ends at the instant at which it begins. */
function moveAtOnce(
  tenant: Tenant,
  payment: Payment,
  { reason, ...move }: Pick<LedgerEntry, 'kind' | 'amountMinor' | 'reason'>,
  moment: Moment,
): LedgerEntry {
  const entry = newEntry({ id: moment.random.uuid(), createdAt: moment.now, ...move });
  endEntry(entry, reason, moment.now);
  payment.transaction.entries.push(entry);
  record(tenant, payment, entry, moment);
  return entry;
}

/** Null when the transaction is an authorization that is neither captured nor voided. */
export function refusalOfAuthorization(transaction: Transaction) {
  const { entries } = transaction;
  if (entries[0]?.kind !== 'authorization') return 'no-authorization';
  if (hasDone(entries, 'capture')) return 'already-captured';
  if (hasDone(entries, 'void')) return 'voided';
  return isApproved(transaction) ? null : 'not-authorized';
}

/** §4.3: accepts a refund. A pending refund counts against the balance; a failed one frees it. */
export function refund(tenant: Tenant, command: MoneyMove, moment: Moment) {
  const found = findTransaction(tenant, command);
  if ('trap' in found) return { kind: 'unknown-transaction', ...found } as const;
  const { session, transaction } = found;
  const { amountMinor } = command;
  const balance = balanceOf(transaction.entries);
  if (transaction.status !== 'SUCCESS') {
    return { kind: 'nothing-taken', transaction, balance } as const;
  }
  if (amountMinor > balance.refundableMinor) {
    return { kind: 'above-balance', transaction, balance } as const;
  }
  const armed = takeArmed(tenant, 'refund', session.merchantOrderId);
  const planned = armed === null ? magicReason(transaction) : declineReason(codeOf(armed));
  const { now, random } = moment;
  const begun = { id: random.uuid(), kind: 'refund', amountMinor, createdAt: now } as const;
  const entry = newEntry(begun, planned);
  transaction.entries.push(entry);
  tenant.refunded.set(entry.id, transaction.id);
  record(tenant, found, entry, moment);
  const at = now + refundSettlesMs;
  addTimer(tenant.timers, { at, kind: 'refund-settled', id: entry.id, round: 0 });
  return { kind: 'accepted', ...found, entry } as const;
}

/** 9908.01: the first refund fails, so that the second shows that the balance is free again. */
function magicReason({ sideEffects, entries }: Transaction): string | null {
  const isFirst = !entries.some(({ kind }) => kind === 'refund');
  return sideEffects.refundFails && isFirst ? refundFailure : null;
}

/** Settles an accepted refund now, or lets it fail. A refund that has ended stays as it is. */
export function endRefund(
  tenant: Tenant,
  { refundId, succeeds }: { readonly refundId: string; readonly succeeds: boolean },
  moment: Moment,
) {
  const payment = paymentOf(tenant, tenant.refunded.get(refundId));
  const entry = payment?.transaction.entries.find(({ id }) => id === refundId);
  if (payment === null || entry === undefined) return { kind: 'unknown-refund' } as const;
  if (entry.result !== 'pending') return { kind: 'already-ended', entry } as const;
  const reason = succeeds ? null : refundFailure;
  settleRefund(tenant, payment, entry, { ...moment, reason });
  return { kind: 'ended', ...payment } as const;
}
