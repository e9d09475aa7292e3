import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { transactionId } from '../../ids.ts';
import type { Change, PaymentEventType } from '../../payments/payment-record.ts';
import { LEASE_MS, NOW, changeOf, openOrder, paidChange, refundOf, reviewOf } from './orders.ts';
import type { ConformanceCase } from './conformance-case.ts';
import type { Store } from '../store.ts';

/** Long before what other cases leave behind in a store that is shared. */
const LAST_YEAR = NOW - 365 * 86_400_000;
const BEFORE = LAST_YEAR + 1;

/** Archives page by page; answers with how many orders were moved. */
async function archivedIn(store: Store<unknown>, limit = 100): Promise<number> {
  let moved = 0;
  for (let after: string | null = null; ;) {
    const page = await store.archive({ after, before: BEFORE, limit });
    moved += page.archived;
    if (page.next === null) return moved;
    after = page.next;
  }
}

/** The changes of an order that was paid last year, and of which the gateway is asked no more. */
function paidLastYear(): readonly Change[] {
  const { reserved, opened } = openOrder();
  const [attempt] = opened.attempts;
  assert.ok(attempt);
  const succeeded = { ...attempt, state: 'succeeded' as const, nextCheckAt: null };
  const paid = { ...paidChange(opened, randomUUID()), attempts: [succeeded] };
  return [reserved, opened, paid].map(({ payment, ...rest }) => ({
    ...rest,
    payment: { ...payment, updatedAt: LAST_YEAR },
  }));
}

async function commitAll(store: Store<unknown>, changes: readonly Change[]): Promise<Change> {
  for (const change of changes) {
    assert.equal((await store.commit(change)).outcome, 'committed');
  }
  const last = changes.at(-1);
  assert.ok(last);
  return last;
}

/** Delivers all events of an order. */
async function deliverAll(store: Store<unknown>, orderId: string, now = NOW): Promise<void> {
  const types: readonly PaymentEventType[] = ['paid', 'refunded'];
  const claimed = await store.claimEvents(now, 1_000, LEASE_MS, types);
  for (const delivery of claimed.filter(({ event }) => event.orderId === orderId)) {
    await store.reportDelivery(delivery, { outcome: 'done' });
  }
}

/** An order that may be archived; answers with its last change. */
async function finishedIn(store: Store<unknown>): Promise<Change> {
  const paid = await commitAll(store, paidLastYear());
  await deliverAll(store, paid.payment.orderId);
  return paid;
}

/** The next change of a payment. */
const after = ({ payment }: Change, rest: Partial<Change> = {}, updatedAt = LAST_YEAR): Change =>
  changeOf({ ...payment, version: payment.version + 1, updatedAt }, rest);

