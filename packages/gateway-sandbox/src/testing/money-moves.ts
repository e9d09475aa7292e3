import fc from 'fast-check';
import type { Outcome } from '../domain/outcome.ts';
import type { ChallengeAction } from '../domain/pay.ts';
import { armableOperations } from '../domain/tenant.ts';
import { authorizationFault, refundable } from './money-books.ts';
import type { Payment, Session } from './money-books.ts';
import { entryOf, nameOf, requestOf } from './money-run.ts';
import type { MoneyRun } from './money-run.ts';

const hourMs = 3_600_000;

/** The reply of the core, and the replies that the books allow. */
type Played = readonly [got: string, ...allowed: string[]];
const nothing: Played = ['', ''];

/** Chooses one of a list by the next number of the move; ids are drawn at random. */
interface Choice {
  <One>(first: One, ...others: One[]): One;
  readonly of: <One>(list: readonly One[]) => One | undefined;
}

type Play = (run: MoneyRun, choose: Choice) => Played;

/** A move that is about a payment; there may be none yet. */
const about =
  (play: (run: MoneyRun, payment: Payment, choose: Choice) => Played): Play =>
  (run, choose) => {
    const payment = choose.of(run.books.payments);
    return payment === undefined ? nothing : play(run, payment, choose);
  };

/** Minor units: the smallest, two usual ones, and one of each magic kind that moves money. */
const magic = [990_051, 990_151, 990_200, 990_201, 990_301, 990_500, 990_501, 990_603, 990_801];
const amountOf = (choose: Choice) => choose(1, 11_500, 11_500, 4999, 990_802, ...magic);

/** Cards that approve, decline, challenge, hang and fail. */
const approving = '4201320111111010';
const modes = ['9682990151000005', '9682990300000005', '9682990600000002', '9682990200000006'];
const others = ['4111111111111111', '4201320000311101', '4508750015741019', ...modes];
const cardOf = (choose: Choice) => choose(approving, approving, approving, approving, ...others);

/** Around every limit: settlement, challenge, pending payment, session, token. */
const limits = [48 * hourMs - 1, 48 * hourMs, 8760 * hourMs];
const waitOf = (choose: Choice) => choose(1, 1999, 2000, 60_000, 599_999, 600_000, ...limits);

/** How much of what there is; the last is one minor unit more than all of it. */
const partOf = (choose: Choice, whole: number) =>
  choose(1, Math.max(Math.floor(whole / 2), 1), Math.max(whole, 1), whole + 1);

/** Now and then an id is asked for that no transaction has. */
const isKnown = (choose: Choice) => choose(true, true, true, false);

const otps = ['123456', '123456', '000000', '111111', '222222'].map((otp) => ({ otp }));

const often = (weight: number, play: Play) => [weight, play] as const;

