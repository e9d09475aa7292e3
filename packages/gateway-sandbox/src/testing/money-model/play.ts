import type { PayReply, SaleReply } from '../../domain/command.ts';
import { findTestCard } from '../../domain/transaction/cards.ts';
import type { Outcome } from '../../domain/transaction/outcome.ts';
import type { CoreRun } from './core-run.ts';
import { cardOf } from './model.ts';
import type { Model, ModelPayment, ModelSession, ModelVerdict } from './model.ts';
import type { Move } from './moves.ts';
import { addPayment, at, verdictFor } from './new-payment.ts';
import type { Played } from './new-payment.ts';
import { playMoneyMove } from './play-money-move.ts';

const hourMs = 3_600_000;

/** Makes one move on both. Ids that the core draws are taken over by the model. */
export function play(model: Model, run: CoreRun, move: Move): Played {
  switch (move.kind) {
    case 'link':
      return link(model, run, move);
    case 'pay':
      return pay(model, run, move);
    case 'sale':
      return sell(model, run, move);
    case 'answer':
      return answer(model, run, move);
    case 'arm': {
      const { operation, outcome } = move;
      model.armed.push({ operation, outcome });
      const armed = { operation, outcome: outcome as Outcome, merchantOrderId: null };
      run.execute({ kind: 'arm-next', ...armed } as never, model.now);
      return { got: '', expected: '' };
    }
    case 'wait':
      model.now += move.ms;
      model.catchUp();
      run.execute({ kind: 'tick' }, model.now);
      return { got: '', expected: '' };
    case 'expire': {
      const session = at(model.sessions, move.session);
      if (session === undefined) return { got: '', expected: '' };
      const state = model.sessionState(session);
      if (state === 'PENDING') session.expiresAt = model.now;
      const got = run.execute({ kind: 'expire-session', sessionId: session.id }, model.now).kind;
      return { got, expected: state === 'PAID' ? 'already-paid' : 'expired' };
    }
    case 'capture':
    case 'void':
    case 'refund':
    case 'end-refund':
    case 'charge':
    case 'revoke':
      return playMoneyMove(model, run, move);
  }
}

function link(model: Model, run: CoreRun, move: Extract<Move, { kind: 'link' }>): Played {
  const merchantOrderId = `order-${move.order}`;
  const request = {
    ...order(move.amount),
    merchantOrderId,
    customerName: null,
    customerKey: 'key',
  };
  const reply = run.execute({ kind: 'create-link', environment: 'staging', request }, model.now);
  const isTaken = model.sessions.some(({ order: other }) => other === merchantOrderId);
  if (reply.kind === 'created') {
    model.sessions.push({
      id: reply.session.id,
      amount: move.amount,
      order: merchantOrderId,
      expiresAt: model.now + 48 * hourMs,
      paidBy: null,
    });
  }
  return { got: reply.kind, expected: isTaken ? 'order-id-taken' : 'created' };
}

function pay(model: Model, run: CoreRun, move: Extract<Move, { kind: 'pay' }>): Played {
  const session = at(model.sessions, move.session);
  const card = cardOf(move.card);
  const form = move.formKey === null ? null : `${move.formKey} ${card.number}`;
  const expected = expectedOfPay(model, session, form, move.card);
  const reply = run.execute(
    {
      kind: 'pay',
      sessionId: session?.id ?? 'unknown',
      means: { kind: 'card', entry: entryOf(card.number) },
      choice: null,
      formKey: move.formKey,
    },
    model.now,
  );
  if (expected.verdict !== null && reply.kind === 'decided' && session !== undefined) {
    const about = { session, isSale: false, isAuthorization: false, amount: session.amount, form };
    addPayment(model, reply.transaction, expected.verdict, about);
  }
  return { got: textOf(reply), expected: expected.text };
}

function expectedOfPay(
  model: Model,
  session: ModelSession | undefined,
  form: string | null,
  cardIndex: number,
): { text: string; verdict: ModelVerdict | null } {
  if (session === undefined) return { text: 'unknown-session', verdict: null };
  const isRepeat =
    form !== null && model.payments.some((one) => one.session === session && one.form === form);
  if (isRepeat) return { text: 'repeated', verdict: null };
  const state = model.sessionState(session);
  if (state === 'PAID') return { text: 'already-paid', verdict: null };
  if (state === 'EXPIRED') return { text: 'expired', verdict: null };
  return verdictFor(model, 'createPaymentLink', cardIndex, session.amount);
}

function sell(model: Model, run: CoreRun, move: Extract<Move, { kind: 'sale' }>): Played {
  const { amount, auth, recurring, card } = move;
  const expected = verdictFor(model, 'sale', card, amount);
  const request = {
    ...order(amount),
    merchantOrderId: 'sale',
    customerName: null,
    customerKey: null,
    auth,
    recurringInit: recurring,
  } as const;
  const entry = entryOf(cardOf(card).number);
  const reply = run.execute({ kind: 'sale', environment: 'staging', request, entry }, model.now);
  if (expected.verdict !== null && reply.kind === 'decided') {
    const about = {
      session: null,
      isSale: true,
      isAuthorization: auth === 'Y',
      amount,
      form: null,
    };
    addPayment(model, reply.transaction, expected.verdict, about);
  }
  return { got: textOf(reply), expected: expected.text };
}

function answer(model: Model, run: CoreRun, move: Extract<Move, { kind: 'answer' }>): Played {
  const payment = at(model.payments, move.payment);
  const challengeId = payment?.challenge?.id ?? 'unknown';
  const { with: word, times } = move;
  const action = word === 'fail' || word === 'cancel' ? { action: word } : { otp: word };
  const got = Array.from({ length: times }, () => {
    const command = { kind: 'answer-challenge', challengeId, ...action } as const;
    return run.execute<'answer-challenge'>(command, model.now).kind;
  });
  if (payment === undefined || payment.challenge === null) {
    return { got: got[0] ?? '', expected: 'unknown-challenge' };
  }
  for (let time = 0; time < times; time += 1) {
    const code = codeOfAnswer(model, payment, word);
    if (code !== null) model.settle(payment, code);
  }
  return { got: got[0] ?? '', expected: 'answered' };
}

/** The response code that an answer ends a challenge with, or null. */
function codeOfAnswer(model: Model, payment: ModelPayment, word: string): string | null {
  const { session, challenge, state } = payment;
  if (state !== 'open' || challenge === null || challenge.hangs) return null;
  const standing = session === null ? 'PENDING' : model.sessionState(session);
  if (standing !== 'PENDING') return standing === 'PAID' ? '3P' : '3X';
  switch (word) {
    case '123456':
      return challenge.code;
    case '222222':
      return '3I';
    case '111111':
      return null;
    case 'fail':
    case 'cancel':
      return word === 'fail' ? '3D' : '3C';
    default:
      challenge.wrong += 1;
      return challenge.wrong < 3 ? null : '3D';
  }
}

function textOf(reply: PayReply | SaleReply): string {
  if (reply.kind !== 'decided') return reply.kind;
  const { decidedBy, responseCode, awaitedCode } = reply.transaction;
  return `decided by ${decidedBy}: ${responseCode ?? awaitedCode ?? 'open'}`;
}

function entryOf(number: string) {
  const card = findTestCard(number);
  if (card === null) throw new Error('The model uses a card that the core does not know.');
  return { card, cvvDeclines: false, goodUntil: Number.MAX_SAFE_INTEGER };
}

function order(amountMinor: number) {
  const successUrl = 'https://shop.example/yes';
  return { amountMinor, currency: 'SAR', successUrl, failureUrl: 'https://shop.example/no' };
}
