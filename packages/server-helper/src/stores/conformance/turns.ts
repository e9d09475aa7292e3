import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { attemptName, sessionId } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { LEASE_MS, NOW, changeOf, checkAt, openAttemptIn, takenIn } from './orders.ts';
import { CHECK_GAP_MS, type Store } from '../store.ts';

/** Commits an order with two open attempts. */
async function twoOpenIn(store: Store<unknown>): Promise<readonly [Attempt, Attempt]> {
  const { opened, orderId, attempt } = await openAttemptIn(store);
  const second: Attempt = {
    ...attempt,
    number: 2,
    merchantOrderId: attemptName(orderId, 2),
    sessionId: sessionId(randomUUID()),
  };
  const payment = { ...opened.payment, currentAttempt: 2, version: opened.payment.version + 1 };
  await store.commit(changeOf(payment, { attempts: [second] }));
  return [attempt, second];
}

/** What every store promises about the turn among an order's attempts. */
export const turnConformance: readonly ConformanceCase[] = [
  {
    name: 'checks the attempt that was checked longest ago, whatever hints came',
    async check(store) {
      const [first, second] = await twoOpenIn(store);
      const { orderId } = first;
      const turns: number[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        const now = NOW + turn * CHECK_GAP_MS;
        const taken = await takenIn(store, orderId, now);
        turns.push(taken.number);
        await store.endStatusCheck(taken, now + 3_600_000, now);
        await store.hint(second.merchantOrderId, now + 1);
      }
      assert.deepEqual(turns, [2, 1, 2, 1, 2], 'the newest of those that were never checked');
    },
  },
  {
    name: 'gives the turn of a due attempt that awaits a hint to the one checked longest ago',
    async check(store) {
      const [{ orderId }, second] = await twoOpenIn(store);
      const later = NOW + 60_000;
      await store.endStatusCheck(await takenIn(store, orderId), later, NOW);
      const request = { ...checkAt(orderId), attemptNumber: 2 };
      const numberAt = async (now: number, everySession: boolean) =>
        (await store.beginStatusCheck({ ...request, now, everySession }))?.taken?.number;
      assert.equal(await numberAt(later, false), 2, 'due by its schedule');
      await store.hint(second.merchantOrderId, later + 1);
      assert.equal(await numberAt(later + CHECK_GAP_MS, false), 1, 'due by a hint');
      const again = later + 2 * CHECK_GAP_MS;
      assert.equal(await numberAt(again, false), 2, 'at its own turn');
      await store.hint(second.merchantOrderId, again + 1);
      assert.equal(await numberAt(again + CHECK_GAP_MS, true), 2, 'asked for alone');
    },
  },
  {
    name: 'follows a hint about an order’s only attempt as soon as the gap has passed',
    async check(store) {
      const { orderId, attempt } = await openAttemptIn(store);
      await store.endStatusCheck(await takenIn(store, orderId), NOW + 3_600_000, NOW);
      await store.hint(attempt.merchantOrderId, NOW + 1);
      const due = await store.claimDue(NOW + CHECK_GAP_MS, 1_000, LEASE_MS);
      assert.ok(due.some((one) => one.orderId === orderId));
      assert.equal((await takenIn(store, orderId, NOW + CHECK_GAP_MS)).number, 1);
    },
  },
  {
    name: 'claims first, of what is due at one moment, what was checked longest ago',
    async check(store) {
      const [first, second] = await twoOpenIn(store);
      const { orderId } = first;
      const at = NOW + CHECK_GAP_MS;
      await store.endStatusCheck(await takenIn(store, orderId), at, NOW);
      await store.endStatusCheck(await takenIn(store, orderId, at), at + 60_000, at);
      const record = await store.load(orderId);
      assert.deepEqual(
        record?.attempts.map(({ lastCheckAt }) => lastCheckAt),
        [at, NOW],
      );
      for (const attempt of record.attempts) await store.endStatusCheck(attempt, at + 60_000, at);
      const claimed = await store.claimDue(at + 60_000, 1_000, LEASE_MS);
      const own = claimed.filter((one) => one.orderId === orderId);
      assert.deepEqual(
        own.map(({ attemptNumber }) => attemptNumber),
        [second.number, first.number],
      );
    },
  },
  {
    name: 'puts a hinted attempt off until the gap since its order’s last status check has passed',
    async check(store) {
      const [first, second] = await twoOpenIn(store);
      const { orderId } = first;
      const nextOf = async (number: number): Promise<number | null | undefined> =>
        (await store.load(orderId))?.attempts.find((one) => one.number === number)?.nextCheckAt;
      await store.endStatusCheck(await takenIn(store, orderId), NOW + 3_600_000, NOW);
      const later = NOW + 60_000;
      await store.endStatusCheck(await takenIn(store, orderId, later), later + 3_600_000, later);
      await store.hint(second.merchantOrderId, later + 10);
      const [, waiting] = (await store.load(orderId))?.attempts ?? [];
      assert.ok(waiting);
      await store.endStatusCheck(waiting, later + CHECK_GAP_MS, later + 20);
      assert.equal(await nextOf(2), later + CHECK_GAP_MS);
      // A status check in the future, by a clock that runs ahead, puts nothing off for long.
      await takenIn(store, orderId, later + 3_600_000);
      const ahead = later + 30;
      const [one, two] = (await store.load(orderId))?.attempts ?? [];
      const other = one?.lastCheckAt === later + 3_600_000 ? two : one;
      assert.ok(other);
      await store.hint(other.merchantOrderId, ahead);
      await store.endStatusCheck(other, ahead + CHECK_GAP_MS, ahead);
      assert.equal(await nextOf(other.number), ahead + CHECK_GAP_MS);
    },
  },
];
