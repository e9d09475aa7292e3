import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { attemptName, sessionId, transactionId } from '../../ids.ts';
import { replay, unwatched } from '../../payments/audit.ts';
import type { Change, LedgerRow } from '../../payments/payment-record.ts';
import type { Operation } from '../../payments/operation.ts';
import type { ConformanceCase } from './conformance-case.ts';
import {
  LEASE_MS,
  NOW,
  after,
  changeOf,
  checkAt,
  openedIn,
  paidChange,
  refundOf,
  reviewOf,
} from './orders.ts';
import { CHECK_GAP_MS, type Store } from '../store.ts';

/** Pays an opened order in the store; answers with the change that did. */
export async function paidIn(store: Store<unknown>): Promise<Change> {
  const change = paidChange(await openedIn(store), randomUUID());
  await store.commit(change);
  return change;
}

const asPayment = (row: LedgerRow): LedgerRow => ({ ...row, kind: 'payment' });

/** What every store promises about money operations, review items, dead letters and its log. */
export const moneyConformance: readonly ConformanceCase[] = [
  {
    name: 'gives back an operation as it was committed, and as it was changed',
    async check(store) {
      const paid = await paidIn(store);
      const operation = refundOf(paid, randomUUID());
      const sending = after(paid, { operations: [operation] });
      await store.commit(sending);
      assert.deepEqual((await store.load(operation.orderId))?.operations, [operation]);
      const done: Operation = {
        ...operation,
        state: 'pending',
        reference: 'r',
        updatedAt: NOW + 1,
      };
      await store.commit(after(sending, { operations: [done] }));
      assert.deepEqual((await store.load(operation.orderId))?.operations, [done]);
      assert.equal(await store.orderOfOperation(operation.id), operation.orderId);
      assert.equal(await store.orderOfOperation(randomUUID()), null);
    },
  },
  {
    name: 'never gives one operation’s id to two orders, and lets one of ten parallel ones win',
    async check(store) {
      const id = randomUUID();
      const orders = await Promise.all(Array.from({ length: 10 }, () => paidIn(store)));
      const results = await Promise.all(
        orders.map((paid) => store.commit(after(paid, { operations: [refundOf(paid, id)] }))),
      );
      const taken = results.filter(({ outcome }) => outcome === 'operation_taken');
      assert.equal(taken.length, 9);
      assert.deepEqual(taken[0], { outcome: 'operation_taken', operationId: id });
      const counts = await Promise.all(
        orders.map(
          async ({ payment }) => (await store.load(payment.orderId))?.operations.length ?? 0,
        ),
      );
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        1,
      );
    },
  },
  {
    name: 'checks an order once in the gap, however many of its links are watched',
    async check(store) {
      const opened = await openedIn(store);
      const { orderId } = opened.payment;
      const second = opened.attempts.map((one) => ({
        ...one,
        number: 2,
        merchantOrderId: attemptName(orderId, 2),
        sessionId: sessionId(randomUUID()),
      }));
      await store.commit(after(opened, { attempts: second }));
      const request = checkAt(orderId);
      const checks = await Promise.all(
        Array.from({ length: 10 }, () => store.beginStatusCheck(request)),
      );
      const taken = checks.flatMap((check) => check?.taken?.number ?? []);
      assert.deepEqual(taken, [2]);
      assert.equal((await store.beginStatusCheck({ ...request, attemptNumber: 1 }))?.taken, null);
      const next = await store.beginStatusCheck({ ...request, now: NOW + CHECK_GAP_MS });
      assert.equal(next?.taken?.number, 1, 'each has its turn');
    },
  },
  {
    name: 'keeps when an attempt was checked through a change that knew nothing of the check',
    async check(store) {
      const opened = await openedIn(store);
      const request = checkAt(opened.payment.orderId);
      await store.beginStatusCheck(request);
      await store.commit(after(opened, { attempts: opened.attempts }));
      const early = await store.beginStatusCheck({ ...request, now: NOW + 1 });
      assert.equal(early?.taken, null);
    },
  },
  {
    name: 'watches a paid attempt while a money operation on it waits for evidence',
    async check(store) {
      const opened = await openedIn(store);
      const paid = paidChange(opened, randomUUID());
      const checkAgainAt = NOW + 5_000;
      const attempts = opened.attempts.map((one) => ({
        ...one,
        state: 'succeeded' as const,
        nextCheckAt: checkAgainAt,
      }));
      await store.commit({ ...paid, attempts });
      const { orderId } = paid.payment;
      const due = await store.claimDue(checkAgainAt, 1_000, LEASE_MS);
      assert.ok(due.some((one) => one.orderId === orderId && one.attemptNumber === 1));
      const check = await store.beginStatusCheck({ ...checkAt(orderId), now: checkAgainAt });
      assert.ok(check?.taken);
      await store.endStatusCheck(check.taken, null, checkAgainAt);
      const [attempt] = (await store.load(orderId))?.attempts ?? [];
      assert.equal(attempt?.state, 'succeeded');
      assert.equal(attempt.nextCheckAt, null);
    },
  },
  {
    name: 'takes over how much of a transaction was refunded, and never another order’s',
    async check(store) {
      const [paid, other] = [await paidIn(store), await paidIn(store)];
      const ledger = paid.ledger.map((row) => ({ ...row, refundedMinorUnits: 2_000 }));
      const refunded = after(paid, { ledger });
      assert.equal((await store.commit(refunded)).outcome, 'committed');
      assert.deepEqual((await store.load(paid.payment.orderId))?.ledger, ledger);
      const { orderId } = other.payment;
      const stolen = ledger.map((row) => ({ ...row, orderId, refundedMinorUnits: 3_000 }));
      const result = await store.commit(after(other, { ledger: stolen }));
      assert.equal(result.outcome, 'transaction_taken');
      assert.deepEqual((await store.load(paid.payment.orderId))?.ledger, ledger);
      assert.deepEqual((await store.load(other.payment.orderId))?.ledger, other.ledger);
    },
  },
  {
    name: 'makes a discrepancy the payment, when a person accepts it, and holds it to be one',
    async check(store) {
      const opened = await openedIn(store);
      const paid = paidChange(opened, randomUUID());
      const [row] = paid.ledger;
      assert.ok(row);
      const amount = { minorUnits: 10_000, currency: 'SAR' } as const;
      const other = { ...row, transactionId: transactionId(randomUUID()) };
      const found = [row, other].map((one) => ({ ...one, kind: 'discrepancy' as const, amount }));
      const reviewed = { ...paid, payment: { ...opened.payment, version: paid.payment.version } };
      await store.commit({ ...reviewed, ledger: found, events: [] });
      const accepted = after(paid, { ledger: found.slice(0, 1).map(asPayment) });
      assert.equal((await store.commit(accepted)).outcome, 'committed');
      const { orderId } = paid.payment;
      const kinds = async () =>
        new Map((await store.load(orderId))?.ledger.map((one) => [one.transactionId, one.kind]));
      assert.equal((await kinds()).get(row.transactionId), 'payment');
      assert.equal((await kinds()).get(other.transactionId), 'discrepancy');
      await assert.rejects(
        store.commit(after(accepted, { ledger: found.slice(1).map(asPayment) })),
      );
      assert.equal((await kinds()).get(other.transactionId), 'discrepancy');
    },
  },
  {
    name: 'lists review items until they are resolved',
    async check(store) {
      const paid = await paidIn(store);
      const { orderId } = paid.payment;
      const item = reviewOf(paid, 'duplicate_charge');
      const asked = after(paid, { reviews: [item] });
      await store.commit(asked);
      const own = async () =>
        (await store.openReviews(1_000)).filter((one) => one.orderId === orderId);
      assert.deepEqual(await own(), [item]);
      const resolved = { ...item, resolvedAt: NOW + 1, resolution: 'by hand', resolvedBy: 'Noura' };
      await store.commit(after(asked, { reviews: [resolved] }));
      assert.deepEqual(await own(), []);
      assert.deepEqual((await store.load(orderId))?.reviews, [resolved]);
    },
  },
  {
    name: 'gives back that a stopped order is to be reopened',
    async check(store) {
      const { payment } = await paidIn(store);
      const state = 'review' as const;
      const stopped = { ...payment, state, reopens: true, version: payment.version + 1 };
      await store.commit(changeOf(stopped, {}));
      assert.deepEqual((await store.load(payment.orderId))?.payment, stopped);
    },
  },
  {
    name: 'keeps a dead letter until it is delivered anew',
    async check(store) {
      const paid = await paidIn(store);
      const [event] = paid.events;
      assert.ok(event);
      const claim = async (now: number) =>
        (await store.claimEvents(now, 1_000, LEASE_MS, ['paid'])).find(
          (one) => one.event.id === event.id,
        );
      const first = await claim(NOW);
      assert.ok(first);
      await store.reportDelivery(first, { outcome: 'dead' });
      const dead = (await store.deadLetters(1_000)).find((one) => one.event.id === event.id);
      assert.deepEqual(dead, { event, outcome: 'dead', tries: 1 });
      assert.equal(await store.redeliver(event.id, NOW + LEASE_MS), true);
      assert.equal(await store.redeliver(event.id, NOW + LEASE_MS), false);
      assert.equal((await claim(NOW + LEASE_MS))?.tryNumber, 1);
    },
  },
  {
    name: 'logs every change, so that the record can be built anew (I16)',
    async check(store) {
      const opened = await openedIn(store);
      const paid = paidChange(opened, randomUUID());
      await store.commit(paid);
      await store.commit(after(paid, { operations: [refundOf(paid, randomUUID())] }));
      await store.commit(paid);
      const [attempt] = opened.attempts;
      assert.ok(attempt);
      await store.endStatusCheck(attempt, null, NOW);
      const { orderId } = opened.payment;
      const [record, history] = [await store.load(orderId), await store.history(orderId)];
      const built = replay(history.log);
      assert.deepEqual(built, record && { ...record, attempts: record.attempts.map(unwatched) });
      assert.equal(history.log.length, 5, 'a refused change is not logged');
      assert.deepEqual(
        history.events.map(({ event, outcome }) => [event.id, outcome]),
        [[paid.events[0]?.id, 'waiting']],
      );
    },
  },
];
