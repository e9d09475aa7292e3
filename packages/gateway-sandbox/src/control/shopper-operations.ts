import { z } from 'zod';
import { formatAmount } from '../domain/requests.ts';
import { readCard, type Outcome } from '../domain/outcome.ts';
import { iso } from '../domain/clock.ts';
import type { ChallengeAction, PaymentMeans } from '../domain/pay.ts';
import { statusRow } from '../domain/ledger.ts';
import { linkSession, savedCardsOf } from '../domain/tenant.ts';
import { hasOpenChallenge, sessionState } from '../domain/transaction.ts';
import type { Session, Transaction } from '../domain/transaction.ts';
import { keepAnswerPlan } from '../pages/hosted/hosted-routes.ts';
import { closesOnFailure } from '../readings/readings.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { conflict, named, notFound, operation, Refusal, type Operations } from './api.ts';
import * as shapes from './shapes.ts';
import type { ChallengeAnswer, ControlMeans } from './shapes.ts';

/** Why a payment made no transaction, by the kind of the core's reply; null: its connection is cut. */
const refusals = {
  'unknown-session': notFound('unknown_session', 'No checkout session of this tenant has this id.'),
  'already-paid': conflict(
    'already_paid',
    'The checkout session is paid; nothing was charged again.',
  ),
  expired: conflict(
    'session_expired',
    'The checkout session has expired; create a new payment link.',
  ),
  closed: conflict(
    'session_closed',
    'The checkout session ended with its first failed payment; create a new payment link.',
  ),
  'unknown-saved-card': notFound(
    'unknown_saved_card',
    'The customer of this session has no saved card with this id.',
  ),
  'phone-missing': conflict(
    'phone_missing',
    'Apple Pay needs the customer’s phone, and this session has none.',
  ),
  cut: null,
} as const;

const unknownChallenge = notFound(
  'unknown_challenge',
  'No 3-D Secure challenge of this tenant has this id.',
);

const action = 'Send {"action": "settle"} or {"action": "fail"}.';

/** Actions of a shopper or an issuer, without a browser. */
export const shopperOperations: Operations = {
  next: operation('POST /next', {
    summary: 'Decides the next payment; armed several times, the oldest that fits goes first.',
    body: shapes.nextOutcome,
    code: {
      '': 'invalid_outcome',
      operation: 'invalid_operation',
      merchantOrderId: 'invalid_order_id',
    },
    perform: ({ parts: { machine }, tenant, body }) => {
      const { operation: about = null, merchantOrderId = null } = body;
      // The schema lets no other text through.
      const outcome = body.outcome as Outcome;
      const armed = { outcome, operation: about, merchantOrderId };
      return machine.execute({ kind: 'arm-next', tenant, ...armed }).reply;
    },
  }),
  session: operation('GET /sessions/:id', {
    summary: 'Shows a session with every attempt.',
    reply: shapes.controlSessionDetails,
    perform: ({ parts, tenant, id }) => {
      const known = parts.machine.tenant(tenant);
      const session = linkSession(known, id);
      if (session === undefined) return refusals['unknown-session'];
      return {
        session: describeSession(parts, tenant, session),
        transactions: session.attempts.map((one) => statusRow(one, parts.policy.has('sameId'))),
        savedCards: savedCardsOf(known, session).map(({ id: savedId, card }) => ({
          id: savedId,
          pan: `${card.firstSix}******${card.lastFour}`,
          cardScheme: card.scheme,
        })),
      };
    },
  }),
  pay: operation('POST /sessions/:id/pay', {
    summary: 'Pays a session.',
    body: shapes.controlMeans,
    code: 'invalid_card',
    hint: 'Send {"card": {"number": "…", "expiryMonth": "12", "expiryYear": "2039", "cvv": "123"}}, of which all but the number may be left out, or {"applePay": true}, or {"savedCard": "<id>"}.',
    reply: shapes.controlPayment,
    refuses: [409, 422],
    perform: async ({ parts, tenant, id: sessionId, body, response }) => {
      const { machine } = parts;
      const means = meansOf(body, machine.now(tenant));
      if (means instanceof Refusal) return means;
      const form = { choice: null, formKey: null, closesOnFailure: closesOnFailure(parts) };
      const { reply } = machine.execute({ kind: 'pay', tenant, sessionId, means, ...form });
      if (await keepAnswerPlan(parts, reply, response)) return null;
      return reply.kind === 'decided' || reply.kind === 'repeated'
        ? describePayment(parts, tenant, reply.transaction)
        : refusals[reply.kind];
    },
  }),
  expire: operation('POST /sessions/:id/expire', {
    summary: "Ends a session's life now.",
    reply: named('session', shapes.controlSession),
    refuses: [409],
    perform: ({ parts, tenant, id: sessionId }) => {
      const { reply } = parts.machine.execute({ kind: 'expire-session', tenant, sessionId });
      return reply.kind === 'expired'
        ? { session: describeSession(parts, tenant, reply.session) }
        : refusals[reply.kind];
    },
  }),
  answerChallenge: operation('POST /challenges/:id', {
    summary: "Answers a 3-D Secure challenge; the transaction's id works too.",
    body: shapes.challengeAnswer,
    code: 'invalid_action',
    hint: 'Send {"otp": "123456"} or {"action": "approve" | "fail" | "cancel" | "hang"}.',
    reply: shapes.controlPayment,
    perform: ({ parts, tenant, id, body }) => {
      const known = parts.machine.tenant(tenant);
      const challengeId = known.transactions.get(id)?.challenge?.id ?? id;
      const answered = actionOf(body);
      // A challenge that hangs changes nothing: its transaction stays as it is.
      if (answered === null) {
        const transaction = known.challenged.get(challengeId);
        if (transaction === undefined) return unknownChallenge;
        return describePayment(parts, tenant, transaction);
      }
      const command = { kind: 'answer-challenge', tenant, challengeId, ...answered } as const;
      const { reply } = parts.machine.execute(command);
      if (reply.kind !== 'answered') return unknownChallenge;
      return describePayment(parts, tenant, reply.transaction);
    },
  }),
  endRefund: operation('POST /refunds/:id', {
    summary: 'Settles an accepted refund now, or lets it fail.',
    body: z.strictObject({ action: z.enum(['settle', 'fail'], action) }),
    code: 'invalid_action',
    reply: shapes.controlPayment,
    refuses: [409],
    perform: ({ parts, tenant, id: refundId, body }) => {
      const succeeds = body.action === 'settle';
      const { reply } = parts.machine.execute({ kind: 'end-refund', tenant, refundId, succeeds });
      if (reply.kind === 'ended') return describePayment(parts, tenant, reply.transaction);
      if (reply.kind === 'already-ended') {
        const end = reply.entry.result === 'done' ? 'settled' : 'failed';
        return conflict('refund_ended', `The refund is ${end}, and that is final.`);
      }
      const detail = 'No refund of this tenant has this id; it is the refundId of its answer.';
      return notFound('unknown_refund', detail);
    },
  }),
  revokeToken: operation('POST /recurring-tokens/:token/revoke', {
    summary: 'Ends a recurring token before its time.',
    reply: named('transactionId', z.string()),
    perform: ({ parts: { machine }, tenant, id: recurringToken }) => {
      const { reply } = machine.execute({ kind: 'revoke-token', tenant, recurringToken });
      if (reply.kind === 'revoked') return { transactionId: reply.transactionId };
      const detail = 'No payment of this tenant made this recurring token.';
      return notFound('unknown_token', detail);
    },
  }),
};

