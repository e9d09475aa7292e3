import fc from 'fast-check';
import type { GatewayEvent } from '../domain/events.ts';
import { statusRows } from '../domain/ledger.ts';
import { findTestCard, type Outcome } from '../domain/outcome.ts';
import type { ChallengeAction } from '../domain/pay.ts';
import { step, type Command, type CommandKind, type Reply } from '../domain/step.ts';
import { armableOperations, newTenant } from '../domain/tenant.ts';
import type { Session, Transaction } from '../domain/transaction.ts';

/** When a run begins. */
export const start = Date.UTC(2030, 0, 1);
const hourMs = 3_600_000;

/** One payment as a merchant knows it; of the core's record only what never changes is read. */
interface Payment extends Pick<Transaction, 'id' | 'paymentId' | 'challenge'> {
  readonly token: string | null;
  readonly session: Session | null;
  readonly isAuthorization: boolean;
  readonly amount: number;
  readonly createdAt: number;
  readonly form: string | null;
  isRevoked: boolean;
}

type Facts = ReturnType<MoneyRun['count']>;

/**
 * The core with one tenant, and the books of a merchant who believes its replies and events, and
 * counts the money anew: no ledger and no timers.
 */
export class MoneyRun {
  now = start;
  readonly tenant = newTenant();
  readonly sessions: { readonly session: Session; endsAt: number }[] = [];
  readonly payments: Payment[] = [];
  /** The events, by the payments' ids. */
  readonly #events = new Map<string, GatewayEvent[]>();
  /** The facts that were counted since the last event, by the payments' ids. */
  readonly #facts = new Map<string, Facts>();
  /** The refunds that were accepted. */
  readonly #refunds: { id: string; of: string; amount: number; dueAt: number }[] = [];
  readonly #state = new Map([['default', this.tenant]]);
  #drawn = 0;

