import { transactionKey } from '../../src/ids.ts';
import { decimalOf, sameMoney } from '../../src/money.ts';
import {
  hasMoney,
  type LedgerRow,
  type Operation,
  type PaymentRecord,
} from '../../src/payments/record.ts';
import type { History } from '../../src/stores/store.ts';
import { ORDER_IDS, type OrderId } from './history.ts';
import { hold } from './hold.ts';
import { isAccepted } from './log-rules.ts';
import type { Shipment } from './world.ts';
import { APPROVER, WITHDRAWN } from './history.ts';
import type { SimulatedGateway } from '../simulated-gateway.ts';
import type { SeenPost, SimulatedTransaction } from '../simulated-transactions.ts';
import type { StatusReadings } from '../../src/flows/confirm/ask.ts';
import { type Attempt, isEndedByTime, SESSION_LIFETIME_MS } from '../../src/payments/attempt.ts';
import { isOffered } from '../../src/payments/link-decision.ts';
import { BY_EVIDENCE } from '../../src/payments/record.ts';

/** What is held against the rules. */
export interface Watched extends WatchedLinks {
  readonly shipped: readonly Shipment[];
  record(orderId: OrderId): Promise<PaymentRecord | null>;
  history(orderId: OrderId): Promise<History>;
}

/** Holds a shop against what must hold after every step; knows how it stood before. */
export class Invariants {
  readonly #watched: Watched;
  /** How many calls that move money were looked at. */
  #posts = 0;
  readonly #former = new Map<OrderId, PaymentRecord>();

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  async check(): Promise<void> {
    const { gateway, shipped } = this.#watched;
    const owners = new Map<string, string>();
    for (const id of ORDER_IDS) {
      const record = await this.#watched.record(id);
      const ships = shipped.filter(({ orderId }) => orderId === id);
      if (record === null) {
        hold(ships.length === 0, 'I1: nothing ships without a record', id);
        continue;
      }
      for (const { transactionId } of record.ledger) {
        const key = transactionKey(transactionId);
        hold(!owners.has(key), 'I3: a transaction belongs to one order, once', record);
        owners.set(key, id);
      }
      const former = this.#former.get(id);
      // Most writes only set the time of the next status check.
      if (former !== record) {
        this.#paidOnce(record, ships);
        if (former !== undefined) forwards(former, record);
        linksHold(former, record, this.#watched);
        withinBounds(record);
        chargesHold(record, gateway);
        this.#former.set(id, record);
      }
    }
    const { posts } = gateway.transactions;
    if (posts.length > this.#posts) {
      const operations = [...this.#former.values()].flatMap((record) => record.operations);
      operationsHold(posts.slice(this.#posts), operations);
      postsHold(gateway);
      this.#posts = posts.length;
    }
    hold(gateway.strangeIds.length === 0, 'I7: only ids of our store are sent', gateway.strangeIds);
  }

  /** Paid at most once, and only by what the gateway approved for this order. */
  #paidOnce(record: PaymentRecord, ships: readonly Shipment[]): void {
    const { payment, ledger, attempts } = record;
    const base = ledger.filter(({ kind }) => kind === 'payment' || kind === 'late');
    hold(base.length === (hasMoney(payment.state) ? 1 : 0), 'I2: one paid row, or none', record);
    const shipping = base.filter(({ kind, attemptNumber }) => {
      const attempt = attempts.find(({ number }) => number === attemptNumber);
      return kind === 'payment' && attempt?.kind !== 'authorization';
    });
    hold(ships.length === shipping.length, 'I2: ships exactly when it is paid', [ships, record]);
    for (const row of base) {
      const isMeant =
        ships.every(({ isAtPrice }) => isAtPrice) || isAccepted(record.reviews, row.transactionId);
      hold(isMeant, 'I1: ships at the price of the order, or as a person accepted', [
        ships,
        record,
      ]);
      this.#approved(record, row);
    }
  }

  #approved(record: PaymentRecord, row: LedgerRow): void {
    const { payment, attempts } = record;
    const session = [...this.#watched.gateway.sessions.values()].find((one) =>
      one.transactions.some((transaction) => transaction.id === row.transactionId),
    );
    const own = session?.transactions.find((one) => one.id === row.transactionId);
    const attempt = attempts.find(({ number }) => number === row.attemptNumber);
    const asked = attempt?.sessionId ?? attempt?.transactionId;
    const accepted =
      attempt?.kind === 'authorization' ? /held|captured|voided|reversed/ : /captured|reversed/;
    const isWhole = session?.amount === decimalOf(payment.amount.minorUnits);
    hold(
      session?.orderId === payment.orderId &&
        (isWhole || isAccepted(record.reviews, row.transactionId)) &&
        own?.authorizedMinorUnits === payment.amount.minorUnits &&
        accepted.test(own.state) &&
        (asked === session.id || asked === own.id),
      'I1: paid only by what the gateway approved, for this order and amount',
      [record, session],
    );
  }
}

/** How an outcome may become known: by evidence, a person, the late answer, or a process that had sent nothing. */
const founded =
  /^(?:evidence|seen on the dashboard|accepted|declined|invalid_request|interrupted)$/;

/** Nothing that is certain is taken back. */
function forwards(former: PaymentRecord, { payment, operations }: PaymentRecord): void {
  const before = former.payment;
  const isForward =
    payment.refundedMinorUnits >= before.refundedMinorUnits &&
    payment.capturedMinorUnits >= before.capturedMinorUnits &&
    (!hasMoney(before.state) ||
      (hasMoney(payment.state) && payment.transactionId === before.transactionId));
  hold(isForward, 'I4: what is paid, captured and refunded never shrinks', [before, payment]);
  for (const operation of former.operations) {
    const now = operations.find(({ id }) => id === operation.id);
    proposalHolds(operation, now);
    // A process that stood still may send what a person, or a status, called failed: the acceptance counts, or is news.
    const isCalled = operation.state === 'failed' && operation.reason === 'seen on the dashboard';
    const isTaken = isCalled && (now?.state === 'pending' || now?.state === 'succeeded');
    const isCorrected = isTaken || now?.reason === 'contradicting_words';
    const isOver = /^(?:succeeded|failed)$/.test(operation.state) && !isCorrected;
    hold(!isOver || now?.state === operation.state, 'I15: what is known stays', [operation, now]);
    const isLearnt = operation.state === 'unknown' && now?.state !== 'unknown';
    const hasReason = now?.reference !== null || founded.test(now.reason ?? '');
    hold(!isLearnt || hasReason, 'I15: an unknown outcome stays unknown', [operation, now]);
  }
}

/** One POST per operation, ever; each has an amount or a name of its own. */
export function postsHold({ transactions: { posts, charges } }: SimulatedGateway): void {
  // A void has no amount, so that one that may follow a failed one would share its name.
  const names = posts
    .filter(({ operation }) => operation !== 'void' && operation !== 'chargeRecurring')
    .map(({ operation, transactionId, minorUnits }) =>
      operation === 'sale' ? transactionId : `${operation} ${transactionId} ${minorUnits}`,
    );
  hold(new Set(names).size === names.length, 'I9: one POST per operation', names);
  hold(new Set(charges).size === charges.length, 'I11: one charge per period', charges);
}

/** Whatever moves money was written down, and approved where it was proposed, before it was sent. */
export function operationsHold(posts: readonly SeenPost[], operations: readonly Operation[]): void {
  for (const { operation, transactionId, minorUnits } of posts) {
    if (operation !== 'refund' && operation !== 'capture') continue;
    const isKnown = operations.some(
      (one) =>
        one.kind === operation &&
        one.transactionId === transactionId &&
        one.amount.minorUnits === minorUnits &&
        one.sentAt !== null,
    );
    hold(isKnown, 'I9: an operation is stored before its POST', [
      operation,
      transactionId,
      operations,
    ]);
  }
}

/** A proposal is sent by the approval of the other person, or withdrawn. */
export function proposalHolds(former: Operation, now: Operation | undefined): void {
  if (former.state !== 'proposed') return;
  const isWithdrawn = now?.state === 'failed' && now.sentAt === null && now.reason === WITHDRAWN;
  const isApproved = now?.sentAt !== null && now?.approvedBy === APPROVER;
  const holds = now?.state === 'proposed' || isWithdrawn || isApproved;
  hold(holds, 'I9: another person approves what one proposed', [former, now]);
}

/** A charge is done if and only if the gateway's two words say so. */
export function chargesHold({ operations }: PaymentRecord, { transactions }: SimulatedGateway) {
  for (const operation of operations) {
    if (operation.kind !== 'recurring') continue;
    const isDone = transactions.isDone(operation);
    const isTrue =
      operation.state === 'succeeded' ? isDone : operation.state === 'failed' ? !isDone : true;
    hold(isTrue, 'I11: a charge is what the gateway says of it', operation);
  }
}

/** Refunds are within what was captured; capture and void exclude each other. */
export function withinBounds(record: PaymentRecord): void {
  const { payment, ledger, operations, attempts } = record;
  const live = operations.filter(({ state }) => state !== 'failed' && state !== 'proposed');
  for (const { transactionId, amount } of ledger) {
    const isBase = transactionId === payment.transactionId;
    const captured = isBase ? payment.capturedMinorUnits : amount.minorUnits;
    const refunds = live.filter(
      (one) => one.kind === 'refund' && one.transactionId === transactionId,
    );
    hold(sumOf(refunds) <= captured, 'I9: refunds are within what was captured', record);
  }
  for (const { number } of attempts) {
    const held = live.filter(
      ({ kind, attemptNumber }) =>
        attemptNumber === number && (kind === 'capture' || kind === 'void'),
    );
    hold(held.length <= 1, 'I10: capture or void, not both', record);
  }
  const { capturedMinorUnits, amount } = payment;
  hold(capturedMinorUnits <= amount.minorUnits, 'I10: captured within the amount', record);
}

/** What a refunded order's end must show: the gateway's own total, and no made refund missed. */
export function refundsFound(
  { payment, operations, reviews }: PaymentRecord,
  transaction: SimulatedTransaction | undefined,
): void {
  const made = transaction?.refunds ?? [];
  const total = made.reduce((sum, { minorUnits }) => sum + minorUnits, 0);
  // What the gateway calls failed shows no refunds that count.
  const isShown = transaction?.state !== 'reversed';
  // What went back in full before it was seen to be taken is for a person.
  const isForPerson =
    payment.capturedMinorUnits === 0 &&
    reviews.some((one) => one.reason === 'refund_contradiction' && one.resolvedAt === null);
  hold(
    !isShown || isForPerson || payment.refundedMinorUnits === total,
    'I9: the refunded total is the gateway’s',
    [made, payment],
  );
  const own = operations.filter(
    (one) => one.kind === 'refund' && one.transactionId === transaction?.id,
  );
  for (const operation of own) {
    const alike = made.filter(({ minorUnits }) => minorUnits === operation.amount.minorUnits);
    const isMade = alike.some(({ isElsewhere }) => isElsewhere !== true);
    const allowed = isMade
      ? ['succeeded', 'pending', 'unknown']
      : ['failed', 'unknown', 'proposed'];
    // A total cannot tell a refund whose answer was lost from one as great on the dashboard.
    if (!isMade && alike.length > 0) allowed.push('succeeded');
    hold(allowed.includes(operation.state), 'I9: a refund is what became of it', [operation, made]);
  }
}

const sumOf = (operations: readonly Operation[]): number =>
  operations.reduce((sum, { amount }) => sum + amount.minorUnits, 0);

/** What the rules of links are held against. */
export interface WatchedLinks {
  readonly gateway: SimulatedGateway;
  readonly timeline: { readonly now: number };
  readonly asksFor: StatusReadings['asksFor'];
}

/** Amounts are frozen (I6); one link is offered, and every link is watched (I8). */
export function linksHold(
  former: PaymentRecord | undefined,
  { payment, attempts }: PaymentRecord,
  watched: WatchedLinks,
): void {
  const { gateway } = watched;
  for (const attempt of attempts) {
    const before = former?.attempts.find(({ number }) => number === attempt.number);
    if (before === undefined) {
      isNeeded(former, attempt);
      isFounded(former, attempt, watched);
    } else
      hold(sameMoney(before.amount, attempt.amount), 'I6: an amount is frozen', [before, attempt]);
    const session = gateway.sessions.get(attempt.sessionId ?? '');
    const isTheSame =
      session === undefined ||
      (session.amount === decimalOf(attempt.amount.minorUnits) &&
        session.currency === attempt.amount.currency);
    hold(isTheSame, 'I6: amount and currency are sent as they are stored', [attempt, session]);
    const isWithdrawn = (before?.redirectUrl ?? null) !== null && attempt.redirectUrl === null;
    const wasShown = gateway.shown.has(attempt.sessionId ?? '');
    // By the program's clock: a leap that is noticed during a question gives the link more life too late.
    const isOver = payment.updatedAt >= attempt.createdAt + SESSION_LIFETIME_MS || wasShown;
    hold(!isWithdrawn || isOver, 'I8: a link that lives is not withdrawn', [before, session]);
    const isWatched = attempt.state !== 'open' || attempt.nextCheckAt !== null;
    hold(isWatched, 'I8: every open attempt is watched', attempt);
  }
}

/** Work that was held up by slow calls may use an answer that is as old as this. */
const OLDEST_ANSWER_MS = 2 * 3_600_000;

/** Before more money may be taken, the gateway has told of each link that may be paid, or a person has decided. */
function isFounded(
  former: PaymentRecord | undefined,
  attempt: Attempt,
  { gateway: { sessions, answeredAt }, timeline: { now }, asksFor }: WatchedLinks,
): void {
  if (former === undefined || attempt.kind === 'charge') return;
  // A gateway that knows transactions alone can be asked about no link that has ended.
  const isAskable = asksFor !== 'transaction';
  const mayBePaid = (one: Attempt): boolean =>
    one.state === 'open' || (isAskable && isEndedByTime(one));
  for (const other of former.attempts.filter(mayBePaid)) {
    const session = [...sessions.values()].find(({ name }) => name === other.merchantOrderId);
    const at = answeredAt.get(session?.id ?? '') ?? 0;
    const isDecided = former.reviews.some(
      ({ resolvedAt, resolution, subject }) =>
        subject.startsWith(other.merchantOrderId) &&
        resolvedAt !== null &&
        resolution !== BY_EVIDENCE,
    );
    const isKnown = at >= now - OLDEST_ANSWER_MS || isDecided;
    hold(isKnown, 'I8: no second link without an answer about the first', [other, attempt]);
  }
}

/** A new link is made only when there is none to offer; a session that took money is none. */
function isNeeded(former: PaymentRecord | undefined, attempt: Attempt): void {
  if (former === undefined || attempt.kind !== 'link') return;
  const { payment, attempts, ledger } = former;
  const current = attempts.find(({ number }) => number === payment.currentAttempt);
  const isOne =
    current === undefined ||
    !isOffered(current, attempt.createdAt) ||
    ledger.some(({ attemptNumber }) => attemptNumber === current.number) ||
    !sameMoney(current.amount, attempt.amount);
  hold(isOne, 'I8: one link is offered for an order', [current, attempt]);
}
