import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { NOW, changeOf, openedIn, paidChange, refundOf } from './orders.ts';
import type { ConformanceCase } from './conformance-case.ts';
import type { ReviewReason } from '../../payments/payment-record.ts';
import type { Store } from '../store.ts';

/** All orders of a store, by pages of this length. */
async function everyOrder(store: Store<unknown>, limit: number, since = 0): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null = null; ;) {
    const page = await store.orderIds({ after, since, limit });
    found.push(...page);
    assert.ok(page.length <= limit);
    if (page.length < limit) return found;
    after = page.at(-1) ?? null;
  }
}

/** What every store promises about overviews of all orders. */
export const overviewConformance: readonly ConformanceCase[] = [
  {
    name: 'lists every order once, page by page',
    async check(store) {
      const own = [await openedIn(store), await openedIn(store), await openedIn(store)];
      const found = await everyOrder(store, 2);
      assert.equal(new Set(found).size, found.length);
      for (const { payment } of own) assert.ok(found.includes(payment.orderId));
    },
  },
  {
    name: 'leaves out orders whose payment has not changed since',
    async check(store) {
      const { orderId } = (await openedIn(store)).payment;
      assert.ok((await everyOrder(store, 100, NOW)).includes(orderId));
      assert.ok(!(await everyOrder(store, 100, NOW + 1)).includes(orderId));
    },
  },
  {
    name: 'tells how much waits, and since when the oldest does',
    async check(store) {
      const before = await store.backlog(NOW - 1, ['paid']);
      const opened = await openedIn(store);
      const createdAt = NOW - 86_400_000;
      const review = {
        orderId: opened.payment.orderId,
        reason: 'paid_late' as const,
        subject: randomUUID(),
        createdAt,
        resolvedAt: null,
        resolution: null,
        resolvedBy: null,
      };
      const paid = paidChange(opened, randomUUID());
      await store.commit({ ...paid, reviews: [review] });
      const waiting = await store.backlog(NOW + 15_000, ['paid']);
      assert.ok(waiting.dueAttempts >= 1);
      assert.ok(waiting.oldestDueAt !== null && waiting.oldestDueAt <= NOW + 15_000);
      assert.equal(waiting.undelivered, before.undelivered + 1);
      assert.equal(waiting.openReviews, before.openReviews + 1);
      const resolved = { ...review, resolvedAt: NOW, resolution: 'looked' };
      const after = changeOf({ ...paid.payment, version: paid.payment.version + 1 });
      await store.commit({ ...after, reviews: [resolved] });
      assert.equal((await store.backlog(NOW, ['paid'])).openReviews, before.openReviews);
    },
  },
  {
    name: 'counts the open reviews of links and money without evidence',
    async check(store) {
      const counted = async (): Promise<number> => (await store.backlog(NOW, [])).unprovenPayments;
      const before = await counted();
      const { payment } = await openedIn(store);
      const { orderId } = payment;
      const review = (reason: ReviewReason) => {
        const open = { resolvedAt: null, resolution: null, resolvedBy: null };
        return { orderId, reason, subject: randomUUID(), createdAt: NOW, ...open };
      };
      const reviews = [review('no_evidence'), review('unattributed_payment'), review('paid_late')];
      await store.commit({ ...changeOf({ ...payment, version: payment.version + 1 }), reviews });
      assert.equal(await counted(), before + 2);
      const resolved = reviews.map((one) => ({ ...one, resolvedAt: NOW, resolution: 'looked' }));
      const after = changeOf({ ...payment, version: payment.version + 2 });
      await store.commit({ ...after, reviews: resolved });
      assert.equal(await counted(), before);
    },
  },
  {
    name: 'tells since when an operation’s outcome is unknown, whatever became of its review item',
    async check(store) {
      const { payment } = await openedIn(store);
      // Older than what other cases leave behind in a store that is shared.
      const updatedAt = NOW - 365 * 86_400_000;
      const operation = {
        ...refundOf({ payment }, randomUUID()),
        state: 'unknown',
        updatedAt,
      } as const;
      const review = {
        orderId: payment.orderId,
        reason: 'unknown_outcome' as const,
        subject: operation.id,
        createdAt: NOW,
        resolvedAt: NOW,
        resolution: 'evidence',
        resolvedBy: null,
      };
      const next = (version: number) => ({ ...payment, version: payment.version + version });
      await store.commit(changeOf(next(1), { operations: [operation], reviews: [review] }));
      assert.equal((await store.backlog(NOW, [])).oldestUnknownAt, updatedAt);
      await store.commit(changeOf(next(2), { operations: [{ ...operation, state: 'succeeded' }] }));
      assert.notEqual((await store.backlog(NOW, [])).oldestUnknownAt, updatedAt);
    },
  },
  {
    name: 'lists a matter again that is open again',
    async check(store) {
      const { payment } = await openedIn(store);
      const item = {
        orderId: payment.orderId,
        reason: 'unknown_outcome' as const,
        subject: randomUUID(),
        createdAt: NOW,
        resolvedAt: null,
        resolution: null,
        resolvedBy: null,
      };
      const ended = { ...item, resolvedAt: NOW, resolution: 'evidence' };
      let { version } = payment;
      for (const stored of [item, ended, item]) {
        version += 1;
        await store.commit(changeOf({ ...payment, version }, { reviews: [stored] }));
        assert.deepEqual((await store.load(payment.orderId))?.reviews, [stored]);
      }
    },
  },
];
