import type { Handler } from '../command.ts';
import { takeArmed } from '../transaction/armed.ts';
import { findTransaction } from '../transaction/find-transaction.ts';
import { codeOf } from '../transaction/outcome.ts';
import { record } from '../transaction/record.ts';
import { declineReason } from '../transaction/response-codes.ts';
import { refusalOfHold, withEntries } from '../transaction/transaction.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { balanceOf, endEntry } from './ledger.ts';
import type { LedgerEntry } from './ledger.ts';

const magicFailure = 'Capture was declined by the issuer';

/** §4.5, N24: one capture for each authorization, in full or in part. */
export const capture: Handler<'capture'> = (before, command, { now, random }) => {
  const found = findTransaction(before, command);
  if ('trap' in found) {
    return { tenant: before, reply: { kind: 'unknown-transaction', ...found }, effects: [] };
  }
  const { session, transaction } = found;
  const authorizedMinor = transaction.entries[0]?.amountMinor ?? 0;
  const refusal =
    refusalOfHold(transaction) ??
    (command.amountMinor > authorizedMinor ? 'above-authorized' : null);
  if (refusal !== null) return { tenant: before, reply: { kind: refusal }, effects: [] };

  const { armed, tenant } = takeArmed(before, 'capture', session.merchantOrderId);
  const magic = transaction.aftermath.captureFails ? magicFailure : null;
  const reason = armed === null ? magic : declineReason(codeOf(armed));
  const entry: LedgerEntry = {
    id: random.uuid(),
    kind: 'capture',
    amountMinor: command.amountMinor,
    result: reason === null ? 'done' : 'failed',
    createdAt: now,
    finishedAt: now,
    reason,
    plannedReason: null,
  };
  const next = withEntries(transaction, [...transaction.entries, entry]);
  const { effects, ...recorded } = record(tenant, session, next, now);
  return {
    tenant: recorded.tenant,
    reply:
      reason === null
        ? { kind: 'accepted', session: recorded.session, transaction: next, entry }
        : { kind: 'declined', reason },
    effects,
  };
};

/** §4.6: gives an authorization up before its capture, whole and once (N25). */
export const voidHold: Handler<'void'> = (tenant, command, { now, random }) => {
  const found = findTransaction(tenant, command);
  if ('trap' in found) {
    return { tenant, reply: { kind: 'unknown-transaction', ...found }, effects: [] };
  }
  const { session, transaction } = found;
  const refusal = refusalOfHold(transaction);
  if (refusal !== null) {
    // A standard sale was captured by the gateway itself (§4.4).
    const isTaken = refusal === 'no-authorization' && transaction.status === 'SUCCESS';
    const kind = isTaken ? 'already-captured' : refusal;
    return { tenant, reply: { kind }, effects: [] };
  }
  const entry: LedgerEntry = {
    id: random.uuid(),
    kind: 'void',
    amountMinor: transaction.amountMinor,
    result: 'done',
    createdAt: now,
    finishedAt: now,
    reason: null,
    plannedReason: null,
  };
  const next = withEntries(transaction, [...transaction.entries, entry]);
  const recorded = record(tenant, session, next, now);
  return {
    tenant: recorded.tenant,
    reply: { kind: 'accepted', session: recorded.session, transaction: next, entry },
    effects: recorded.effects,
  };
};

/** How long an accepted refund takes to settle (X6); assumed, the specification says only "may". */
export const refundSettlesMs = 2000;

const laterFailure = 'Refund was declined by the issuer';

/** §4.3: takes a refund on. What is pending counts against the balance; a failure frees it again. */
export const refund: Handler<'refund'> = (before, command, { now, random }) => {
  const found = findTransaction(before, command);
  if ('trap' in found) {
    return { tenant: before, reply: { kind: 'unknown-transaction', ...found }, effects: [] };
  }
  const { session, transaction } = found;
  const balance = balanceOf(transaction.entries);
  const refusal =
    transaction.status !== 'SUCCESS'
      ? 'nothing-taken'
      : command.amountMinor > balance.refundableMinor
        ? 'above-balance'
        : null;
  if (refusal !== null) {
    return { tenant: before, reply: { kind: refusal, transaction, balance }, effects: [] };
  }
  const { armed, tenant } = takeArmed(before, 'refund', session.merchantOrderId);
  const armedReason = armed === null ? null : declineReason(codeOf(armed));
  const plannedReason = armed === null ? magicReason(transaction) : armedReason;
  const entry: LedgerEntry = {
    id: random.uuid(),
    kind: 'refund',
    amountMinor: command.amountMinor,
    result: 'pending',
    createdAt: now,
    finishedAt: null,
    reason: null,
    plannedReason,
  };
  const next = withEntries(transaction, [...transaction.entries, entry]);
  const recorded = record(tenant, session, next, now);
  return {
    tenant: {
      ...recorded.tenant,
      refunded: recorded.tenant.refunded.set(entry.id, transaction.id),
      timers: recorded.tenant.timers.with({
        at: now + refundSettlesMs,
        kind: 'refund-settled',
        id: entry.id,
        round: 0,
      }),
    },
    reply: { kind: 'accepted', session: recorded.session, transaction: next, entry },
    effects: recorded.effects,
  };
};

/** 9908.01 makes the first refund fail, so that the second shows the balance given back. */
function magicReason({ aftermath, entries }: Transaction): string | null {
  const isFirst = !entries.some(({ kind }) => kind === 'refund');
  return aftermath.refundFails && isFirst ? laterFailure : null;
}

/** What a refund that a test lets fail says. */
const failure = 'Refund was declined by the issuer';

/** Settles an accepted refund now, or lets it fail. One that has ended stays as it is. */
export const endRefund: Handler<'end-refund'> = (tenant, { refundId, succeeds }, { now }) => {
  const transaction = tenant.transactions.get(tenant.refunded.get(refundId) ?? '');
  const session = tenant.sessions.get(transaction?.sessionId ?? '');
  const entry = transaction?.entries.find(({ id }) => id === refundId);
  if (transaction === undefined || session === undefined || entry === undefined) {
    return { tenant, reply: { kind: 'unknown-refund' }, effects: [] };
  }
  if (entry.result !== 'pending') {
    return { tenant, reply: { kind: 'already-ended', entry }, effects: [] };
  }
  const end = { reason: succeeds ? null : failure, at: now };
  const next = withEntries(transaction, endEntry(transaction.entries, refundId, end));
  const recorded = record(tenant, session, next, now);
  return {
    tenant: recorded.tenant,
    reply: { kind: 'ended', session: recorded.session, transaction: next },
    effects: recorded.effects,
  };
};