  execute<Kind extends CommandKind>(
    command: { kind: Kind } & Omit<Command<Kind>, 'tenant' | 'kind'>,
  ): Reply<Kind> {
    // Ids count up, so that of two things of one instant the older one comes first.
    const draw = () => String((this.#drawn += 1)).padStart(12, '0');
    const random = { uuid: () => `id-${draw()}`, digits: (count: number) => draw().slice(-count) };
    const whole = { ...command, tenant: 'default' } as unknown as Command<Kind>;
    const { reply, effects } = step(this.#state, whole, this.now, () => random);
    for (const effect of effects) if (effect.kind === 'webhook-event') this.#book(effect.event);
    return reply;
  }

  /** Books an event, which is about one entry of the ledger, and comes once. */
  #book(event: GatewayEvent): void {
    const { id, transactionId, entryId, amountMinor } = event;
    const { entries } = this.tenant.transactions.get(transactionId) ?? { entries: [] };
    const entry = entries.find((one) => one.id === entryId);
    same(`the amount of ${id}`, amountMinor, entry?.amountMinor);
    const known = this.#events.get(transactionId) ?? [];
    same(`an event ${id} before`, known.find((one) => one.id === id)?.id, undefined);
    this.#events.set(transactionId, [...known, event]);
    this.#facts.delete(transactionId);
  }

  later(ms: number): void {
    this.now += ms;
    this.execute({ kind: 'tick' });
  }

  /** Makes a sale and books it; null: the connection was cut before it. */
  sell(auth: 'Y' | 'N', amount: number, card = approving, recurringInit: 'Y' | 'N' = 'Y') {
    const request = { ...requestOf('sale', amount), auth, recurringInit };
    const sale = { kind: 'sale', environment: 'staging', request, entry: entryOf(card) } as const;
    const reply = this.execute(sale);
    if (reply.kind === 'cut') return null;
    this.addPayment(reply.transaction, { amount, isAuthorization: auth === 'Y' });
    return reply.transaction;
  }

  addPayment(
    { id, paymentId, challenge, recurringToken: token }: Transaction,
    about: Pick<Payment, 'amount'> & Partial<Payment>,
  ): void {
    const usual = { session: null, isAuthorization: false, form: null, isRevoked: false };
    const createdAt = this.now;
    this.payments.push({ id, paymentId, challenge, token, createdAt, ...usual, ...about });
  }

  addRefund(of: string, id: string, amount: number): void {
    this.#refunds.push({ id, of, amount, dueAt: this.now + 2000 });
    this.#facts.delete(of);
  }

  /** What the events say of a payment's money. */
  factsOf(payment: Payment): Facts {
    const facts = this.#facts.get(payment.id) ?? this.count(payment);
    this.#facts.set(payment.id, facts);
    return facts;
  }

  count({ id, amount, isAuthorization }: Payment) {
    const own = this.#events.get(id) ?? [];
    const sum = (type: GatewayEvent['type'], wanted: GatewayEvent['status']): number =>
      own
        .filter((one) => one.type === type && one.status === wanted)
        .reduce((total, { amountMinor }) => total + amountMinor, 0);
    const type = isAuthorization ? 'Authorization' : 'Purchase';
    const isApproved = sum(type, 'Approved') === amount;
    const captured = isAuthorization ? sum('Capture', 'Approved') : sum(type, 'Approved');
    const pending = this.#refunds.filter(
      (one) => one.of === id && !own.some(({ entryId }) => entryId === one.id),
    );
    const refunded = sum('Refund', 'Approved');
    const refunds = own.filter((one) => one.type === 'Refund');
    return {
      isApproved,
      isDeclined: sum(type, 'Declined') > 0,
      isVoided: sum('Void', 'Approved') > 0,
      captured,
      refunded,
      pending,
      /** The ids of its refunds that were reported. */
      ended: refunds.map(({ entryId }) => entryId),
      refundable: pending.reduce((left, one) => left - one.amount, captured - refunded),
    };
  }

  /** The payment that paid a session; a sale has none. */
  paidBy(session: Session | null): Payment | undefined {
    if (session === null) return undefined;
    const isOf = (one: Payment) => one.session === session && this.factsOf(one).captured > 0;
    return this.payments.find(isOf);
  }

  /** Throws where a status row, a session or a due refund departs from the books. */
  compare(where: string): void {
    for (const payment of this.payments) {
      const readings = { sameId: false, asksFor: 'either', forgets: false, lagMs: 0 } as const;
      const query = { environment: 'staging', id: payment.id, now: this.now, ...readings } as const;
      const row = new Map<string, unknown>(
        Object.entries(statusRows(this.tenant, query)?.[0] ?? {}),
      );
      for (const [name, value] of Object.entries(this.#rowOf(payment))) {
        same(`${where}: ${name} of ${payment.id}`, row.get(name), value);
      }
      const overdue = this.factsOf(payment).pending.filter(({ dueAt }) => dueAt <= this.now);
      same(`${where}: overdue refunds of ${payment.id}`, overdue.length, 0);
    }
    for (const { session } of this.sessions) {
      same(`${where}: ${session.id} is paid by`, session.paidBy?.id, this.paidBy(session)?.id);
    }
  }

  #rowOf(payment: Payment): Record<string, string> {
    const { isDeclined, isVoided, captured, refunded } = this.factsOf(payment);
    const status = isDeclined || isVoided ? 'FAILED' : captured > 0 ? 'SUCCESS' : 'PENDING';
    return {
      amount: decimal(captured > 0 ? captured : payment.amount),
      transactionStatus: status,
      paymentStatus: { FAILED: 'DECLINED', SUCCESS: 'APPROVED', PENDING: 'PENDING' }[status],
      refundStatus: refunded === 0 ? 'NONE' : refunded === captured ? 'FULL' : 'PARTIAL',
      totalRefundAmount: decimal(refunded),
    };
  }

  /** Why no amount is held, or null. */
  authorizationFault(payment: Payment): string | null {
    const { captured, isVoided, isApproved } = this.factsOf(payment);
    if (!payment.isAuthorization) return 'no-authorization';
    if (captured > 0) return 'already-captured';
    if (isVoided) return 'voided';
    return isApproved ? null : 'not-authorized';
  }

  /** Why the token of a payment charges nothing in the name of another one, or null. */
  tokenFault(origin: Payment, { token }: Payment): string | null {
    const { isApproved, isVoided } = this.factsOf(origin);
    const isGood = token !== null && origin.token === token && isApproved && !isVoided;
    if (!isGood) return 'Invalid token';
    if (origin.isRevoked) return 'Token was revoked';
    return this.now >= origin.createdAt + 8760 * hourMs ? 'Token has expired' : null;
  }

  /** What a payment of a session may be answered with. */
  repliesToPay(sessionId: string, form: string | null): string[] {
    const known = this.sessions.find(({ session }) => session.id === sessionId);
    if (known === undefined) return ['unknown-session'];
    const isRepeat = (one: Payment) => one.session === known.session && one.form === form;
    if (form !== null && this.payments.some(isRepeat)) return ['repeated'];
    if (this.paidBy(known.session) !== undefined) return ['already-paid'];
    return this.now < known.endsAt ? ['decided', 'cut'] : ['expired'];
  }
}

const decimal = (minor: number): string => (minor / 100).toFixed(2);

export function same(what: string, got: unknown, expected: unknown): void {
  if (got === expected) return;
  throw new Error(`${what} is ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`);
}

function entryOf(number: string) {
  const card = findTestCard(number);
  if (card === null) throw new Error('A move uses a card that the core does not know.');
  return { card, cvvDeclines: false, goodUntil: Number.MAX_SAFE_INTEGER };
}

function requestOf(merchantOrderId: string, amountMinor: number) {
  const addresses = { successUrl: 'https://shop.example/s', failureUrl: 'https://shop.example/f' };
  const customer = { customerName: null, customerKey: null };
  return { merchantOrderId, amountMinor, currency: 'SAR', ...customer, ...addresses };
}

export function nameOf(transactionId: string) {
  return { environment: 'staging', sameId: false, transactionId } as const;
}

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
    const payment = choose.of(run.payments);
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

const moves = {
  link: (run, choose) => {
    const order = `order-${choose(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)}`;
    const isTaken = run.sessions.some(({ session }) => session.merchantOrderId === order);
    const request = requestOf(order, amountOf(choose));
    const reply = run.execute({ kind: 'create-link', environment: 'staging', request });
    if (reply.kind === 'created') {
      run.sessions.push({ session: reply.session, endsAt: run.now + 48 * hourMs });
    }
    return [reply.kind, isTaken ? 'order-id-taken' : 'created'];
  },
  pay: (run, choose) => {
    const { session } = choose.of(run.sessions) ?? {};
    const card = cardOf(choose);
    const formKey = choose(null, null, '0', '1');
    const form = formKey === null ? null : `${formKey} ${card}`;
    const sessionId = session?.id ?? 'unknown';
    const allowed = run.repliesToPay(sessionId, form);
    const means = { kind: 'card', entry: entryOf(card) } as const;
    const reply = run.execute({ kind: 'pay', sessionId, means, choice: null, formKey });
    if (reply.kind === 'decided' && session !== undefined) {
      run.addPayment(reply.transaction, { session, amount: session.amountMinor, form });
    }
    return [reply.kind, ...allowed];
  },
  sale: (run, choose) => {
    const recurringInit = choose('Y' as const, 'N' as const);
    const card = cardOf(choose);
    run.sell(choose('Y', 'Y', 'N'), amountOf(choose), card, recurringInit);
    return nothing;
  },
  charge: about((run, origin, choose) => {
    const owner = choose.of(run.payments) ?? origin;
    const amountMinor = amountOf(choose);
    const fault = run.tokenFault(origin, owner);
    const reply = run.execute<'charge-recurring'>({
      kind: 'charge-recurring',
      ...nameOf(origin.id),
      recurringToken: owner.token ?? 'none',
      amountMinor,
      order: { number: 'charge', currency: 'SAR' },
    });
    if (reply.kind === 'decided') run.addPayment(reply.transaction, { amount: amountMinor });
    return [reply.kind === 'declined' ? reply.reason : reply.kind, fault ?? 'decided'];
  }),
  capture: about((run, payment, choose) => {
    const amountMinor = partOf(choose, payment.amount);
    const known = isKnown(choose);
    const fault = run.authorizationFault(payment);
    const name = nameOf(known ? payment.id : 'none');
    const { kind } = run.execute({ kind: 'capture', ...name, amountMinor });
    if (!known) return [kind, 'unknown-transaction'];
    if (fault !== null) return [kind, fault];
    return amountMinor > payment.amount
      ? [kind, 'above-authorized']
      : [kind, 'accepted', 'declined'];
  }),
  void: about((run, payment, choose) => {
    const known = isKnown(choose);
    const fault = run.authorizationFault(payment);
    const isTaken = fault === 'no-authorization' && run.factsOf(payment).captured > 0;
    const { kind } = run.execute({ kind: 'void', ...nameOf(known ? payment.id : 'none') });
    if (!known) return [kind, 'unknown-transaction'];
    return [kind, isTaken ? 'already-captured' : (fault ?? 'accepted')];
  }),
  refund: about((run, payment, choose) => {
    const { refundable: left, captured } = run.factsOf(payment);
    const amountMinor = partOf(choose, left);
    const { id, paymentId } = payment;
    const session = run.tenant.transactions.get(id)?.session.id ?? '';
    const named = choose(id, id, id, session, paymentId, 'none');
    const reply = run.execute({ kind: 'refund', ...nameOf(named), amountMinor });
    if (reply.kind === 'accepted') run.addRefund(id, reply.entry.id, amountMinor);
    if (named !== id) return [reply.kind, 'unknown-transaction'];
    if (captured === 0) return [reply.kind, 'nothing-taken'];
    return [reply.kind, amountMinor > left ? 'above-balance' : 'accepted'];
  }),
  'end-refund': about((run, payment, choose) => {
    const { pending, ended } = run.factsOf(payment);
    const refundId = choose.of([...pending.map(({ id }) => id), ...ended]);
    if (refundId === undefined) return nothing;
    const expected = ended.includes(refundId) ? 'already-ended' : 'ended';
    const succeeds = choose(true, false);
    return [run.execute({ kind: 'end-refund', refundId, succeeds }).kind, expected];
  }),
  arm: (run, choose) => {
    const operation = choose(null, ...armableOperations);
    const outcome = choose<Outcome>('approve', 'decline:51');
    run.execute({ kind: 'arm-next', operation, outcome, merchantOrderId: null });
    return nothing;
  },
  answer: about((run, payment, choose) => {
    const challengeId = payment.challenge?.id ?? 'unknown';
    const answer = choose<ChallengeAction>({ action: 'fail' }, { action: 'cancel' }, ...otps);
    const command = { kind: 'answer-challenge', challengeId, ...answer } as const;
    const times = choose(1, 1, 3);
    const replies = Array.from({ length: times }, () => run.execute<'answer-challenge'>(command));
    const expected = payment.challenge === null ? 'unknown-challenge' : 'answered';
    return [replies[0]?.kind ?? '', expected];
  }),
  revoke: about((run, payment) => {
    if (payment.token === null) return nothing;
    payment.isRevoked = true;
    run.execute({ kind: 'revoke-token', recurringToken: payment.token });
    return nothing;
  }),
  wait: (run, choose) => {
    run.now += waitOf(choose);
    return nothing;
  },
  expire: (run, choose) => {
    const known = choose.of(run.sessions);
    if (known === undefined) return nothing;
    const isPaid = run.paidBy(known.session) !== undefined;
    if (!isPaid) known.endsAt = Math.min(known.endsAt, run.now);
    const { kind } = run.execute({ kind: 'expire-session', sessionId: known.session.id });
    return [kind, isPaid ? 'already-paid' : 'expired'];
  },
} satisfies Readonly<Record<string, Play>>;

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

/** The moves by how often they are made. */
const weights: Readonly<Record<number, readonly (keyof typeof moves)[]>> = {
  1: ['end-refund', 'revoke', 'expire'],
  2: ['void', 'arm'],
  3: ['charge'],
  4: ['link', 'capture'],
  5: ['sale', 'answer', 'wait'],
  7: ['pay', 'refund'],
};

const kinds = Object.entries(weights).flatMap(([weight, names]) =>
  names.map((kind) => ({
    weight: Number(weight),
    arbitrary: fc.array(fc.nat(9999), { minLength: 5, maxLength: 5 }).map((numbers) => ({
      kind,
      numbers,
      play: (run: MoneyRun): Played => moves[kind](run, choiceBy(numbers)),
    })),
  })),
);

/** Sequences of moves. */
export const sequences: fc.Arbitrary<Move[]> = fc.array(fc.oneof(...kinds), {
  minLength: 4,
  maxLength: 24,
  size: 'max',
});
