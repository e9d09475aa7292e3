import { formatAmount } from '../../domain/amount.ts';
import { readCard } from '../../domain/cards.ts';
import type { CardFaults, CardText } from '../../domain/cards.ts';
import { iso } from '../../domain/clock.ts';
import { violationsOf } from '../../domain/invariants.ts';
import type { ChallengeAction, PaymentMeans } from '../../domain/pay.ts';
import { statusRow } from '../../domain/status-rows.ts';
import { linkSession, newestSessions, savedCardsOf, transactionsOf } from '../../domain/tenant.ts';
import { balanceOf, hasOpenChallenge, sessionState } from '../../domain/transaction.ts';
import type { LedgerEntry, Session, Transaction } from '../../domain/transaction.ts';
import type { Reply } from '../../domain/step.ts';
import { keepAnswerPlan } from '../../pages/shopper-step.ts';
import { closesOnFailure } from '../../readings/profile.ts';
import { basePaths } from '../../sandbox-parts.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, refuse } from './control-call.ts';
import type { ControlCall, ControlReply, ControlRoutes } from './control-call.ts';

/** Why a payment made no transaction, by the kind of the core's reply. */
const refusals = {
  'unknown-session': refuse(
    404,
    'unknown_session',
    'No checkout session of this tenant has this id.',
  ),
  'already-paid': refuse(
    409,
    'already_paid',
    'The checkout session is paid; nothing was charged again.',
  ),
  expired: refuse(
    409,
    'session_expired',
    'The checkout session has expired; create a new payment link.',
  ),
  closed: refuse(
    409,
    'session_closed',
    'The checkout session ended with its first failed payment; create a new payment link.',
  ),
  'unknown-saved-card': refuse(
    404,
    'unknown_saved_card',
    'The customer of this session has no saved card with this id.',
  ),
  'phone-missing': refuse(
    409,
    'phone_missing',
    'Apple Pay needs the customer’s phone, and this session has none.',
  ),
  cut: 'cut',
} as const satisfies Partial<Record<Reply<'pay'>['kind'], ControlReply>>;

const unknownChallenge = refuse(
  404,
  'unknown_challenge',
  'No 3-D Secure challenge of this tenant has this id.',
);

/** Sessions and 3-D Secure challenges, seen and driven without a browser. */
export function sessionRoutes(parts: SandboxParts): ControlRoutes {
  const { machine } = parts;
  return {
    'POST /sessions/:id/pay': async ({ tenant, id: sessionId, fields, response }) => {
      const read = readMeans(fields, machine.now(tenant));
      if ('problem' in read) return read;
      const command = {
        sessionId,
        means: read.means,
        choice: null,
        formKey: null,
        closesOnFailure: closesOnFailure(parts),
      };
      const { reply } = machine.execute({ kind: 'pay', tenant, ...command });
      if (await keepAnswerPlan(parts, reply, response)) return 'cut';
      return reply.kind === 'decided' || reply.kind === 'repeated'
        ? paymentAnswer(parts, tenant, reply)
        : refusals[reply.kind];
    },
    'GET /sessions/:id': ({ tenant, id }) => {
      const known = machine.tenant(tenant);
      const session = linkSession(known, id);
      if (session === undefined) return refusals['unknown-session'];
      return {
        answer: {
          session: describeSession(parts, tenant, session),
          transactions: transactionsOf(known, session).map((transaction) =>
            statusRow(session, transaction, parts.policy.has('sameId')),
          ),
          savedCards: savedCardsOf(known, session).map((saved) => ({
            id: saved.id,
            pan: `${saved.card.firstSix}******${saved.card.lastFour}`,
            cardScheme: saved.card.scheme,
          })),
        },
      };
    },
    'POST /sessions/:id/expire': ({ tenant, id: sessionId }) => {
      const { reply } = machine.execute({ kind: 'expire-session', tenant, sessionId });
      return reply.kind === 'expired'
        ? { answer: { session: describeSession(parts, tenant, reply.session) } }
        : refusals[reply.kind];
    },
    'POST /challenges/:id': (call) => answerChallenge(parts, call),
  };
}

/** The transaction's id names its challenge too. */
function answerChallenge(parts: SandboxParts, { tenant, id, fields }: ControlCall): ControlReply {
  const { machine } = parts;
  const action = readAction(fields);
  if (action === null) {
    return badRequest(
      'invalid_action',
      'Send {"otp": "123456"} or {"action": "approve" | "fail" | "cancel" | "hang"}.',
    );
  }
  const { sessions, transactions, challenged } = machine.tenant(tenant);
  const challengeId = transactions.get(id)?.challenge?.id ?? id;
  if (action !== 'hang') {
    const command = { kind: 'answer-challenge', tenant, challengeId, ...action } as const;
    const { reply } = machine.execute(command);
    return reply.kind === 'answered' ? paymentAnswer(parts, tenant, reply) : unknownChallenge;
  }
  // A challenge that hangs changes nothing: its transaction stays as it is.
  const transaction = transactions.get(challenged.get(challengeId) ?? '');
  const session = sessions.get(transaction?.sessionId ?? '');
  if (transaction === undefined || session === undefined) return unknownChallenge;
  return paymentAnswer(parts, tenant, { session, transaction });
}

