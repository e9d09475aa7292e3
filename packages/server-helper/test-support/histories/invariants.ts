import { transactionKey } from '../../src/ids.ts';
import { decimalOf } from '../../src/money.ts';
import { hasMoney, type LedgerRow, type PaymentRecord } from '../../src/payments/record.ts';
import type { History } from '../../src/stores/store.ts';
import { ORDER_IDS, type OrderId } from '../order-ids.ts';
import { hold } from './hold.ts';
import { linksHold, type WatchedLinks } from './link-rules.ts';
import { isAccepted } from './log-rules.ts';
import {
  chargesHold,
  operationsHold,
  postsHold,
  proposalHolds,
  withinBounds,
} from './money-rules.ts';
import type { Shipment } from './prices.ts';

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

/** How an outcome may become known: by evidence, by a person, or by the gateway's own late answer. */
const founded: ReadonlySet<string> = new Set([
  'evidence',
  'seen on the dashboard',
  'accepted',
  'declined',
  'invalid_request',
]);

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
    const isOver = operation.state === 'succeeded' || operation.state === 'failed';
    hold(!isOver || now?.state === operation.state, 'I15: what is known stays', [operation, now]);
    const isLearnt = operation.state === 'unknown' && now?.state !== 'unknown';
    const isFounded = now?.reference !== null || founded.has(now.reason ?? '');
    hold(!isLearnt || isFounded, 'I15: an unknown outcome stays unknown', [operation, now]);
  }
}
