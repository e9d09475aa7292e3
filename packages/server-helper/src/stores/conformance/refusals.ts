import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { attemptName, sessionId } from '../../ids.ts';
import type { Change } from '../../payments/payment-record.ts';
import type { Store } from '../store.ts';
import type { ConformanceCase } from './conformance-case.ts';
import {
  NOW,
  after,
  changeOf,
  openedIn,
  openOrder,
  paidChange,
  refundOf,
  reviewOf,
} from './orders.ts';

/** Expects that a change is rejected, and that nothing of it is written. */
async function assertRejected(store: Store<unknown>, change: Change): Promise<void> {
  const { orderId } = change.payment;
  const before = [await store.load(orderId), await store.history(orderId)];
  await assert.rejects(store.commit(change));
  assert.deepEqual([await store.load(orderId), await store.history(orderId)], before);
}

/** Whatever a flow may do wrong, every store refuses in the same way. */
export const refusalConformance: readonly ConformanceCase[] = [
  {
    name: 'rejects a change that writes one row twice',
    async check(store) {
      const opened = await openedIn(store);
      const [attempt] = opened.attempts;
      const paid = paidChange(opened, randomUUID());
      const [row] = paid.ledger;
      assert.ok(attempt && row);
      const refund = refundOf(paid, randomUUID());
      const review = reviewOf(opened, 'paid_late');
      for (const rest of [
        { attempts: [attempt, { ...attempt, state: 'closed' as const }] },
        { ledger: [row, { ...row, refundedMinorUnits: 1 }] },
        { operations: [refund, { ...refund, state: 'failed' as const }] },
        { reviews: [review, { ...review, resolvedAt: NOW }] },
        { events: [...paid.events, ...paid.events] },
      ]) {
        await assertRejected(store, after(opened, rest));
      }
    },
  },
  {
    name: 'rejects a change with a row of another order, or with another attempt’s name',
    async check(store) {
      const [opened, other] = [await openedIn(store), await openedIn(store)];
      const { orderId } = opened.payment;
      const named = opened.attempts.map((one) => ({
        ...one,
        merchantOrderId: attemptName(orderId, 2),
      }));
      await assertRejected(store, after(opened, { attempts: other.attempts }));
      await assertRejected(store, after(opened, { attempts: named }));
      await assertRejected(store, after(opened, { operations: [refundOf(other, randomUUID())] }));
    },
  },
  {
    name: 'rejects a second payment of an order, and a session of another attempt or order',
    async check(store) {
      const [opened, other] = [await openedIn(store), await openedIn(store)];
      const second = opened.attempts.map((one) => ({
        ...one,
        number: 2,
        merchantOrderId: attemptName(one.orderId, 2),
      }));
      await assertRejected(store, after(opened, { attempts: second }));
      const [theirs] = other.attempts;
      const stolen = second.map((one) => ({ ...one, sessionId: theirs?.sessionId ?? null }));
      await assertRejected(store, after(opened, { attempts: stolen }));
      const own = second.map((one) => ({ ...one, sessionId: sessionId(randomUUID()) }));
      const added = after(opened, { attempts: own });
      assert.equal((await store.commit(added)).outcome, 'committed');
      const paid = paidChange(added, randomUUID());
      await store.commit(paid);
      await assertRejected(store, paidChange(paid, randomUUID()));
    },
  },
  {
    name: 'rejects the character U+0000, and keeps the text that spells it',
    async check(store) {
      const opened = await openedIn(store);
      const odd = (sign: string) =>
        reviewOf(opened, 'paid_late', { resolvedAt: NOW, resolution: `before${sign}after` });
      await assertRejected(store, after(opened, { reviews: [odd('\u0000')] }));
      const spelled = odd(String.raw`\u0000`);
      await store.commit(after(opened, { reviews: [spelled] }));
      assert.deepEqual((await store.load(opened.payment.orderId))?.reviews, [spelled]);
    },
  },
  {
    name: 'answers a change that leaves a version out, or begins with another one, by a conflict',
    async check(store) {
      const opened = await openedIn(store);
      const gap = changeOf({ ...opened.payment, version: opened.payment.version + 2 });
      assert.equal((await store.commit(gap)).outcome, 'conflict');
      const { reserved } = openOrder();
      const late = { ...reserved, payment: { ...reserved.payment, version: 2 } };
      assert.equal((await store.commit(late)).outcome, 'conflict');
      assert.equal(await store.load(reserved.payment.orderId), null);
    },
  },
];
