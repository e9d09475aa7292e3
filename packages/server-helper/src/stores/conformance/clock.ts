import assert from 'node:assert/strict';
import type { ConformanceCase } from './conformance-case.ts';
import { checkAt, openAttemptIn, takenIn } from './orders.ts';

const DAY_MS = 86_400_000;
/** Later than the rows of other cases and tests, which a store may hold too. */
const NOW = Date.UTC(2099, 0, 1);

/** What every store promises when a clock is put back. */
export const clockConformance: readonly ConformanceCase[] = [
  {
    name: 'makes due what was put off by a clock that ran ahead, and nothing else',
    async check(store) {
      const ahead = NOW + DAY_MS;
      const { orderId } = await openAttemptIn(store);
      const other = await openAttemptIn(store);
      const later = NOW + 3_600_000;
      await store.endStatusCheck(other.attempt, later, NOW);
      const taken = await takenIn(store, orderId, ahead);
      await store.endStatusCheck(taken, ahead + 15_000, ahead);
      await store.hint(taken.merchantOrderId, ahead + 1);
      await store.clampChecks(NOW + 1_000);
      const clamped = (await store.load(orderId))?.attempts[0];
      assert.deepEqual(
        [clamped?.lastCheckAt, clamped?.hintedAt, clamped?.nextCheckAt],
        [null, NOW + 1_000, NOW + 1_000],
      );
      assert.equal((await store.load(other.orderId))?.attempts[0]?.nextCheckAt, later);
      const again = await store.beginStatusCheck({ ...checkAt(orderId), now: NOW + 2_000 });
      assert.equal(again?.taken?.number, 1);
    },
  },
  {
    name: 'follows a hint at once although a clock that ran ahead has put the last check in the future',
    async check(store) {
      const ahead = NOW + DAY_MS;
      const { orderId } = await openAttemptIn(store);
      const taken = await takenIn(store, orderId, ahead);
      await store.endStatusCheck(taken, ahead + 15_000, ahead);
      await store.hint(taken.merchantOrderId, NOW + 1_000);
      assert.equal((await store.load(orderId))?.attempts[0]?.nextCheckAt, NOW + 1_000);
    },
  },
];
