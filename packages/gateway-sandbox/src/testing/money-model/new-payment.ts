import { findTestCard } from '../../domain/cards.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { Books, Payment, Session } from './books.ts';
import type { CoreRun } from './core-run.ts';
import type { Move } from './moves.ts';

const sessionLifeMs = 48 * 3_600_000;

/** The reply of the core, and the replies that the books allow. */
export type Played = readonly [got: string, ...allowed: string[]];
export type Of<Kind extends Move['kind']> = Extract<Move, { kind: Kind }>;

export function link(books: Books, run: CoreRun, move: Of<'link'>): Played {
  const order = `order-${move.order}`;
  const request = { ...requestOf(order, move.amount), customerKey: 'key' };
  const reply = run.execute({ kind: 'create-link', environment: 'staging', request }, books.now);
  const isTaken = books.sessions.some((other) => other.order === order);
  if (reply.kind === 'created') {
    const expiresAt = books.now + sessionLifeMs;
    books.sessions.push({ id: reply.session.id, amount: move.amount, order, expiresAt });
  }
  return [reply.kind, isTaken ? 'order-id-taken' : 'created'];
}

export function pay(
  books: Books,
  run: CoreRun,
  { card, formKey, session: index }: Of<'pay'>,
): Played {
  const session = at(books.sessions, index);
  const form = formKey === null ? null : `${formKey} ${card}`;
  const allowed = repliesToPay(books, session, form);
  const means = { kind: 'card', entry: entryOf(card) } as const;
  const sessionId = session?.id ?? 'unknown';
  const reply = run.execute({ kind: 'pay', sessionId, means, choice: null, formKey }, books.now);
  if (reply.kind === 'decided' && session !== undefined) {
    addPayment(books, reply.transaction, { session, amount: session.amount, form });
  }
  return [reply.kind, ...allowed];
}

function repliesToPay(books: Books, session: Session | undefined, form: string | null): string[] {
  if (session === undefined) return ['unknown-session'];
  const isRepeat = (one: Payment) => one.session === session && one.form === form;
  if (form !== null && books.payments.some(isRepeat)) return ['repeated'];
  if (books.paidBy(session) !== null) return ['already-paid'];
  return books.now < session.expiresAt ? ['decided', 'cut'] : ['expired'];
}

export function sell(
  books: Books,
  run: CoreRun,
  { amount, auth, recurring, card }: Of<'sale'>,
): Played {
  const request = {
    ...requestOf('sale', amount),
    customerKey: null,
    auth,
    recurringInit: recurring,
  } as const;
  const entry = entryOf(card);
  const reply = run.execute({ kind: 'sale', environment: 'staging', request, entry }, books.now);
  if (reply.kind === 'decided') {
    addPayment(books, reply.transaction, { amount, isAuthorization: auth === 'Y' });
  }
  return [reply.kind, 'decided', 'cut'];
}

/** Books a payment as open: its events decide it. */
export function addPayment(
  books: Books,
  { id, paymentId, recurringToken, challenge }: Transaction,
  about: Pick<Payment, 'amount'> & Partial<Payment>,
): void {
  books.payments.push({
    id,
    paymentId,
    session: null,
    isAuthorization: false,
    createdAt: books.now,
    form: null,
    token: recurringToken,
    challengeId: challenge?.id ?? null,
    state: 'open',
    captured: 0,
    isVoided: false,
    isRevoked: false,
    refunds: new Map(),
    ...about,
  });
}

/** The element that a number means, however many there are so far. */
export function at<One>(list: readonly One[], index: number): One | undefined {
  return list[index % Math.max(list.length, 1)];
}

function entryOf(number: string) {
  const card = findTestCard(number);
  if (card === null) throw new Error('A move uses a card that the core does not know.');
  return { card, cvvDeclines: false, goodUntil: Number.MAX_SAFE_INTEGER };
}

function requestOf(merchantOrderId: string, amountMinor: number) {
  const addresses = { successUrl: 'https://shop.example/s', failureUrl: 'https://shop.example/f' };
  return { merchantOrderId, amountMinor, currency: 'SAR', customerName: null, ...addresses };
}
