import type { Handler } from './command.ts';
import { endEntry } from './ledger.ts';
import { record } from './record.ts';
import { withEntries } from './transaction.ts';

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
