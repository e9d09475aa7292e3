import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ConformanceCase } from './conformance-case.ts';
import { NOW } from './orders.ts';

const minute = { now: NOW, endsAt: NOW + 60_000 };
const later = (milliseconds: number) => ({
  now: minute.now + milliseconds,
  endsAt: minute.endsAt + milliseconds,
});

/** What every store promises about counters and about the keys of requests. */
export const shortLivedConformance: readonly ConformanceCase[] = [
  {
    name: 'counts hits by key until the window ends, then from the start',
    async check(store) {
      const [key, other] = [randomUUID(), randomUUID()];
      const { endsAt } = minute;
      assert.deepEqual(await store.countHits(key, 3, minute), { hits: 3, endsAt });
      assert.deepEqual(await store.countHits(key, 1, later(59_999)), { hits: 4, endsAt });
      assert.equal((await store.countHits(other, 1, minute)).hits, 1);
      const next = later(60_000);
      assert.deepEqual(await store.countHits(key, 1, next), { hits: 1, endsAt: next.endsAt });
    },
  },
  {
    name: 'counts every one of many hits at once',
    async check(store) {
      const key = randomUUID();
      const counts = await Promise.all(
        Array.from({ length: 20 }, () => store.countHits(key, 1, minute)),
      );
      const seen = counts.map(({ hits }) => hits).toSorted((a, b) => a - b);
      assert.deepEqual(
        seen,
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    },
  },
  {
    name: 'counts in the newer window for a process whose clock is behind',
    async check(store) {
      const key = randomUUID();
      const newer = later(30_000);
      await store.countHits(key, 9, newer);
      assert.deepEqual(await store.countHits(key, 1, minute), { hits: 10, endsAt: newer.endsAt });
      assert.deepEqual(await store.countHits(key, 1, newer), { hits: 11, endsAt: newer.endsAt });
      assert.equal(await store.bindRequestKey(key, 'first', newer), 'first');
      assert.equal(await store.bindRequestKey(key, 'second', minute), 'first');
    },
  },
  {
    name: 'begins a counter anew that would end too late, after a clock went back',
    async check(store) {
      const key = randomUUID();
      await store.countHits(key, 9, later(3_600_000));
      assert.deepEqual(await store.countHits(key, 1, minute), { hits: 1, endsAt: minute.endsAt });
    },
  },
  {
    name: 'binds a request key to one subject until it ends, for the first caller',
    async check(store) {
      const key = randomUUID();
      const bound = await Promise.all(
        ['1001', '1002', '1003'].map((subject) => store.bindRequestKey(key, subject, minute)),
      );
      assert.equal(new Set(bound).size, 1);
      assert.equal(await store.bindRequestKey(key, 'late', later(59_999)), bound[0]);
      assert.equal(await store.bindRequestKey(key, 'next', later(60_000)), 'next');
      assert.equal(await store.bindRequestKey(randomUUID(), 'own', minute), 'own');
    },
  },
];