/** What every store promises about its archive. */
export const archiveConformance: readonly ConformanceCase[] = [
  {
    name: 'archives a finished payment once, and shows it as before',
    async check(store) {
      await archivedIn(store);
      const paid = await finishedIn(store);
      const { orderId } = paid.payment;
      const noted = [{ transactionId: transactionId(randomUUID()), source: 'signed' as const }];
      await store.changeTransactionHints(orderId, { noted }, LAST_YEAR);
      const before = [await store.load(orderId), await store.history(orderId)];
      assert.equal(await archivedIn(store), 1);
      assert.deepEqual(await store.transactionHints(orderId), []);
      assert.deepEqual([await store.load(orderId), await store.history(orderId)], before);
      assert.equal(await archivedIn(store), 0);
      const [row] = paid.ledger;
      assert.ok(row);
      const thief = paidChange(await commitAll(store, paidLastYear().slice(0, 2)), randomUUID());
      const stolen = { ...row, orderId: thief.payment.orderId };
      const { outcome } = await store.commit({ ...thief, ledger: [stolen] });
      assert.equal(outcome, 'transaction_taken');
    },
  },
  {
    name: 'archives nothing of a payment with an open matter or of a later change',
    async check(store) {
      await archivedIn(store);
      const waiting = await commitAll(store, paidLastYear());
      const dead = await commitAll(store, paidLastYear());
      for (const one of await store.claimEvents(NOW, 1_000, LEASE_MS, ['paid'])) {
        if (one.event.orderId !== dead.payment.orderId) continue;
        await store.reportDelivery(one, { outcome: 'dead' });
      }
      const watched = await commitAll(store, paidLastYear().slice(0, 2));
      const reviewed = await finishedIn(store);
      const item = reviewOf(reviewed, 'duplicate_charge', { createdAt: LAST_YEAR });
      await store.commit(after(reviewed, { reviews: [item] }));
      const outstanding = ['proposed', 'sending', 'pending', 'unknown'] as const;
      for (const state of outstanding) {
        const paid = await finishedIn(store);
        const operation = { ...refundOf(paid, randomUUID()), state };
        await store.commit(after(paid, { operations: [operation] }));
      }
      const changed = await finishedIn(store);
      await store.commit(after(changed, {}, BEFORE));
      assert.equal(await archivedIn(store), 0);
      for (const { payment } of [waiting, dead, watched, reviewed, changed]) {
        assert.ok((await store.history(payment.orderId)).log.length >= 2);
      }
      const resolved = { ...item, resolvedAt: NOW, resolution: 'looked' };
      await store.commit(after(after(reviewed), { reviews: [resolved] }));
      assert.equal(await archivedIn(store), 1, 'its review is resolved');
      await deliverAll(store, waiting.payment.orderId, NOW + LEASE_MS);
      assert.equal(await archivedIn(store), 1, 'its event is delivered');
    },
  },
  {
    name: 'archives again what changes after it, in the order of what happened',
    async check(store) {
      await archivedIn(store);
      const paid = await finishedIn(store);
      const { orderId } = paid.payment;
      assert.equal(await archivedIn(store), 1);
      const [event] = paid.events;
      assert.ok(event?.type === 'paid');
      const refunded = { ...event, id: `${orderId}/4/refunded`, type: 'refunded' as const };
      await store.commit(after(paid, { events: [refunded] }));
      await deliverAll(store, orderId);
      const before = await store.history(orderId);
      assert.equal(before.log.length, 4);
      assert.deepEqual(
        before.events.map(({ event: one, outcome }) => [one.type, outcome]),
        [
          ['paid', 'done'],
          ['refunded', 'done'],
        ],
      );
      assert.equal(await archivedIn(store), 1);
      assert.deepEqual(await store.history(orderId), before);
      await store.commit(after(after(paid)));
      assert.deepEqual((await store.history(orderId)).log.slice(0, 4), before.log);
    },
  },
  {
    name: 'archives page by page, also beside other archivers',
    async check(store) {
      await archivedIn(store);
      const paid: Change[] = [];
      for (let count = 0; count < 12; count += 1) paid.push(await finishedIn(store));
      const histories = () =>
        Promise.all(paid.map(({ payment }) => store.history(payment.orderId)));
      const before = await histories();
      const moved = await Promise.all([2, 3, 5, 100].map((limit) => archivedIn(store, limit)));
      // One that another archiver has locked is passed over, so the last run finds what is left.
      const rest = await archivedIn(store);
      assert.equal(
        moved.reduce((sum, one) => sum + one, rest),
        12,
      );
      assert.deepEqual(await histories(), before);
    },
  },
  {
    name: 'loses nothing of a payment that changes while it is archived',
    async check(store) {
      const paid: Change[] = [];
      for (let count = 0; count < 12; count += 1) paid.push(await finishedIn(store));
      const changing = paid.map((one) => store.commit(after(one, {}, NOW)));
      const [, ...results] = await Promise.all([archivedIn(store), ...changing]);
      for (const { outcome } of results) assert.equal(outcome, 'committed');
      for (const { payment } of paid) {
        const { log, events } = await store.history(payment.orderId);
        const versions = log.map((one) => one.kind === 'change' && one.change.payment.version);
        assert.deepEqual(versions, [1, 2, 3, 4]);
        assert.equal(events.length, 1);
      }
    },
  },
];
