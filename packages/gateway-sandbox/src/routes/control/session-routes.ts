import type { Reply } from '../../domain/step.ts';
import type { ChallengeAction } from '../../domain/transaction/challenge.ts';
import type { PaymentMeans } from '../../domain/transaction/pay.ts';
import { linkSession, transactionsOf } from '../../domain/state.ts';
import { readCard } from '../../domain/transaction/card-entry.ts';
import type { CardFaults, CardText } from '../../domain/transaction/card-entry.ts';
import { savedCardsOf } from '../../domain/transaction/saved-cards.ts';
import { statusRow } from '../../domain/transaction/status-rows.ts';
import { keepAnswerPlan } from '../../pages/shopper-step.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, refuse } from './control-call.ts';
import type { ControlCall, ControlReply, ControlRoutes } from './control-call.ts';
import { describeSession, paymentAnswer } from './describe.ts';
import { closesOnFailure } from '../../readings/profile.ts';

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