/** The moves, each with how often it is made. */
const moves: Readonly<Record<string, ReturnType<typeof often>>> = {
  link: often(4, (run, choose) => {
    const { books } = run;
    const order = `order-${choose(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)}`;
    const amount = amountOf(choose);
    const isTaken = books.sessions.some((other) => other.order === order);
    const request = requestOf(order, amount);
    const reply = run.execute({ kind: 'create-link', environment: 'staging', request });
    if (reply.kind === 'created') {
      const expiresAt = books.now + 48 * hourMs;
      books.sessions.push({ id: reply.session.id, amount, order, expiresAt });
    }
    return [reply.kind, isTaken ? 'order-id-taken' : 'created'];
  }),
  pay: often(7, (run, choose) => {
    const session = choose.of(run.books.sessions);
    const card = cardOf(choose);
    const formKey = choose(null, null, '0', '1');
    const form = formKey === null ? null : `${formKey} ${card}`;
    const allowed = repliesToPay(run, session, form);
    const means = { kind: 'card', entry: entryOf(card) } as const;
    const sessionId = session?.id ?? 'unknown';
    const reply = run.execute({ kind: 'pay', sessionId, means, choice: null, formKey });
    if (reply.kind === 'decided' && session !== undefined) {
      run.add(reply.transaction, { session, amount: session.amount, form });
    }
    return [reply.kind, ...allowed];
  }),
  sale: often(5, (run, choose) => {
    const recurringInit = choose('Y' as const, 'N' as const);
    const card = cardOf(choose);
    run.sell(choose('Y', 'Y', 'N'), amountOf(choose), { card, recurringInit });
    return nothing;
  }),
  charge: often(
    3,
    about((run, origin, choose) => {
      const owner = choose.of(run.books.payments) ?? origin;
      const amountMinor = amountOf(choose);
      const fault = run.books.tokenFault(origin, owner);
      const reply = run.execute<'charge-recurring'>({
        kind: 'charge-recurring',
        ...nameOf(origin.id),
        recurringToken: owner.token ?? 'none',
        amountMinor,
        order: { number: 'charge', currency: 'SAR' },
      });
      if (reply.kind === 'decided') run.add(reply.transaction, { amount: amountMinor });
      return [reply.kind === 'declined' ? reply.reason : reply.kind, fault ?? 'decided'];
    }),
  ),
  capture: often(
    4,
    about((run, payment, choose) => {
      const amountMinor = partOf(choose, payment.amount);
      const known = isKnown(choose);
      const fault = authorizationFault(payment);
      const name = nameOf(known ? payment.id : 'none');
      const { kind } = run.execute({ kind: 'capture', ...name, amountMinor });
      if (!known) return [kind, 'unknown-transaction'];
      if (fault !== null) return [kind, fault];
      return amountMinor > payment.amount
        ? [kind, 'above-authorized']
        : [kind, 'accepted', 'declined'];
    }),
  ),
  void: often(
    2,
    about((run, payment, choose) => {
      const known = isKnown(choose);
      const fault = authorizationFault(payment);
      const isTaken = fault === 'no-authorization' && payment.captured > 0;
      const { kind } = run.execute({ kind: 'void', ...nameOf(known ? payment.id : 'none') });
      if (!known) return [kind, 'unknown-transaction'];
      return [kind, isTaken ? 'already-captured' : (fault ?? 'accepted')];
    }),
  ),
  refund: often(
    7,
    about((run, payment, choose) => {
      const left = refundable(payment);
      const amountMinor = partOf(choose, left);
      const { id, paymentId } = payment;
      const session = run.tenant.transactions.get(id)?.session.id ?? '';
      const named = choose(id, id, id, session, paymentId, 'none');
      const reply = run.execute({ kind: 'refund', ...nameOf(named), amountMinor });
      if (reply.kind === 'accepted') run.books.addRefund(payment, reply.entry.id, amountMinor);
      if (named !== id) return [reply.kind, 'unknown-transaction'];
      if (payment.captured === 0) return [reply.kind, 'nothing-taken'];
      return [reply.kind, amountMinor > left ? 'above-balance' : 'accepted'];
    }),
  ),
  'end-refund': often(
    1,
    about((run, payment, choose) => {
      const [refundId, last] = [...payment.refunds].at(-1) ?? [];
      if (refundId === undefined) return nothing;
      const expected = last?.result === 'pending' ? 'ended' : 'already-ended';
      const succeeds = choose(true, false);
      return [run.execute({ kind: 'end-refund', refundId, succeeds }).kind, expected];
    }),
  ),
  arm: often(2, (run, choose) => {
    const operation = choose(null, ...armableOperations);
    const outcome = choose<Outcome>('approve', 'decline:51');
    run.execute({ kind: 'arm-next', operation, outcome, merchantOrderId: null });
    return nothing;
  }),
  answer: often(
    5,
    about((run, payment, choose) => {
      const challengeId = payment.challengeId ?? 'unknown';
      const answer = choose<ChallengeAction>({ action: 'fail' }, { action: 'cancel' }, ...otps);
      const command = { kind: 'answer-challenge', challengeId, ...answer } as const;
      const times = choose(1, 1, 3);
      const replies = Array.from({ length: times }, () => run.execute<'answer-challenge'>(command));
      const expected = payment.challengeId === null ? 'unknown-challenge' : 'answered';
      return [replies[0]?.kind ?? '', expected];
    }),
  ),
  revoke: often(
    1,
    about((run, payment) => {
      if (payment.token === null) return nothing;
      payment.isRevoked = true;
      run.execute({ kind: 'revoke-token', recurringToken: payment.token });
      return nothing;
    }),
  ),
  wait: often(5, (run, choose) => {
    run.books.now += waitOf(choose);
    return nothing;
  }),
  expire: often(1, (run, choose) => {
    const { books } = run;
    const session = choose.of(books.sessions);
    if (session === undefined) return nothing;
    const isPaid = books.paidBy(session) !== null;
    if (!isPaid) session.expiresAt = Math.min(session.expiresAt, books.now);
    const { kind } = run.execute({ kind: 'expire-session', sessionId: session.id });
    return [kind, isPaid ? 'already-paid' : 'expired'];
  }),
};

function repliesToPay({ books }: MoneyRun, session: Session | undefined, form: string | null) {
  if (session === undefined) return ['unknown-session'];
  const isRepeat = (one: Payment) => one.session === session && one.form === form;
  if (form !== null && books.payments.some(isRepeat)) return ['repeated'];
  if (books.paidBy(session) !== null) return ['already-paid'];
  return books.now < session.expiresAt ? ['decided', 'cut'] : ['expired'];
}

function choiceBy(numbers: readonly number[]): Choice {
  const left = [...numbers];
  const of = <One>(list: readonly One[]) => list[(left.shift() ?? 0) % Math.max(list.length, 1)];
  const one = <One>(first: One, ...rest: One[]) => of([first, ...rest]) ?? first;
  return Object.assign(one, { of });
}

export interface Move {
  readonly kind: string;
  readonly play: (run: MoneyRun) => Played;
}

const kinds = Object.entries(moves).flatMap(([kind, [weight, play]]) =>
  Array.from({ length: weight }, () => ({ kind, play })),
);

/** Sequences of moves. */
export const sequences: fc.Arbitrary<Move[]> = fc.array(
  fc
    .record({
      move: fc.constantFrom(...kinds),
      numbers: fc.array(fc.nat(9999), { minLength: 5, maxLength: 5 }),
    })
    .map(({ move: { kind, play }, numbers }) => ({
      kind,
      numbers,
      play: (run) => play(run, choiceBy(numbers)),
    })),
  { minLength: 4, maxLength: 24, size: 'max' },
);
