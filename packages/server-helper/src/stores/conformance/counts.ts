import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SpanFigures } from '../store.ts';
import { LEASE_MS, NOW, atOnce, cases, early, ownHour, ownType, undisturbed } from './case.ts';
import { after, eventOf, movementOf, openedIn, refundOf, reviewOf, savedIn } from './orders.ts';

/** What a span has of each kind, from all parts. */
function summed({ moved, created }: SpanFigures): readonly string[] {
  const sums = new Map<string, readonly [number, number]>();
  for (const { kind, currency, confirmMs, minorUnits, count } of moved) {
    const key = `${kind} ${currency} ${confirmMs}`;
    const [sum, times] = sums.get(key) ?? [0, 0];
    sums.set(key, [sum + minorUnits, times + count]);
  }
  const money = [...sums].map(([key, [sum, times]]) => `${key}: ${sum} in ${times}`);
  return [...created.map(({ state, count }) => `${state}: ${count}`), ...money].toSorted();
}

const minute = { now: NOW, endsAt: NOW + 60_000 };
const later = (ms: number) => ({ now: minute.now + ms, endsAt: minute.endsAt + ms });

/** What every store promises about figures, counters and the backlog. */
export const countConformance = cases({
  async 'adds up the movements and the new payments of many spans, each by itself'(store) {
    const from = ownHour();
    for (const [time, state, rest] of [
      [9, 'paid', { confirmMs: 65_000 }],
      [10, 'paid', { confirmMs: 65_000 }],
      [19, 'paid', { confirmMs: 65_000 }],
      [12, 'paid', { confirmMs: 66_000, minorUnits: 0 }],
      [13, 'expired', { minorUnits: -500, currency: 'USD' }],
      [13, 'paid', { kind: 'refunded', minorUnits: 7 }],
      [20, 'review', {}],
    ] as const) {
      const created = await openedIn(store, from + time);
      const moved = movementOf(created, from + time, rest);
      await savedIn(store, created, after(created, {}, { state }), { movements: [moved, moved] });
    }
    const spans = [30, 20, 10, 0].map((start) => ({ from: from + start, to: from + start + 10 }));
    const second = ['refunded SAR null: 14 in 2', 'taken SAR 65000: 46000 in 4'];
    assert.deepEqual((await store.figures(spans)).map(summed), [
      [],
      ['review: 1', 'taken SAR null: 23000 in 2'],
      ['expired: 1', 'paid: 4', ...second, 'taken SAR 66000: 0 in 2', 'taken USD null: -1000 in 2'],
      ['paid: 1', 'taken SAR 65000: 23000 in 2'],
    ]);
    assert.deepEqual(await store.figures([]), []);
  },
  async 'counts every hit of a key until the window ends, then from the start'(store) {
    const [key, next] = [randomUUID(), later(60_000)];
    const counts = await atOnce(20, () => store.count(key, 1, minute));
    const hits = new Set(counts.map((one) => one.hits));
    assert.deepEqual([hits.size, Math.min(...hits), Math.max(...hits)], [20, 1, 20]);
    const { endsAt } = minute;
    assert.deepEqual(await store.count(key, 3, later(59_999)), { hits: 23, endsAt });
    assert.deepEqual(await store.count(randomUUID(), 2, minute), { hits: 2, endsAt });
    assert.deepEqual(await store.count(key, 9, next), { hits: 9, endsAt: next.endsAt });
    // A process whose clock is behind counts in the newer window, unless that ends too late.
    assert.deepEqual(await store.count(key, 1, minute), { hits: 10, endsAt: next.endsAt });
    assert.deepEqual(await store.count(key, 1, later(-1)), { hits: 1, endsAt: endsAt - 1 });
  },
  async 'binds a key to one subject until its end, for the first caller'(store) {
    const key = randomUUID();
    const bound = new Set(await atOnce(9, (index) => store.bind(key, `${index}`, minute)));
    assert.deepEqual(bound, new Set([await store.bind(key, 'late', later(59_999))]));
    assert.equal(await store.bind(key, 'next', later(60_000)), 'next');
    assert.equal(await store.bind(key, 'behind', minute), 'next');
    assert.equal(await store.bind(randomUUID(), 'own', minute), 'own');
  },
  'counts reviews and dead letters, and tells since when an outcome is unknown': (store) =>
    undisturbed(async () => {
      const tell = async () => {
        const { openReviews, ...backlog } = await store.health.backlog(NOW, []);
        const { unprovenPayments, unreadableAnswers, deadLetters, oldestUnknownAt } = backlog;
        return [openReviews, unprovenPayments, unreadableAnswers, deadLetters, oldestUnknownAt];
      };
      const [opened, type, updatedAt] = [await openedIn(store), ownType(), early()];
      const unproven = ['no_evidence', 'unattributed_payment'] as const;
      const unreadable = ['unreadable_answer', 'unreadable_answer'] as const;
      const reasons = [...unproven, ...unreadable, ...unreadable, 'paid_late'] as const;
      const reviews = reasons.map((reason) => reviewOf(opened, reason));
      const sent = refundOf(opened, randomUUID(), { updatedAt: 1 });
      const unknown = refundOf(opened, randomUUID(), { state: 'unknown', updatedAt });
      const event = eventOf(opened, type);
      const before = await tell();
      const matters = { reviews, operations: [sent, unknown], events: [event] };
      const record = await savedIn(store, opened, after(opened, matters));
      await store.claimEvents(NOW, 1, LEASE_MS, [type]);
      await store.endDelivery({ event, tryNumber: 1 }, { outcome: 'dead' });
      const open = await tell();
      const resolved = reviews.map((one) => ({ ...one, resolvedAt: NOW, resolution: 'looked' }));
      const failed = [{ ...unknown, state: 'failed' as const }];
      const change = after(record, { reviews: resolved, operations: failed });
      await savedIn(store, record, change, { redelivers: event.id });
      const counts = [7, 2, 4, 1].map((more, index) => (before[index] ?? 0) + more);
      assert.deepEqual([open, await tell()], [[...counts, updatedAt], before]);
    }),
  async 'says that payments can be written, and that no call waits'({ health }) {
    await health.checkWritable?.();
    assert.notEqual(health.isStuck?.(), true);
    assert.ok(Number.isFinite((await health.clockOffsetMs?.()) ?? 0));
  },
});