/** Null: the shopper does nothing. */
function actionOf(answer: ChallengeAnswer): ChallengeAction | null {
  if ('otp' in answer) return answer;
  const { action: wanted } = answer;
  if (wanted === 'approve') return { otp: '123456' };
  return wanted === 'hang' ? null : { action: wanted };
}

/** The means of payment of a call; absent fields of a card get valid values. */
function meansOf(given: ControlMeans, now: number): PaymentMeans | Refusal {
  if ('applePay' in given) return { kind: 'apple-pay' };
  if ('savedCard' in given) return { kind: 'saved-card', savedCardId: given.savedCard };
  const inFiveYears = String(new Date(now).getUTCFullYear() + 5);
  const { number, expiryMonth = '12', expiryYear = inFiveYears, cvv = '123' } = given.card;
  const read = readCard({ number, cvv, expiry: `${expiryMonth}/${expiryYear}` }, now);
  if ('entry' in read) return { kind: 'card', entry: read.entry };
  const { faults } = read;
  if (faults.number !== undefined) {
    const detail = 'The number is not a test card, so nothing was charged and it was not kept.';
    return new Refusal(422, 'not_a_test_card', detail);
  }
  const detail =
    faults.expiry === undefined
      ? 'The CVV has three or four digits.'
      : 'The expiry is a month and a year that lie in the future of the sandbox clock.';
  const code = faults.expiry === 'expired' ? 'card_expired' : 'invalid_card';
  return new Refusal(422, code, detail);
}

function describeSession(
  { machine, publicUrl }: SandboxParts,
  tenant: string,
  session: Session,
): object {
  return {
    id: session.id,
    environment: session.environment,
    merchantOrderId: session.merchantOrderId,
    amount: formatAmount(session.amountMinor),
    currency: session.currency,
    state: sessionState(session, machine.now(tenant)),
    redirectUrl: `${publicUrl()}/checkout?sessionId=${session.id}`,
    createdAt: iso(session.createdAt),
    expiresAt: iso(session.expiresAt),
  };
}

function describePayment(parts: SandboxParts, tenant: string, transaction: Transaction): object {
  return {
    session: describeSession(parts, tenant, transaction.session),
    transaction: statusRow(transaction, parts.policy.has('sameId')),
    decidedBy: transaction.decidedBy,
    ...(hasOpenChallenge(transaction) ? { challenge: { id: transaction.challenge?.id } } : {}),
  };
}
