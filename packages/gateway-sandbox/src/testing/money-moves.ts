import fc from 'fast-check';
import type { Outcome } from '../domain/outcome.ts';
import { armableOperations } from '../domain/tenant.ts';
import { authorizationFault, refundable } from './money-books.ts';
import type { Payment } from './money-books.ts';
import { entryOf, nameOf, requestOf } from './money-run.ts';
import type { MoneyRun } from './money-run.ts';

const hourMs = 3_600_000;

/** The reply of the core, and the replies that the books allow. */
type Played = readonly [got: string, ...allowed: string[]];
const nothing: Played = ['', ''];

export interface Move {
  readonly kind: string;
  readonly given: unknown;
  readonly play: (run: MoneyRun) => Played;
}

type Fields<Given> = { [Name in keyof Given]: fc.Arbitrary<Given[Name]> };

/** A kind of move: how often it is made, what it is about, and what has to come of it. */
function move<Given extends object>(
  kind: string,
  weight: number,
  fields: Fields<Given>,
  play: (run: MoneyRun, given: Given) => Played,
): fc.WeightedArbitrary<Move> {
  const arbitrary = fc.record(fields).map((record): Move => {
    const given = record as Given;
    return { kind, given, play: (run) => play(run, given) };
  });
  return { weight, arbitrary };
}

/** A move that is about a payment; there may be none yet. */
function moveOf<Given extends object>(
  kind: string,
  weight: number,
  fields: Fields<Given>,
  play: (run: MoneyRun, payment: Payment, given: Given) => Played,
): fc.WeightedArbitrary<Move> {
  const about = { payment: index, given: fc.record(fields) as fc.Arbitrary<Given> };
  return move<{ payment: number; given: Given }>(kind, weight, about, (run, { payment, given }) => {
    const found = at(run.books.payments, payment);
    return found === undefined ? nothing : play(run, found, given);
  });
}

/** The element that a number means, however many there are: ids are drawn at random. */
const index = fc.nat(6);
const at = <One>(list: readonly One[], number: number): One | undefined =>
  list[number % Math.max(list.length, 1)];

/** Minor units: the smallest, two usual ones, and one of each magic kind that moves money. */
const amount = fc.constantFrom(
  1,
  11_500,
  11_500,
  4999,
  990_051,
  990_151,
  990_200,
  990_201,
  990_301,
  990_500,
  990_501,
  990_603,
  990_801,
  990_802,
);

const approving = '4201320111111010';
/** Cards that approve, decline, challenge, hang and fail. */
const card = fc.constantFrom(
  approving,
  approving,
  approving,
  approving,
  '4111111111111111',
  '4201320000311101',
  '4508750015741019',
  '9682990151000005',
  '9682990300000005',
  '9682990600000002',
  '9682990200000006',
);

/** Around every limit: settlement, challenge, pending payment, session, token. */
const wait = fc.constantFrom(
  1,
  1999,
  2000,
  60_000,
  599_999,
  600_000,
  48 * hourMs - 1,
  48 * hourMs,
  8760 * hourMs,
);

/** How much of what there is; `above` is one minor unit more than all of it. */
const part = fc.constantFrom('one' as const, 'half' as const, 'all' as const, 'above' as const);

function sizeOf(size: 'one' | 'half' | 'all' | 'above', whole: number): number {
  const half = Math.max(Math.floor(whole / 2), 1);
  return { one: 1, half, all: Math.max(whole, 1), above: whole + 1 }[size];
}

/** Now and then an id is asked for that no transaction has. */
const isKnown = fc.constantFrom(true, true, true, false);

const newPayments = [
  move('link', 4, { order: fc.nat(9), amount }, (run, { order: number, amount: minor }) => {
    const { books } = run;
    const order = `order-${number}`;
    const isTaken = books.sessions.some((other) => other.order === order);
    const request = requestOf(order, minor);
    const reply = run.execute({ kind: 'create-link', environment: 'staging', request });
    if (reply.kind === 'created') {
      const expiresAt = books.now + 48 * hourMs;
      books.sessions.push({ id: reply.session.id, amount: minor, order, expiresAt });
    }
    return [reply.kind, isTaken ? 'order-id-taken' : 'created'];
  }),
  move(
    'pay',
    7,
    { session: index, card, formKey: fc.constantFrom(null, null, '0', '1') },
    (run, { session: number, card: cardNumber, formKey }) => {
      const session = at(run.books.sessions, number);
      const form = formKey === null ? null : `${formKey} ${cardNumber}`;
      const allowed = repliesToPay(run, session, form);
      const means = { kind: 'card', entry: entryOf(cardNumber) } as const;
      const sessionId = session?.id ?? 'unknown';
      const reply = run.execute({ kind: 'pay', sessionId, means, choice: null, formKey });
      if (reply.kind === 'decided' && session !== undefined) {
        run.add(reply.transaction, { session, amount: session.amount, form });
      }
      return [reply.kind, ...allowed];
    },
  ),
  move(
    'sale',
    5,
    {
      amount,
      auth: fc.constantFrom('Y' as const, 'Y' as const, 'N' as const),
      recurringInit: fc.constantFrom('Y' as const, 'N' as const),
      card,
    },
    (run, { amount: minor, auth, ...rest }) => {
      run.sell(auth, minor, rest);
      return nothing;
    },
  ),
  moveOf('charge', 3, { tokenOf: index, amount }, (run, origin, { tokenOf, amount: minor }) => {
    const owner = at(run.books.payments, tokenOf) ?? origin;
    const fault = run.books.tokenFault(origin, owner);
    const reply = run.execute<'charge-recurring'>({
      kind: 'charge-recurring',
      ...nameOf(origin.id),
      recurringToken: owner.token ?? 'none',
      amountMinor: minor,
      order: { number: 'charge', currency: 'SAR' },
    });
    if (reply.kind === 'decided') run.add(reply.transaction, { amount: minor });
    return [reply.kind === 'declined' ? reply.reason : reply.kind, fault ?? 'decided'];
  }),
];

