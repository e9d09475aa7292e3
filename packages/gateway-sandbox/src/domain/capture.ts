import { takeArmed } from './armed.ts';
import type { Handler } from './command.ts';
import { findTransaction } from './find-transaction.ts';
import { refusalOfHold } from './hold.ts';
import type { LedgerEntry } from './ledger.ts';
import { codeOf } from './outcome.ts';
import { record } from './record.ts';
import { declineReason } from './response-codes.ts';
import { withEntries } from './transaction.ts';

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
  const magicReason = transaction.aftermath.captureFails ? magicFailure : null;
  const reason = armed === null ? magicReason : declineReason(codeOf(armed));
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
