import { iso } from '../../domain/clock/clock.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { violationsOf } from '../../domain/money/invariants.ts';
import { balanceOf } from '../../domain/money/ledger.ts';
import type { LedgerEntry } from '../../domain/money/ledger.ts';
import type { Session } from '../../domain/session/session.ts';
import { newestSessions, transactionsOf } from '../../domain/state.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, refuse } from './control-call.ts';
import type { ControlRoutes } from './control-call.ts';
import { paymentAnswer } from './describe.ts';

/** The ledger and its rules; a refund or a recurring token that ends before its time. */
export function moneyRoutes(parts: SandboxParts): ControlRoutes {
  const { machine } = parts;
  return {
    'GET /ledger': ({ tenant, query }) => {
      const state = machine.tenant(tenant);
      const transactions = [...newestSessions(state)]
        .toReversed()
        .filter((session) => isMeant(session.merchantOrderId, query['merchantOrderId']))
        .flatMap((session) =>
          transactionsOf(state, session)
            .filter(({ id }) => isMeant(id, query['transactionId']))
            .map((transaction) => describeLedger(session, transaction)),
        );
      return { answer: { transactions } };
    },
    'GET /invariants': ({ tenant }) => {
      const violations = violationsOf(machine.tenant(tenant));
      return { answer: { ok: violations.length === 0, violations } };
    },
    'POST /refunds/:id': ({ tenant, id: refundId, fields: { action } }) => {
      if (action !== 'settle' && action !== 'fail') {
        return badRequest('invalid_action', 'Send {"action": "settle"} or {"action": "fail"}.');
      }
      const command = { refundId, succeeds: action === 'settle' } as const;
      const { reply } = machine.execute({ kind: 'end-refund', tenant, ...command });
      if (reply.kind === 'ended') return paymentAnswer(parts, tenant, reply);
      if (reply.kind === 'already-ended') {
        const detail = `The refund is ${reply.entry.result === 'done' ? 'settled' : 'failed'}, and that is final.`;
        return refuse(409, 'refund_ended', detail);
      }
      const detail = 'No refund of this tenant has this id; it is the refundId of its answer.';
      return refuse(404, 'unknown_refund', detail);
    },
    'POST /recurring-tokens/:token/revoke': ({ tenant, id: recurringToken }) => {
      const { reply } = machine.execute({ kind: 'revoke-token', tenant, recurringToken });
      return reply.kind === 'revoked'
        ? { answer: { transactionId: reply.transactionId } }
        : refuse(404, 'unknown_token', 'No payment of this tenant made this recurring token.');
    },
  };
}

function isMeant(id: string, wanted: unknown): boolean {
  return typeof wanted !== 'string' || wanted === id;
}

/** One transaction's movements, with the sums that follow from them. */
function describeLedger(session: Session, { id, entries }: Transaction): object {
  const balance = balanceOf(entries);
  return {
    transactionId: id,
    sessionId: session.id,
    merchantOrderId: session.merchantOrderId,
    currency: session.currency,
    authorized: formatAmount(balance.authorizedMinor),
    captured: formatAmount(balance.capturedMinor),
    refunded: formatAmount(balance.refundedMinor),
    pendingRefund: formatAmount(balance.pendingRefundMinor),
    refundable: formatAmount(balance.refundableMinor),
    entries: entries.map(describeEntry),
  };
}

function describeEntry({ id, kind, amountMinor, result, ...entry }: LedgerEntry): object {
  return {
    id,
    kind,
    amount: formatAmount(amountMinor),
    result,
    createdAt: iso(entry.createdAt),
    finishedAt: entry.finishedAt === null ? null : iso(entry.finishedAt),
    reason: entry.reason,
  };
}
