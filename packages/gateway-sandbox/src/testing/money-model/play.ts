import { violationsOf } from '../../domain/invariants.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { authorizationFault, Books, refundable, rowOf } from './books.ts';
import type { Payment } from './books.ts';
import { CoreRun } from './core-run.ts';
import type { Move } from './moves.ts';
import { addPayment, at, link, pay, sell } from './new-payment.ts';
import type { Of, Played } from './new-payment.ts';

const start = Date.UTC(2030, 0, 1);

const nothing: Played = ['', ''];

/**
 * Plays moves on the core and keeps books of them. Throws where a reply, an event, a status row or
 * a session departs from the books, and where the money does not add up.
 */
export function play(moves: readonly Move[]): void {
  const run = new CoreRun();
  const books = new Books(start);
  for (const [index, move] of moves.entries()) {
    const [got, ...allowed] = played(books, run, move);
    run.execute({ kind: 'tick' }, books.now);
    const where = `move ${index} (${move.kind})`;
    if (!allowed.includes(got)) throw new Error(`${where} got ${got}, not ${allowed.join(' or ')}`);
    for (const event of run.events.splice(0)) books.book(event);
    for (const payment of books.payments) {
      const row = run.row(payment.id, books.now);
      for (const [name, value] of Object.entries(rowOf(payment))) {
        same(`${where}: ${name} of ${payment.id}`, row[name], value);
      }
    }
    for (const session of books.sessions) {
      const paidBy = run.tenant.sessions.get(session.id)?.paidBy ?? null;
      same(`${where}: ${session.id} is paid by`, paidBy, books.paidBy(session)?.id ?? null);
    }
    same(`${where}: overdue refunds`, books.overdueRefunds().length, 0);
  }
  same('violations', JSON.stringify(violationsOf(run.tenant)), '[]');
}

function same(what: string, got: unknown, expected: unknown): void {
  if (got === expected) return;
  throw new Error(`${what} is ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`);
}

function played(books: Books, run: CoreRun, move: Move): Played {
  switch (move.kind) {
    case 'arm': {
      const { operation, outcome } = move;
      const armed = { operation, outcome: outcome as Outcome, merchantOrderId: null };
      run.execute({ kind: 'arm-next', ...armed } as never, books.now);
      return nothing;
    }
    case 'wait':
      books.now += move.ms;
      return nothing;
    case 'link':
      return link(books, run, move);
    case 'pay':
      return pay(books, run, move);
    case 'sale':
      return sell(books, run, move);
    case 'expire': {
      const session = at(books.sessions, move.session);
      if (session === undefined) return nothing;
      const isPaid = books.paidBy(session) !== null;
      if (!isPaid) session.expiresAt = Math.min(session.expiresAt, books.now);
      const { id: sessionId } = session;
      const { kind } = run.execute({ kind: 'expire-session', sessionId }, books.now);
      return [kind, isPaid ? 'already-paid' : 'expired'];
    }
    case 'answer':
    case 'capture':
    case 'void':
    case 'refund':
    case 'end-refund':
    case 'charge':
    case 'revoke': {
      const payment = at(books.payments, move.payment);
      return payment === undefined ? nothing : movePayment(books, run, payment, move);
    }
  }
}

type PaymentMove = Of<
  'answer' | 'capture' | 'void' | 'refund' | 'end-refund' | 'charge' | 'revoke'
>;

