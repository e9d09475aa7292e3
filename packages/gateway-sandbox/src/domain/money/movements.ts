import { addTimer } from '../clock/timers.ts';
import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import type { Tenant } from '../state.ts';
import { takeArmed } from '../transaction/armed.ts';
import { findTransaction } from '../transaction/find-transaction.ts';
import type { TransactionName } from '../transaction/find-transaction.ts';
import { codeOf } from '../transaction/outcome.ts';
import { declineReason } from '../transaction/cards.ts';
import { record } from '../transaction/record.ts';
import { refusalOfAuthorization, withEntries } from '../transaction/transaction.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { balanceOf, endEntry } from './ledger.ts';
import type { LedgerEntry } from './ledger.ts';

/** How long an accepted refund takes to settle (X6); assumed, the specification says only "may". */
export const refundSettlesMs = 2000;

type MoneyMove = TransactionName & { readonly amountMinor: number };

const captureFailure = 'Capture was declined by the issuer';
const refundFailure = 'Refund was declined by the issuer';

/** §4.5, N24: one capture for each authorization, in full or in part. */
export function capture(before: Tenant, command: MoneyMove, { now, random }: Moment) {
  const found = findTransaction(before, command);
  if ('trap' in found) return respond(before, { kind: 'unknown-transaction', ...found });
  const { session, transaction } = found;
  const authorizedMinor = transaction.entries[0]?.amountMinor ?? 0;
  const refusal =
    refusalOfAuthorization(transaction) ??
    (command.amountMinor > authorizedMinor ? 'above-authorized' : null);
  if (refusal !== null) return respond(before, { kind: refusal });

  const { armed, tenant } = takeArmed(before, 'capture', session.merchantOrderId);
  const magic = transaction.sideEffects.captureFails ? captureFailure : null;
  const reason = armed === null ? magic : declineReason(codeOf(armed));
  const entry = endedEntry('capture', { id: random.uuid(), amountMinor: command.amountMinor, now });
  const result = reason === null ? 'done' : 'failed';
  const next = withEntry(transaction, { ...entry, result, reason });
  const recorded = record(tenant, session, next, now);
  return respond(
    recorded.tenant,
    reason === null
      ? { kind: 'accepted', session: recorded.session, transaction: next, entry }
      : { kind: 'declined', reason },
    recorded.effects,
  );
}

/** §4.6: gives an authorization up before its capture, whole and once (N25). */
export function voidAuthorization(
  tenant: Tenant,
  command: TransactionName,
  { now, random }: Moment,
) {
  const found = findTransaction(tenant, command);
  if ('trap' in found) return respond(tenant, { kind: 'unknown-transaction', ...found });
  const { session, transaction } = found;
  const refusal = refusalOfAuthorization(transaction);
  if (refusal !== null) {
    // The gateway itself captured a standard sale (§4.4).
    const isCaptured = refusal === 'no-authorization' && transaction.status === 'SUCCESS';
    return respond(tenant, { kind: isCaptured ? 'already-captured' : refusal });
  }
  const { amountMinor } = transaction;
  const entry = endedEntry('void', { id: random.uuid(), amountMinor, now });
  const next = withEntry(transaction, entry);
  const recorded = record(tenant, session, next, now);
  return respond(
    recorded.tenant,
    { kind: 'accepted', session: recorded.session, transaction: next, entry },
    recorded.effects,
  );
}

/** §4.3: accepts a refund. A pending refund counts against the balance; a failed one frees it. */
export function refund(before: Tenant, command: MoneyMove, { now, random }: Moment) {
  const found = findTransaction(before, command);
  if ('trap' in found) return respond(before, { kind: 'unknown-transaction', ...found });
  const { session, transaction } = found;
  const balance = balanceOf(transaction.entries);
  if (transaction.status !== 'SUCCESS') {
    return respond(before, { kind: 'nothing-taken', transaction, balance });
  }
  if (command.amountMinor > balance.refundableMinor) {
    return respond(before, { kind: 'above-balance', transaction, balance });
  }
  const { armed, tenant } = takeArmed(before, 'refund', session.merchantOrderId);
  const entry: LedgerEntry = {
    id: random.uuid(),
    kind: 'refund',
    amountMinor: command.amountMinor,
    result: 'pending',
    createdAt: now,
    finishedAt: null,
    reason: null,
    plannedReason: armed === null ? magicReason(transaction) : declineReason(codeOf(armed)),
  };
  const next = withEntry(transaction, entry);
  const recorded = record(tenant, session, next, now);
  const timer = {
    at: now + refundSettlesMs,
    kind: 'refund-settled',
    id: entry.id,
    round: 0,
  } as const;
  return respond(
    {
      ...recorded.tenant,
      refunded: recorded.tenant.refunded.set(entry.id, transaction.id),
      timers: addTimer(recorded.tenant.timers, timer),
    },
    { kind: 'accepted', session: recorded.session, transaction: next, entry },
    recorded.effects,
  );
}

/** Settles an accepted refund now, or lets it fail. A refund that has ended stays as it is. */
export function endRefund(
  tenant: Tenant,
  { refundId, succeeds }: { readonly refundId: string; readonly succeeds: boolean },
  { now }: Moment,
) {
  const transaction = tenant.transactions.get(tenant.refunded.get(refundId) ?? '');
  const session = tenant.sessions.get(transaction?.sessionId ?? '');
  const entry = transaction?.entries.find(({ id }) => id === refundId);
  if (transaction === undefined || session === undefined || entry === undefined) {
    return respond(tenant, { kind: 'unknown-refund' });
  }
  if (entry.result !== 'pending') return respond(tenant, { kind: 'already-ended', entry });
  const end = { reason: succeeds ? null : refundFailure, at: now };
  const next = withEntries(transaction, endEntry(transaction.entries, refundId, end));
  const recorded = record(tenant, session, next, now);
  return respond(
    recorded.tenant,
    { kind: 'ended', session: recorded.session, transaction: next },
    recorded.effects,
  );
}

/** 9908.01: the first refund fails, so that the second shows that the balance is free again. */
function magicReason({ sideEffects, entries }: Transaction): string | null {
  const isFirst = !entries.some(({ kind }) => kind === 'refund');
  return sideEffects.refundFails && isFirst ? refundFailure : null;
}

/** A movement that ends at the instant at which it begins. */
function endedEntry(
  kind: 'capture' | 'void',
  { now, ...entry }: { readonly id: string; readonly amountMinor: number; readonly now: number },
): LedgerEntry {
  const end = { createdAt: now, finishedAt: now, reason: null, plannedReason: null };
  return { ...entry, ...end, kind, result: 'done' };
}

function withEntry(transaction: Transaction, entry: LedgerEntry): Transaction {
  return withEntries(transaction, [...transaction.entries, entry]);
}
