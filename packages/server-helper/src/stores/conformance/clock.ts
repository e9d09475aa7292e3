import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ConformanceCase } from './conformance-case.ts';
import { SESSION_LIFETIME_MS, type Attempt } from '../../payments/attempt.ts';
import type { Store } from '../store.ts';
import {
  checkAt,
  LEASE_MS,
  openAttemptIn,
  openedIn,
  openOrder,
  paidChange,
  takenIn,
} from './orders.ts';

const DAY_MS = 86_400_000;
/** Later than the rows of other cases and tests, which a store may hold too. */
const NOW = Date.UTC(2099, 0, 1);

/** Later than the end of any other link. */
const END = Date.UTC(2199, 0, 1);

/** An open link whose life ends then. */
async function openUntil(store: Store<unknown>, expiresAt: number): Promise<Attempt> {
  const { reserved, opened } = openOrder();
  const attempts = reserved.attempts.map((one) => ({ ...one, expiresAt }));
  await store.commit({ ...reserved, attempts });
  await store.commit(opened);
  return { ...(opened.attempts[0] as Attempt), expiresAt };
}

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
    name: 'gives a whole life to each link that lived when a clock leapt or ends too late, watched or not',
    async check(store) {
      const links = [await openUntil(store, END), await openUntil(store, END)];
      await store.endStatusCheck(links[1] as Attempt, null, NOW);
      const lives = async () => {
        const records = await Promise.all(links.map(async ({ orderId }) => store.load(orderId)));
        return records.map((one) => [one?.attempts[0]?.expiresAt, one?.attempts[0]?.nextCheckAt]);
      };
      const before = await lives();
      await store.clampChecks(END + 2 * DAY_MS, 0, END + DAY_MS);
      assert.deepEqual(await lives(), before, 'over by both times');
      const after = END + 20 * DAY_MS;
      for (const [now, leaptFrom] of [[after, END - 1], [END, after + 1], [NOW]] as const) {
        await store.clampChecks(now, 0, leaptFrom);
        const anew = [now + SESSION_LIFETIME_MS, now];
        assert.deepEqual(await lives(), [anew, anew]);
      }
    },
  },
  {
    name: 'makes due what another process’s clock has put off by more than an hour alone, where asked to',
    async check(store) {
      const putOff = async (ahead: number): Promise<string> => {
        const { orderId } = await openAttemptIn(store);
        const taken = await takenIn(store, orderId, NOW + ahead);
        await store.endStatusCheck(taken, NOW + ahead + 15_000, NOW + ahead);
        return orderId;
      };
      const orderIds = [await putOff(600_000), await putOff(DAY_MS)];
      await store.clampChecks(NOW, 3_600_000);
      const due = orderIds.map(async (id) => (await store.load(id))?.attempts[0]?.nextCheckAt);
      assert.deepEqual(await Promise.all(due), [NOW + 615_000, NOW]);
    },
  },
  {
    name: 'makes due an open link’s check that only a clock which ran ahead can have planned',
    async check(store) {
      const planned = async (age: number, wait: number): Promise<Attempt | undefined> => {
        const link = await openUntil(store, NOW + SESSION_LIFETIME_MS - age);
        await store.endStatusCheck(link, NOW + wait, NOW);
        await store.clampChecks(NOW);
        return (await store.load(link.orderId))?.attempts[0];
      };
      const minute = 60_000;
      assert.equal((await planned(0, 6 * minute))?.nextCheckAt, NOW + 6 * minute);
      assert.equal((await planned(0, 7 * minute))?.nextCheckAt, NOW);
      assert.equal((await planned(60 * minute, 126 * minute))?.nextCheckAt, NOW + 126 * minute);
      assert.equal((await planned(60 * minute, 127 * minute))?.nextCheckAt, NOW);
    },
  },
  {
    name: 'makes due every watched attempt once the clock has leapt',
    async check(store) {
      const { orderId } = await openAttemptIn(store);
      await store.endStatusCheck(await takenIn(store, orderId, NOW), NOW + 12 * DAY_MS, NOW);
      const nextCheckAt = async () => (await store.load(orderId))?.attempts[0]?.nextCheckAt;
      await store.clampChecks(NOW + 1_000, 3_600_000);
      assert.equal(await nextCheckAt(), NOW + 12 * DAY_MS);
      await store.clampChecks(NOW + 1_000, 3_600_000, NOW + 1_000);
      assert.equal(await nextCheckAt(), NOW + 1_000);
    },
  },
  {
    name: 'makes due an event that a clock which ran ahead has put off',
    async check(store) {
      const paid = paidChange(await openedIn(store), randomUUID());
      await store.commit(paid);
      const claimed = async (now: number) => {
        const deliveries = await store.claimEvents(now, 1_000, LEASE_MS, ['paid']);
        return deliveries.filter(({ event }) => event.id === paid.events[0]?.id).length;
      };
      assert.equal(await claimed(NOW), 1);
      await store.clampChecks(NOW - DAY_MS);
      assert.equal(await claimed(NOW - DAY_MS), 1);
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
