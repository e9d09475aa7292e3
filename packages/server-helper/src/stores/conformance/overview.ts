import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { NOW, after, openedIn, paidChange, refundOf, reviewOf } from './orders.ts';
import type { ConformanceCase } from './conformance-case.ts';
import type { Store } from '../store.ts';

/** All orders of a store, by pages of this length. */
async function everyOrder(store: Store<unknown>, limit: number, since = 0): Promise<string[]> {
  const found: string[] = [];
  for (let last: string | null = null; ;) {
    const page = await store.orderIds({ after: last, since, limit });
    found.push(...page);
    assert.ok(page.length <= limit);
    if (page.length < limit) return found;
    last = page.at(-1) ?? null;
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
      const review = reviewOf(opened, 'paid_late', { createdAt: NOW - 86_400_000 });
      const paid = paidChange(opened, randomUUID());
      await store.commit({ ...paid, reviews: [review] });
      const waiting = await store.backlog(NOW + 15_000, ['paid']);
      assert.ok(waiting.dueAttempts >= 1);
      assert.ok(waiting.oldestDueAt !== null && waiting.oldestDueAt <= NOW + 15_000);
      assert.equal(waiting.undelivered, before.undelivered + 1);
      assert.equal(waiting.openReviews, before.openReviews + 1);
      const resolved = { ...review, resolvedAt: NOW, resolution: 'looked' };
      await store.commit(after(paid, { reviews: [resolved] }));
      assert.equal((await store.backlog(NOW, ['paid'])).openReviews, before.openReviews);
    },
  },
  {
    name: 'counts the open reviews of links and money without evidence',
    async check(store) {
      const counted = async (): Promise<number> => (await store.backlog(NOW, [])).unprovenPayments;
      const before = await counted();
      const opened = await openedIn(store);
      const reasons = ['no_evidence', 'unattributed_payment', 'paid_late'] as const;
      const reviews = reasons.map((reason) => reviewOf(opened, reason));
      const asked = after(opened, { reviews });
      await store.commit(asked);
      assert.equal(await counted(), before + 2);
      const resolved = reviews.map((one) => ({ ...one, resolvedAt: NOW, resolution: 'looked' }));
      await store.commit(after(asked, { reviews: resolved }));
      assert.equal(await counted(), before);
    },
  },
  {
    name: 'tells since when an operation’s outcome is unknown, whatever became of its review item',
    async check(store) {
      const opened = await openedIn(store);
      // Older than what other cases leave behind in a store that is shared.
      const updatedAt = NOW - 365 * 86_400_000;
      const operation = {
        ...refundOf(opened, randomUUID()),
        state: 'unknown',
        updatedAt,
      } as const;
      const ended = { subject: operation.id, resolvedAt: NOW, resolution: 'evidence' };
      const reviews = [reviewOf(opened, 'unknown_outcome', ended)];
      const unknown = after(opened, { operations: [operation], reviews });
      await store.commit(unknown);
      assert.equal((await store.backlog(NOW, [])).oldestUnknownAt, updatedAt);
      await store.commit(after(unknown, { operations: [{ ...operation, state: 'succeeded' }] }));
      assert.notEqual((await store.backlog(NOW, [])).oldestUnknownAt, updatedAt);
    },
  },
  {
    name: 'lists a matter again that is open again',
    async check(store) {
      let last = await openedIn(store);
      const item = reviewOf(last, 'unknown_outcome');
      const ended = { ...item, resolvedAt: NOW, resolution: 'evidence' };
      for (const stored of [item, ended, item]) {
        last = after(last, { reviews: [stored] });
        await store.commit(last);
        assert.deepEqual((await store.load(item.orderId))?.reviews, [stored]);
      }
    },
  },
];
