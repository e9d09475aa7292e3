import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Change } from '../../payments/payment-record.ts';
import {
  LEASE_MS,
  NOW,
  after,
  changeOf,
  countOf,
  checkAt,
  openAttemptIn,
  openedIn,
  paidChange,
  takenIn,
} from './orders.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { CHECK_GAP_MS } from '../store.ts';

/** The change of a status check that found a declined payment, on a link that may still be paid. */
const failedChange = ({ payment }: Change): Change =>
  changeOf({ ...payment, state: 'failed', version: payment.version + 1 });

/** What every store promises about status checks and what is due. */
export const checkConformance: readonly ConformanceCase[] = [
  {
    name: 'gives an attempt to one of ten parallel callers, and to none until the gap has passed',
    async check(store) {
      const { orderId } = (await openedIn(store)).payment;
      const request = checkAt(orderId);
      const checks = await Promise.all(
        Array.from({ length: 10 }, () => store.beginStatusCheck(request)),
      );
      const taken = checks.map((check) => check?.taken?.number ?? 0);
      assert.equal(countOf(taken, 1), 1);
      const early = await store.beginStatusCheck({ ...request, now: NOW + CHECK_GAP_MS - 1 });
      assert.equal(early?.taken, null);
      const later = await store.beginStatusCheck({ ...request, now: NOW + CHECK_GAP_MS });
      assert.equal(later?.taken?.number, 1);
      const ahead = await store.beginStatusCheck({ ...request, now: NOW + 3_600_000 });
      const behind = await store.beginStatusCheck({ ...request, now: NOW + 2 * CHECK_GAP_MS });
      assert.equal(ahead?.taken?.number, 1);
      assert.equal(behind?.taken?.number, 1, 'a clock that runs ahead must not blind the others');
    },
  },
  {
    name: 'checks a succeeded attempt only when asked to',
    async check(store) {
      const opened = await openedIn(store);
      const attempts = opened.attempts.map((one) => ({
        ...one,
        state: 'succeeded' as const,
        nextCheckAt: null,
      }));
      await store.commit({ ...paidChange(opened, randomUUID()), attempts });
      const { orderId } = opened.payment;
      const request = checkAt(orderId);
      const hinted = await store.beginStatusCheck(request);
      assert.equal(hinted?.taken, null);
      const unless = { ...request, everySession: true, unlessHasMoney: true };
      assert.equal((await store.beginStatusCheck(unless))?.taken, null, 'paid is paid');
      const asked = await store.beginStatusCheck({ ...request, everySession: true });
      assert.equal(asked?.taken?.number, 1);
    },
  },
  {
    name: 'closes an attempt that need not be watched any more',
    async check(store) {
      const { orderId, attempt } = await openAttemptIn(store);
      await store.endStatusCheck(attempt, null, NOW);
      const record = await store.load(orderId);
      assert.deepEqual(
        [record?.attempts[0]?.state, record?.attempts[0]?.nextCheckAt],
        ['closed', null],
      );
    },
  },
  {
    name: 'ends the status checks of a closed attempt that a money operation is watched for',
    async check(store) {
      const { opened, orderId, attempt } = await openAttemptIn(store);
      await store.endStatusCheck(attempt, null, NOW);
      const closed = { ...attempt, state: 'closed' as const, nextCheckAt: NOW + 10 };
      const { payment } = opened;
      const watched = { ...payment, version: payment.version + 1 };
      await store.commit(changeOf(watched, { attempts: [closed] }));
      const later = await takenIn(store, orderId, NOW + 10);
      await store.endStatusCheck(later, NOW + 3_600_000, NOW + 20);
      const again = (await store.load(orderId))?.attempts[0];
      assert.equal(again?.nextCheckAt, NOW + 3_600_000);
      const last = await takenIn(store, orderId, NOW + 3_600_000);
      const change = changeOf({ ...watched, version: watched.version + 1 });
      await store.commit({ ...change, checkEnd: { attempt: last, nextCheckAt: null } });
      const ended = (await store.load(orderId))?.attempts[0];
      assert.deepEqual([ended?.state, ended?.nextCheckAt], ['closed', null]);
      const { log } = await store.history(orderId);
      assert.equal(countOf(log.map(({ kind }) => kind) as string[], 'closed'), 1, 'closed once');
    },
  },
  {
    name: 'keeps an attempt that a hint came for during its last status check',
    async check(store) {
      const { orderId, attempt } = await openAttemptIn(store);
      const taken = await takenIn(store, orderId);
      await store.hint(attempt.merchantOrderId, NOW + 10);
      await store.endStatusCheck(taken, null, NOW);
      assert.equal((await store.load(orderId))?.attempts[0]?.state, 'open');
    },
  },
  {
    name: 'lets a status check that ends after the next one began neither put off nor close the attempt',
    async check(store) {
      const { opened, orderId, attempt } = await openAttemptIn(store);
      const slow = await takenIn(store, orderId);
      const next = await takenIn(store, orderId, NOW + 3_600_000);
      await store.endStatusCheck(slow, null, NOW + 3_600_010);
      await store.endStatusCheck(attempt, null, NOW + 3_600_010);
      const checkEnd = { attempt: slow, nextCheckAt: null };
      const late = await store.commit({ ...failedChange(opened), checkEnd });
      assert.equal(late.outcome, 'committed', 'what it found counts all the same');
      assert.deepEqual((await store.load(orderId))?.attempts, [next]);
      await store.endStatusCheck(next, NOW + 4_000_000, NOW + 3_600_020);
      const [stored] = (await store.load(orderId))?.attempts ?? [];
      assert.equal(stored?.nextCheckAt, NOW + 4_000_000);
    },
  },
  {
    name: 'ends a status check with the change that it found, and logs the change alone',
    async check(store) {
      const opened = await openedIn(store);
      const { orderId } = opened.payment;
      const change = failedChange(opened);
      const attempt = await takenIn(store, orderId);
      const checkEnd = { attempt, nextCheckAt: NOW + 3_600_000 };
      assert.equal((await store.commit({ ...change, checkEnd })).outcome, 'committed');
      const record = await store.load(orderId);
      assert.equal(record?.attempts[0]?.nextCheckAt, NOW + 3_600_000);
      assert.equal(record?.payment.state, 'failed');
      const { log } = await store.history(orderId);
      assert.deepEqual(log.at(-1), { kind: 'change', at: change.payment.updatedAt, change });
    },
  },
  {
    name: 'keeps a hint that arrives before a change ends the status check',
    async check(store) {
      const { opened, orderId, attempt } = await openAttemptIn(store);
      const taken = await takenIn(store, orderId);
      await store.hint(attempt.merchantOrderId, NOW + 10);
      await store.commit({
        ...failedChange(opened),
        checkEnd: { attempt: taken, nextCheckAt: null },
      });
      const [stored] = (await store.load(orderId))?.attempts ?? [];
      assert.equal(stored?.nextCheckAt, NOW + CHECK_GAP_MS);
      assert.equal(stored?.state, 'open');
    },
  },
  {
    name: 'ends a status check without taking back what other changes wrote of the attempt since',
    async check(store) {
      const { opened, orderId, attempt } = await openAttemptIn(store);
      const taken = await takenIn(store, orderId);
      const paid = paidChange(opened, randomUUID());
      const succeeded = { ...attempt, state: 'succeeded' as const, redirectUrl: null };
      await store.commit({ ...paid, attempts: [succeeded] });
      const nextCheckAt = NOW + 3_600_000;
      const end = after(paid, { checkEnd: { attempt: taken, nextCheckAt } });
      assert.equal((await store.commit(end)).outcome, 'committed');
      const [stored] = (await store.load(orderId))?.attempts ?? [];
      assert.deepEqual(stored, { ...succeeded, lastCheckAt: taken.lastCheckAt, nextCheckAt });
    },
  },
  {
    name: 'closes an attempt by the change that ends its last status check, and by none that is refused',
    async check(store) {
      const opened = await openedIn(store);
      const { orderId } = opened.payment;
      const checkEnd = { attempt: await takenIn(store, orderId), nextCheckAt: null };
      const closing = { ...failedChange(opened), checkEnd };
      const refused = { ...closing, payment: { ...closing.payment, version: 9 } };
      assert.equal((await store.commit(refused)).outcome, 'conflict');
      assert.equal((await store.load(orderId))?.attempts[0]?.state, 'open');
      await store.commit(closing);
      assert.equal((await store.load(orderId))?.attempts[0]?.state, 'closed');
      const { log } = await store.history(orderId);
      assert.deepEqual(
        log.slice(-2).map(({ kind }) => kind),
        ['change', 'closed'],
      );
    },
  },
  {
    name: 'says since when the status checks of an order begin and none ends',
    async check(store) {
      const minute = 60_000;
      const { opened, orderId, attempt } = await openAttemptIn(store);
      const since = async () => (await store.load(orderId))?.attempts[0]?.unendedSince;
      const failing = async () => (await store.backlog(NOW + 6 * minute, [])).failingOrders;
      const before = await failing();
      await takenIn(store, orderId, NOW);
      const second = await takenIn(store, orderId, NOW + minute);
      assert.equal(await since(), NOW);
      assert.equal(await failing(), before + 1);
      await store.claimDue(NOW + 2 * minute, 1_000, LEASE_MS);
      await store.hint(attempt.merchantOrderId, NOW + 2 * minute);
      await store.endStatusCheck({ ...second, unendedSince: null }, NOW + 3 * minute, NOW);
      assert.equal(await since(), NOW, 'none of these ended a check');
      await store.endStatusCheck(second, NOW + 3 * minute, NOW + 2 * minute);
      assert.equal(await since(), null);
      const third = await takenIn(store, orderId, NOW + 4 * minute);
      assert.equal(await since(), NOW + 4 * minute);
      assert.equal(await failing(), before);
      const checkEnd = { attempt: third, nextCheckAt: NOW + 5 * minute };
      await store.commit({ ...failedChange(opened), checkEnd });
      assert.equal(await since(), null);
    },
  },
  {
    name: 'gives each due attempt to one of the parallel claimers, and again after its lease',
    async check(store) {
      const { orderId } = (await openedIn(store)).payment;
      const due = NOW + 15_000;
      const claim = async (now: number) =>
        (await store.claimDue(now, 1_000, LEASE_MS)).map((attempt) => attempt.orderId);
      assert.equal(countOf(await claim(due - 1), orderId), 0);
      const claims = await Promise.all([claim(due), claim(due), claim(due)]);
      assert.equal(countOf(claims.flat(), orderId), 1);
      assert.equal(countOf(await claim(due + LEASE_MS), orderId), 1);
    },
  },
  {
    name: 'claims the attempt that is due for longest first',
    async check(store) {
      const orders = await Promise.all(Array.from({ length: 8 }, () => openedIn(store)));
      const [late, ...rest] = orders.map(({ attempts }) => attempts[0]);
      assert.ok(late);
      const due = [...rest, late].map((attempt, index) => ({ attempt, at: NOW + index }));
      // Written in another order than they are due in.
      for (const { attempt, at } of due.toReversed()) {
        assert.ok(attempt);
        await store.endStatusCheck(attempt, at, NOW);
      }
      const claimed = await store.claimDue(NOW + due.length, 1_000, LEASE_MS);
      const own = claimed.filter(({ orderId }) =>
        due.some(({ attempt }) => attempt?.orderId === orderId),
      );
      assert.deepEqual(
        own.map(({ orderId }) => orderId),
        due.map(({ attempt }) => attempt?.orderId),
      );
    },
  },
];
