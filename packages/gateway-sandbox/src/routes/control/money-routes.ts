import type { Router } from 'express';
import { formatAmount } from '../../domain/money/amount.ts';
import { violationsOf } from '../../domain/money/invariants.ts';
import { balanceOf } from '../../domain/money/ledger.ts';
import type { LedgerEntry } from '../../domain/money/ledger.ts';
import type { Session } from '../../domain/session/session.ts';
import { newestSessions, transactionsOf } from '../../domain/state.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, controlRoute } from './control-call.ts';
import { describeSession, describeTransaction } from './describe.ts';

/** `ledger` and `invariants`, and `refunds/:id`: an accepted refund ended without waiting. */
export function addMoneyRoutes(router: Router, parts: SandboxParts): void {
  const { machine } = parts;
  router.get(
    '/ledger',
    controlRoute(async ({ tenant, request: { query } }) => {
      const state = machine.tenant(tenant);
      await machine.settled();
      const transactions = [...newestSessions(state)]
        .toReversed()
        .filter((session) => isMeant(session.merchantOrderId, query['merchantOrderId']))
        .flatMap((session) =>
          transactionsOf(state, session)
            .filter(({ id }) => isMeant(id, query['transactionId']))
            .map((transaction) => describeLedger(session, transaction)),
        );
      return { answer: { transactions } };
    }),
  );
  router.get(
    '/invariants',
    controlRoute(async ({ tenant }) => {
      const violations = violationsOf(machine.tenant(tenant));
      await machine.settled();
      return { answer: { ok: violations.length === 0, violations } };
    }),
  );
  router.post(
    '/refunds/:id',
    controlRoute(async ({ tenant, fields: { action }, request }) => {
      if (action !== 'settle' && action !== 'fail') {
        return badRequest('invalid_action', 'Send {"action": "settle"} or {"action": "fail"}.');
      }
      const refundId = String(request.params['id']);
      const command = { refundId, succeeds: action === 'settle' } as const;
      const { reply } = await machine.execute({ kind: 'end-refund', tenant, ...command });
      switch (reply.kind) {
        case 'unknown-refund': {
          const detail = 'No refund of this tenant has this id; it is the refundId of its answer.';
          return { problem: { status: 404, code: 'unknown_refund', detail } };
        }
        case 'already-ended': {
          const detail = `The refund is ${reply.entry.result === 'done' ? 'settled' : 'failed'}, and that is final.`;
          return { problem: { status: 409, code: 'refund_ended', detail } };
        }
        case 'ended': {
          const { session, transaction } = reply;
          return {
            answer: {
              session: describeSession(parts, tenant, session),
              ...describeTransaction(parts, session, transaction),
            },
          };
        }
      }
    }),
  );
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
    createdAt: new Date(entry.createdAt).toISOString(),
    finishedAt: entry.finishedAt === null ? null : new Date(entry.finishedAt).toISOString(),
    reason: entry.reason,
  };
}

/** `recurring-tokens/:token/revoke`: what a merchant's customer would do at the bank. */
export function addTokenRoutes(router: Router, { machine }: SandboxParts): void {
  router.post(
    '/recurring-tokens/:token/revoke',
    controlRoute(async ({ tenant, request }) => {
      const recurringToken = String(request.params['token']);
      const { reply } = await machine.execute({ kind: 'revoke-token', tenant, recurringToken });
      if (reply.kind === 'revoked') return { answer: { transactionId: reply.transactionId } };
      return {
        problem: {
          status: 404,
          code: 'unknown_token',
          detail: 'No payment of this tenant made this recurring token.',
        },
      };
    }),
  );
}
