import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { attemptName, merchantOrderId, sessionId } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { LEASE_MS, NOW, openAttemptIn, openedIn, paidChange, takenIn } from './orders.ts';
import { AWAITED_MS, CHECK_GAP_MS } from '../store.ts';

/** What every store promises about hints. */
export const hintConformance: readonly ConformanceCase[] = [
  {
    name: 'keeps a hint that arrives while a status check is under way',
    async check(store) {
      const { orderId, attempt } = await openAttemptIn(store);
      const taken = await takenIn(store, orderId);
      assert.equal(await store.hint(attempt.merchantOrderId, NOW + 10), orderId);
      await store.endStatusCheck(taken, NOW + 3_600_000, NOW);
      const record = await store.load(orderId);
      assert.equal(record?.attempts[0]?.nextCheckAt, NOW + CHECK_GAP_MS);
    },
  },
  {
    name: 'keeps a hint that an older and slower one overtakes',
    async check(store) {
      const { orderId, attempt } = await openAttemptIn(store);
      const taken = await takenIn(store, orderId);
      await store.hint(attempt.merchantOrderId, NOW + 10);
      await store.hint(attempt.merchantOrderId, NOW - 10);
      await store.endStatusCheck(taken, NOW + 3_600_000, NOW);
      const record = await store.load(orderId);
      assert.equal(record?.attempts[0]?.nextCheckAt, NOW + CHECK_GAP_MS);
    },
  },
  {
    name: 'follows a hint as soon as it may, whatever stood there before',
    async check(store) {
      const { orderId, attempt } = await openAttemptIn(store);
      const hintAt = async (now: number) => {
        assert.equal(await store.hint(attempt.merchantOrderId, now), orderId);
        return (await store.load(orderId))?.attempts[0]?.nextCheckAt;
      };
      assert.equal(await hintAt(NOW + 10), NOW + 10);
      assert.equal(await hintAt(NOW + 20), NOW + 10, 'the first is to be followed still');
      await store.claimDue(NOW + 30, 1_000, LEASE_MS);
      assert.equal(await hintAt(NOW + 40), NOW + 40, 'who claimed it may have died since');
      const taken = await takenIn(store, orderId, NOW + 50);
      assert.equal(await hintAt(NOW + 60), NOW + 50 + CHECK_GAP_MS, 'the check came before it');
      assert.equal(await hintAt(NOW + 70), NOW + 50 + CHECK_GAP_MS);
      await store.endStatusCheck(taken, NOW + 3_600_000, NOW + 80);
      const record = await store.load(orderId);
      assert.equal(record?.attempts[0]?.nextCheckAt, NOW + 50 + CHECK_GAP_MS);
    },
  },
  {
    name: 'follows a hint about an overdue attempt as one that a shopper waits for, once',
    async check(store) {
      const { payment, attempts } = await openedIn(store);
      const [attempt] = attempts;
      assert.ok(attempt);
      const now = NOW + 3_600_000;
      const hintAt = async (at: number): Promise<number | null | undefined> => {
        await store.hint(merchantOrderId(attempt.merchantOrderId), at);
        return (await store.load(payment.orderId))?.attempts[0]?.nextCheckAt;
      };
      await store.endStatusCheck(attempt, now - AWAITED_MS, NOW);
      assert.equal(await hintAt(now), now);
      const later = now + 2 * AWAITED_MS;
      assert.equal(await hintAt(later), now, 'further hints put it behind no others');
    },
  },
  {
    name: 'answers a hint about an unknown attempt with nothing',
    async check(store) {
      assert.equal(await store.hint(merchantOrderId(`${randomUUID()}~1`), NOW), null);
    },
  },
  {
    name: 'follows a hint about any link, watched or not',
    async check(store) {
      const { opened, orderId, attempt } = await openAttemptIn(store);
      await store.endStatusCheck(attempt, null, NOW);
      const before = NOW - 10_000;
      assert.equal(await store.hint(attempt.merchantOrderId, before), orderId, 'ended by time');
      await store.endStatusCheck(await takenIn(store, orderId, before), null, before);
      const second: Attempt = {
        ...attempt,
        number: 2,
        state: 'succeeded',
        merchantOrderId: attemptName(orderId, 2),
        sessionId: sessionId(randomUUID()),
        nextCheckAt: null,
      };
      await store.commit({ ...paidChange(opened, randomUUID()), attempts: [second] });
      for (const name of [attempt.merchantOrderId, second.merchantOrderId]) {
        assert.equal(await store.hint(name, NOW + 10), orderId);
      }
      const hinted = { dueAfter: NOW, madeAfter: NOW + 10, bySchedule: false };
      const claimed = await store.claimDue(NOW + 10, 1_000, LEASE_MS, hinted);
      const own = claimed.filter((one) => one.orderId === orderId);
      assert.deepEqual(
        own.map(({ attemptNumber }) => attemptNumber).toSorted((a, b) => a - b),
        [1, 2],
      );
      const taken = await takenIn(store, orderId, NOW + 20);
      await store.endStatusCheck(taken, null, NOW + 20);
      const record = await store.load(orderId);
      const checked = record?.attempts.find(({ number }) => number === taken.number);
      assert.deepEqual([checked?.nextCheckAt, checked?.state], [null, taken.state]);
    },
  },
  {
    name: 'claims, where asked to, only what is young or hinted at, and is due since lately',
    async check(store) {
      const orders = await Promise.all(Array.from({ length: 4 }, () => openedIn(store)));
      const [old, hinted, followed, late] = orders.map(({ attempts }) => attempts[0]);
      assert.ok(old && hinted && followed && late);
      const ids = new Set(orders.map(({ payment }) => payment.orderId));
      const now = NOW + 3_600_000;
      await store.endStatusCheck(old, now - 1_000, NOW);
      await store.endStatusCheck(hinted, now + 60_000, NOW);
      await store.endStatusCheck(late, now - 9_000, NOW);
      await store.hint(merchantOrderId(late.merchantOrderId), now - 9_000);
      await store.hint(merchantOrderId(hinted.merchantOrderId), now - 1_000);
      await store.hint(merchantOrderId(followed.merchantOrderId), now - 2_000);
      const taken = await takenIn(store, followed.orderId, now - 1_500);
      await store.endStatusCheck(taken, now - 1_000, now - 1_000);
      const claim = async (madeAfter: number, at = now): Promise<readonly string[]> => {
        const wanted = { dueAfter: at - 5_000, madeAfter, bySchedule: false };
        const claimed = await store.claimDue(at, 1_000, LEASE_MS, wanted);
        return claimed.map(({ orderId }) => orderId).filter((id) => ids.has(id));
      };
      assert.deepEqual(await claim(NOW), [hinted.orderId]);
      const young = await claim(NOW - 1);
      assert.deepEqual(young.toSorted(), [followed.orderId, old.orderId].toSorted());
      assert.deepEqual(await claim(NOW - 1), []);
    },
  },
  {
    name: 'claims, where asked to, young attempts by their age since the last status check, hinted or not',
    async check(store) {
      const orders = await Promise.all(Array.from({ length: 3 }, () => openedIn(store)));
      const [unchecked, grown, recent] = orders.map(({ attempts }) => attempts[0]);
      assert.ok(unchecked && grown && recent);
      const ids = new Set(orders.map(({ payment }) => payment.orderId));
      const now = NOW + 15_000;
      await takenIn(store, grown.orderId, NOW + 10_000);
      await takenIn(store, recent.orderId, NOW + 10_001);
      for (const attempt of [unchecked, grown, recent]) {
        await store.hint(attempt.merchantOrderId, NOW + 10_002);
      }
      const claim = async (bySchedule: boolean, madeAfter: number): Promise<readonly string[]> => {
        const wanted = { dueAfter: NOW, madeAfter, bySchedule };
        const claimed = await store.claimDue(now + 1, 1_000, LEASE_MS, wanted);
        return claimed.map(({ orderId }) => orderId).filter((id) => ids.has(id));
      };
      assert.deepEqual(await claim(true, NOW), [], 'none is young');
      assert.deepEqual(await claim(true, NOW - 1), [unchecked.orderId, grown.orderId]);
      assert.deepEqual(await claim(false, NOW - 1), [recent.orderId]);
    },
  },
];
