import { takeArmed } from './armed.ts';
import type { Handler } from './command.ts';
import { findTransaction } from './find-transaction.ts';
import { balanceOf } from './ledger.ts';
import type { LedgerEntry } from './ledger.ts';
import { codeOf } from './outcome.ts';
import { record } from './record.ts';
import { declineReason } from './response-codes.ts';
import { withEntries } from './transaction.ts';
import type { Transaction } from './transaction.ts';

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
