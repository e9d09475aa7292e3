import type { Router } from 'express';
import { readCard } from '../../domain/transaction/card-entry.ts';
import type { CardFaults, CardText } from '../../domain/transaction/card-entry.ts';
import type { PaymentMeans, PayReply } from '../../domain/command.ts';
import { savedCardsOf } from '../../domain/transaction/saved-cards.ts';
import { linkSession, transactionsOf } from '../../domain/state.ts';
import { statusRow } from '../../domain/transaction/status-rows.ts';
import { keepAnswerPlan } from '../../pages/shopper-step.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import type { Problem } from '../../http/send.ts';
import { badRequest, controlRoute, unknownSession } from './control-call.ts';
import type { ControlReply } from './control-call.ts';
import { describeSession, describeTransaction } from './describe.ts';

const alreadyPaid: Problem = {
  status: 409,
  code: 'already_paid',
  detail: 'The checkout session is paid; nothing was charged again.',
};
const sessionExpired: Problem = {
  status: 409,
  code: 'session_expired',
  detail: 'The checkout session has expired; create a new payment link.',
};
const unknownSavedCard: Problem = {
  status: 404,
  code: 'unknown_saved_card',
  detail: 'The customer of this session has no saved card with this id.',
};
const phoneMissing: Problem = {
  status: 409,
  code: 'phone_missing',
  detail: 'Apple Pay needs the customer’s phone, and this session has none.',
};

/** `sessions/:id`, its `pay` and its `expire`: a session seen and driven without a browser. */
export function addSessionRoutes(router: Router, parts: SandboxParts): void {
  const { machine } = parts;
  router.post(
    '/sessions/:id/pay',
    controlRoute(async ({ tenant, fields, request, response }) => {
      const read = readMeans(fields, machine.now(tenant));
      if ('problem' in read) return read;
      const sessionId = String(request.params['id']);
      const { reply } = await machine.execute({
        kind: 'pay',
        tenant,
        sessionId,
        means: read.means,
        choice: null,
        formKey: null,
      });
      if (await keepAnswerPlan(parts, reply, response)) return 'cut';
      return answerOf(parts, tenant, reply);
    }),
  );
  router.get(
    '/sessions/:id',
    controlRoute(async ({ tenant, request }) => {
      const known = machine.tenant(tenant);
      const session = linkSession(known, String(request.params['id']));
      await machine.settled();
      if (session === undefined) return unknownSession;
      return {
        answer: {
          session: describeSession(parts, tenant, session),
          transactions: transactionsOf(known, session).map((transaction) =>
            statusRow(session, transaction, parts.policy.has('sameId')),
          ),
          savedCards: savedCardsOf(known, session).map(({ id, card }) => ({
            id,
            pan: `${card.firstSix}******${card.lastFour}`,
            cardScheme: card.scheme,
          })),
        },
      };
    }),
  );
  router.post(
    '/sessions/:id/expire',
    controlRoute(async ({ tenant, request }) => {
      const sessionId = String(request.params['id']);
      const { reply } = await machine.execute({ kind: 'expire-session', tenant, sessionId });
      if (reply.kind === 'unknown-session') return unknownSession;
      if (reply.kind === 'already-paid') return { problem: alreadyPaid };
      return { answer: { session: describeSession(parts, tenant, reply.session) } };
    }),
  );
}

function answerOf(parts: SandboxParts, tenant: string, reply: PayReply): ControlReply {
  switch (reply.kind) {
    case 'unknown-session':
      return unknownSession;
    case 'already-paid':
      return { problem: alreadyPaid };
    case 'expired':
      return { problem: sessionExpired };
    case 'unknown-saved-card':
      return { problem: unknownSavedCard };
    case 'phone-missing':
      return { problem: phoneMissing };
    case 'cut':
      return 'cut';
    case 'decided':
    case 'repeated':
      return {
        answer: {
          session: describeSession(parts, tenant, reply.session),
          ...describeTransaction(parts, reply.session, reply.transaction),
        },
      };
  }
}

/** What a control call pays with; what is left out of a card is valid. */
function readMeans(
  fields: Readonly<Record<string, unknown>>,
  now: number,
): { means: PaymentMeans } | { problem: Problem } {
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
  if ('faults' in read) return { problem: cardProblem(read.faults) };
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

function cardProblem(faults: CardFaults): Problem {
  if (faults.number !== undefined) {
    return {
      status: 422,
      code: 'not_a_test_card',
      detail: 'The number is not a test card, so nothing was charged and it was not kept.',
    };
  }
  return {
    status: 422,
    code: faults.expiry === 'expired' ? 'card_expired' : 'invalid_card',
    detail:
      faults.expiry === undefined
        ? 'The CVV has three or four digits.'
        : 'The expiry is a month and a year that lie in the future of the sandbox clock.',
  };
}