/** Makes a move that is about a payment of the books. */
function movePayment(books: Books, run: CoreRun, payment: Payment, move: PaymentMove): Played {
  const { id, token } = payment;
  switch (move.kind) {
    case 'answer':
      return answer(books, run, payment, move);
    case 'capture': {
      const name = nameOf(move.isKnown ? id : 'none');
      const amountMinor = sizeOf(move.part, payment.amount);
      const { kind } = run.execute({ kind: 'capture', ...name, amountMinor }, books.now);
      if (!move.isKnown) return [kind, 'unknown-transaction'];
      const fault = authorizationFault(payment);
      if (fault !== null) return [kind, fault];
      return amountMinor > payment.amount
        ? [kind, 'above-authorized']
        : [kind, 'accepted', 'declined'];
    }
    case 'void': {
      const name = nameOf(move.isKnown ? id : 'none');
      const { kind } = run.execute({ kind: 'void', ...name }, books.now);
      if (!move.isKnown) return [kind, 'unknown-transaction'];
      const fault = authorizationFault(payment);
      const isTaken = fault === 'no-authorization' && payment.captured > 0;
      return [kind, isTaken ? 'already-captured' : (fault ?? 'accepted')];
    }
    case 'refund':
      return refund(books, run, payment, move);
    case 'end-refund': {
      const [refundId, last] = [...payment.refunds].at(-1) ?? [];
      if (refundId === undefined) return nothing;
      const { succeeds } = move;
      const { kind } = run.execute({ kind: 'end-refund', refundId, succeeds }, books.now);
      return [kind, last?.result === 'pending' ? 'ended' : 'already-ended'];
    }
    case 'charge':
      return charge(books, run, payment, move);
    case 'revoke':
      if (token === null) return nothing;
      payment.isRevoked = true;
      run.execute({ kind: 'revoke-token', recurringToken: token }, books.now);
      return nothing;
  }
}

function answer(books: Books, run: CoreRun, payment: Payment, move: Of<'answer'>): Played {
  const challengeId = payment.challengeId ?? 'unknown';
  const { with: word, times } = move;
  const action = word === 'fail' || word === 'cancel' ? { action: word } : { otp: word };
  const command = { kind: 'answer-challenge', challengeId, ...action } as const;
  const replies = Array.from(
    { length: times },
    () => run.execute<'answer-challenge'>(command, books.now).kind,
  );
  return [replies[0] ?? '', payment.challengeId === null ? 'unknown-challenge' : 'answered'];
}

function refund(books: Books, run: CoreRun, payment: Payment, move: Of<'refund'>): Played {
  const left = refundable(payment);
  const amountMinor = sizeOf(move.part, left);
  const ids = {
    transaction: payment.id,
    session: run.tenant.transactions.get(payment.id)?.sessionId ?? '',
    payment: payment.paymentId,
    other: 'none',
  };
  const name = { ...nameOf(ids[move.by]), amountMinor };
  const reply = run.execute({ kind: 'refund', ...name }, books.now);
  if (reply.kind === 'accepted') books.addRefund(payment, reply.entry.id, amountMinor);
  if (move.by !== 'transaction') return [reply.kind, 'unknown-transaction'];
  if (payment.captured === 0) return [reply.kind, 'nothing-taken'];
  return [reply.kind, amountMinor > left ? 'above-balance' : 'accepted'];
}

function charge(books: Books, run: CoreRun, origin: Payment, move: Of<'charge'>): Played {
  const owner = at(books.payments, move.tokenOf) ?? origin;
  const fault = books.tokenFault(origin, owner);
  const command = {
    kind: 'charge-recurring',
    ...nameOf(origin.id),
    recurringToken: owner.token ?? 'none',
    amountMinor: move.amount,
    order: { number: 'charge', currency: 'SAR' },
  } as const;
  const reply = run.execute<'charge-recurring'>(command, books.now);
  if (reply.kind === 'decided') addPayment(books, reply.transaction, { amount: move.amount });
  return [reply.kind === 'declined' ? reply.reason : reply.kind, fault ?? 'decided'];
}

function sizeOf(part: 'one' | 'half' | 'all' | 'above', whole: number): number {
  const half = Math.max(Math.floor(whole / 2), 1);
  return { one: 1, half, all: Math.max(whole, 1), above: whole + 1 }[part];
}

function nameOf(transactionId: string) {
  return { environment: 'staging', sameId: false, transactionId } as const;
}
