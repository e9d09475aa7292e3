import type { Handler } from './command.ts';
import { findTransaction } from './find-transaction.ts';
import { refusalOfHold } from './hold.ts';
import type { LedgerEntry } from './ledger.ts';
import { record } from './record.ts';
import { withEntries } from './transaction.ts';

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