function repliesToPay(
  { books }: MoneyRun,
  session: Payment['session'] | undefined,
  form: string | null,
): string[] {
  if (session === undefined || session === null) return ['unknown-session'];
  const isRepeat = (one: Payment) => one.session === session && one.form === form;
  if (form !== null && books.payments.some(isRepeat)) return ['repeated'];
  if (books.paidBy(session) !== null) return ['already-paid'];
  return books.now < session.expiresAt ? ['decided', 'cut'] : ['expired'];
}

const movements = [
  moveOf('capture', 4, { part, isKnown }, (run, payment, { part: size, isKnown: known }) => {
    const amountMinor = sizeOf(size, payment.amount);
    const name = nameOf(known ? payment.id : 'none');
    const fault = authorizationFault(payment);
    const { kind } = run.execute({ kind: 'capture', ...name, amountMinor });
    if (!known) return [kind, 'unknown-transaction'];
    if (fault !== null) return [kind, fault];
    return amountMinor > payment.amount
      ? [kind, 'above-authorized']
      : [kind, 'accepted', 'declined'];
  }),
  moveOf('void', 2, { isKnown }, (run, payment, { isKnown: known }) => {
    const fault = authorizationFault(payment);
    const isTaken = fault === 'no-authorization' && payment.captured > 0;
    const { kind } = run.execute({ kind: 'void', ...nameOf(known ? payment.id : 'none') });
    if (!known) return [kind, 'unknown-transaction'];
    return [kind, isTaken ? 'already-captured' : (fault ?? 'accepted')];
  }),
  moveOf(
    'refund',
    7,
    {
      part,
      by: fc.constantFrom(...(['id', 'id', 'id', 'session', 'paymentId', 'other'] as const)),
    },
    (run, payment, { part: size, by }) => {
      const left = refundable(payment);
      const amountMinor = sizeOf(size, left);
      const session = run.tenant.transactions.get(payment.id)?.session.id ?? '';
      const id = { id: payment.id, paymentId: payment.paymentId, session, other: 'none' }[by];
      const reply = run.execute({ kind: 'refund', ...nameOf(id), amountMinor });
      if (reply.kind === 'accepted') run.books.addRefund(payment, reply.entry.id, amountMinor);
      if (by !== 'id') return [reply.kind, 'unknown-transaction'];
      if (payment.captured === 0) return [reply.kind, 'nothing-taken'];
      return [reply.kind, amountMinor > left ? 'above-balance' : 'accepted'];
    },
  ),
  moveOf('end-refund', 1, { succeeds: fc.boolean() }, (run, payment, { succeeds }) => {
    const [refundId, last] = [...payment.refunds].at(-1) ?? [];
    if (refundId === undefined) return nothing;
    const expected = last?.result === 'pending' ? 'ended' : 'already-ended';
    return [run.execute({ kind: 'end-refund', refundId, succeeds }).kind, expected];
  }),
];

const others = [
  move(
    'arm',
    2,
    {
      operation: fc.constantFrom(null, ...armableOperations),
      outcome: fc.constantFrom<Outcome>('approve', 'decline:51'),
    },
    (run, given) => {
      run.execute({ kind: 'arm-next', ...given, merchantOrderId: null });
      return nothing;
    },
  ),
  moveOf(
    'answer',
    5,
    {
      answer: fc.constantFrom(
        ...['123456', '123456', '000000', '111111', '222222'].map((otp) => ({ otp })),
        { action: 'fail' as const },
        { action: 'cancel' as const },
      ),
      times: fc.constantFrom(1, 1, 3),
    },
    (run, payment, { answer, times }) => {
      const challengeId = payment.challengeId ?? 'unknown';
      const command = { kind: 'answer-challenge', challengeId, ...answer } as const;
      const replies = Array.from({ length: times }, () => run.execute<'answer-challenge'>(command));
      const expected = payment.challengeId === null ? 'unknown-challenge' : 'answered';
      return [replies[0]?.kind ?? '', expected];
    },
  ),
  moveOf('revoke', 1, {}, (run, payment) => {
    if (payment.token === null) return nothing;
    payment.isRevoked = true;
    run.execute({ kind: 'revoke-token', recurringToken: payment.token });
    return nothing;
  }),
  move('wait', 5, { ms: wait }, (run, { ms }) => {
    run.books.now += ms;
    return nothing;
  }),
  move('expire', 1, { session: index }, (run, given) => {
    const { books } = run;
    const session = at(books.sessions, given.session);
    if (session === undefined) return nothing;
    const isPaid = books.paidBy(session) !== null;
    if (!isPaid) session.expiresAt = Math.min(session.expiresAt, books.now);
    const { kind } = run.execute({ kind: 'expire-session', sessionId: session.id });
    return [kind, isPaid ? 'already-paid' : 'expired'];
  }),
];

/** Sequences of moves. */
export const sequences: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(...newPayments, ...movements, ...others),
  { minLength: 4, maxLength: 24, size: 'max' },
);