function readAction({ otp, action }: ControlCall['fields']): ChallengeAction | 'hang' | null {
  if (typeof otp === 'string' && action === undefined) return { otp };
  if (action === 'approve') return { otp: '123456' };
  if (action === 'fail' || action === 'cancel') return { action };
  return action === 'hang' ? action : null;
}

/** The means of payment of a control call; absent fields of a card get valid values. */
function readMeans(
  fields: ControlCall['fields'],
  now: number,
): { means: PaymentMeans } | ReturnType<typeof badRequest> {
  const { card, applePay, savedCard } = fields;
  if (applePay === true && card === undefined && savedCard === undefined) {
    return { means: { kind: 'apple-pay' } };
  }
  if (typeof savedCard === 'string' && card === undefined && applePay === undefined) {
    return { means: { kind: 'saved-card', savedCardId: savedCard } };
  }
  const text = savedCard === undefined && applePay === undefined ? cardText(card, now) : null;
  if (text === null) {
    return badRequest(
      'invalid_card',
      'Send {"card": {"number": "…", "expiryMonth": "12", "expiryYear": "2039", "cvv": "123"}}, of which all but the number may be left out, or {"applePay": true}, or {"savedCard": "<id>"}.',
    );
  }
  const read = readCard(text, now);
  if ('faults' in read) return cardProblem(read.faults);
  return { means: { kind: 'card', entry: read.entry } };
}

/** Reads the card of a control call. Null when it is no card at all. */
function cardText(value: unknown, now: number): CardText | null {
  if (typeof value !== 'object' || value === null) return null;
  const year = new Date(now).getUTCFullYear() + 5;
  const field = (name: string, valid: string): unknown =>
    Object.hasOwn(value, name) ? Reflect.get(value, name) : valid;
  const number = field('number', '');
  const expiryMonth = field('expiryMonth', '12');
  const expiryYear = field('expiryYear', String(year));
  const cvv = field('cvv', '123');
  if (typeof number !== 'string' || typeof cvv !== 'string') return null;
  if (typeof expiryMonth !== 'string' || typeof expiryYear !== 'string') return null;
  return { number, cvv, expiry: `${expiryMonth}/${expiryYear}` };
}

function cardProblem(faults: CardFaults): ReturnType<typeof refuse> {
  if (faults.number !== undefined) {
    const detail = 'The number is not a test card, so nothing was charged and it was not kept.';
    return refuse(422, 'not_a_test_card', detail);
  }
  return refuse(
    422,
    faults.expiry === 'expired' ? 'card_expired' : 'invalid_card',
    faults.expiry === undefined
      ? 'The CVV has three or four digits.'
      : 'The expiry is a month and a year that lie in the future of the sandbox clock.',
  );
}

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

/** A session as the control API shows it. */
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

/** A transaction as the control API shows it: its status row, the rule, and an open challenge. */
function describeTransaction(
  { policy }: SandboxParts,
  session: Session,
  transaction: Transaction,
): object {
  return {
    transaction: statusRow(session, transaction, policy.has('sameId')),
    decidedBy: transaction.decidedBy,
    ...(hasOpenChallenge(transaction) ? { challenge: { id: transaction.challenge?.id } } : {}),
  };
}

/** A session and one of its transactions, as a call that pays or answers shows them. */
function paymentAnswer(
  parts: SandboxParts,
  tenant: string,
  { session, transaction }: { readonly session: Session; readonly transaction: Transaction },
): { readonly answer: object } {
  return {
    answer: {
      session: describeSession(parts, tenant, session),
      ...describeTransaction(parts, session, transaction),
    },
  };
}

/** A tenant's addresses and credentials, secrets included: the API is bound to this machine. */
export function describeTenant({ machine, tenants, publicUrl }: SandboxParts, id: string): object {
  const { apiKeys, portal, salePassword } = tenants.credentials(id);
  return {
    id,
    url: publicUrl(),
    baseUrl: publicUrl() + basePaths.staging,
    productionBaseUrl: publicUrl() + basePaths.production,
    apiKey: apiKeys.staging,
    productionApiKey: apiKeys.production,
    portal,
    salePassword,
    merchant: machine.tenant(id).account.isFound ? 'found' : 'not-found',
  };
}
