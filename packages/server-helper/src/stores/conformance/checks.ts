import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { transactionId } from '../../ids.ts';
import type { Change, PaymentRecord } from '../../payments/payment-record.ts';
import { FAILING_MS, type Store, type Taking, type Wanted } from '../store.ts';
import { HOUR_MS, atOnce, cases, early, ownHour, undisturbed } from './conformance-case.ts';
import {
  GAP_MS,
  LEASE_MS,
  NOW,
  after,
  idOf,
  openedIn,
  paidChange,
  savedIn,
  secondLink,
  watchedAt,
} from './orders.ts';

const taking: Taking = { now: NOW, gapMs: GAP_MS, leaseMs: LEASE_MS, which: 'any' };

/** Claims what is due since an hour that only one case has. */
const claimIn = (
  store: Store<unknown>,
  hour: number,
  now: number,
  wanted: Partial<Wanted & { limit: number; gapMs: number }> = {},
): Promise<readonly string[]> => {
  const { limit = 1_000, gapMs = 0, madeAfter = 0, dueAfter = hour, bySchedule = false } = wanted;
  const lease = { gapMs, leaseMs: LEASE_MS };
  return store.claimDue(now, limit, lease, { dueAfter, madeAfter, bySchedule });
};

/** What every store promises about status checks, and about what is due for one. */
export const checkConformance = cases({
  async 'gives an order to one of ten parallel callers, and then to none within the gap'(store) {
    let record = await openedIn(store);
    const take = (now: number) => store.take(idOf(record), { ...taking, now });
    const all = await atOnce(10, () => take(NOW));
    assert.equal(all.filter((one) => one?.isTaken).length, 1);
    for (const one of all) assert.deepEqual(one, { ...one, record, takenAt: NOW });
    record = await savedIn(store, record, after(record));
    const takenAt = NOW + GAP_MS;
    assert.deepEqual(await take(takenAt - 1), { record, isTaken: false, takenAt: NOW });
    assert.deepEqual(await take(takenAt), { record, isTaken: true, takenAt });
    assert.deepEqual(await store.load(idOf(record)), record);
    assert.ok((await take(NOW + HOUR_MS))?.isTaken);
    const behind = await take(takenAt + GAP_MS);
    assert.ok(behind?.isTaken, 'a clock that runs ahead must not blind the others');
    assert.equal(await store.take(randomUUID(), taking), null);
  },
  async 'takes an order with something to ask about, one without money, or a watched one'(store) {
    const sale = { sessionId: null, transactionId: transactionId(randomUUID()) };
    const rows: readonly (readonly [(one: PaymentRecord) => Change, ...boolean[]])[] = [
      [(one) => watchedAt(one, NOW), true, true, true],
      [(one) => watchedAt(one, null), true, true, false],
      [(one) => watchedAt(one, NOW, { sessionId: null }), false, false, true],
      [(one) => watchedAt(one, null, sale), true, true, false],
      [
        (one) => ({ ...paidChange(one), attempts: watchedAt(one, null).attempts }),
        true,
        false,
        false,
      ],
    ];
    for (const [change, ...wanted] of rows) {
      const opened = await openedIn(store);
      const orderId = idOf(await savedIn(store, opened, change(opened)));
      for (const [index, which] of (['any', 'unpaid', 'watched'] as const).entries()) {
        const taken = await store.take(orderId, { ...taking, gapMs: 0, which });
        assert.equal(taken?.isTaken, wanted[index], `${change} ${which}`);
      }
    }
  },
  async 'leases an order that is taken or claimed until it is saved, where it is watched'(store) {
    const hour = ownHour();
    let record = await openedIn(store, NOW, hour + 1);
    const take = (now: number) => store.take(idOf(record), { ...taking, now });
    const claim = async (now: number) => (await claimIn(store, hour, now)).length;
    assert.equal(await claim(hour), 0);
    const end = hour + 10 + LEASE_MS;
    for (const lend of [take, claim]) {
      await lend(hour + 10);
      assert.deepEqual([await claim(end - 1), await claim(end)], [0, 1]);
      record = await savedIn(store, record, watchedAt(record, hour + 20));
      assert.equal(await claim(hour + 19), 0);
      record = await savedIn(store, record, watchedAt(record, hour + 1));
    }
    assert.ok((await take(end))?.isTaken, 'a claim is no taking');
    record = await savedIn(store, record, secondLink(record, randomUUID(), hour + 5));
    assert.equal(await claim(hour + 1), 1, 'the attempt that is due first');
    record = await savedIn(store, record, watchedAt(record, null));
    assert.ok((await take(end + GAP_MS))?.isTaken);
    assert.equal(await claim(hour + HOUR_MS), 0);
    assert.deepEqual(await store.load(idOf(record)), record);
  },
  async 'gives each due order to one of the parallel claimers, as many as it asks for'(store) {
    const hour = ownHour();
    const all = await atOnce(20, () => openedIn(store, NOW, hour + 1));
    const claims = await atOnce(6, () => claimIn(store, hour, hour + 1, { limit: 3 }));
    assert.ok(claims.every(({ length }) => length <= 3));
    const claimed = [...claims.flat(), ...(await claimIn(store, hour, hour + 1))];
    assert.deepEqual(claimed.toSorted(), all.map(idOf).toSorted());
  },
  async 'claims the longest due first and, of one moment, what was taken longest ago'(store) {
    const hour = ownHour();
    const ids: string[] = [];
    // Saved in another order than they are due in; the last three at one moment.
    for (const [due, takenAt] of [[3], [2], [1], [9, 7], [9], [9, 6]] as const) {
      const record = await openedIn(store);
      const now = hour - HOUR_MS + (takenAt ?? 0);
      if (takenAt !== undefined) await store.take(idOf(record), { ...taking, now });
      ids.push(idOf(await savedIn(store, record, watchedAt(record, hour + due))));
    }
    const claimed = [];
    for (const limit of [1, 3, 1, 1]) {
      claimed.push(...(await claimIn(store, hour, hour + 9, { limit })));
    }
    assert.deepEqual(
      claimed,
      [2, 1, 0, 4, 5, 3].map((index) => ids[index]),
    );
  },
  async 'claims none that was taken within the gap, but for a taking in the future'(store) {
    const hour = ownHour();
    let record = await openedIn(store);
    const claim = async (now: number) =>
      (await claimIn(store, hour, now, { gapMs: GAP_MS })).length;
    for (const now of [hour, hour + HOUR_MS]) {
      await store.take(idOf(record), { ...taking, now });
      record = await savedIn(store, record, watchedAt(record, hour + 1));
      if (now === hour) assert.equal(await claim(hour + GAP_MS - 1), 0);
      assert.equal(await claim(hour + GAP_MS), 1);
    }
  },
  async 'claims, where asked to, what is young or hinted at, or by its age at its last check'(
    store,
  ) {
    const hour = ownHour();
    const now = hour + 15_000;
    const idsOf = (...times: readonly (readonly [number | null, number | null, number])[]) =>
      atOnce(times.length, async (index) => {
        const [hintedAt = null, lastCheckAt = null, due = now] = times[index] ?? [];
        const opened = await openedIn(store, hour);
        const change = watchedAt(opened, due, { hintedAt, lastCheckAt });
        return idOf(await savedIn(store, opened, change));
      });
    const claim = async (wanted: Partial<Wanted>) =>
      new Set(await claimIn(store, hour, now, { dueAfter: now - 5_000, ...wanted }));
    const [old, hinted, followed] = await idsOf(
      [null, null, now],
      [now - 1_000, null, now],
      [now - 2_000, now - 1_500, now],
      [now - 6_000, null, now - 5_000],
    );
    assert.deepEqual(await claim({ madeAfter: hour }), new Set([hinted]));
    assert.deepEqual(await claim({ madeAfter: hour - 1 }), new Set([old, followed]));
    assert.deepEqual(await claim({ madeAfter: hour - 1 }), new Set());
    const [unchecked, grown, recent] = await idsOf(
      [now - 2, null, now],
      [now - 2, hour + 10_000, now],
      [now - 2, hour + 10_001, now],
    );
    assert.deepEqual(await claim({ bySchedule: true, madeAfter: hour }), new Set());
    const bySchedule = await claim({ bySchedule: true, madeAfter: hour - 1 });
    assert.deepEqual(bySchedule, new Set([unchecked, grown]));
    assert.deepEqual(await claim({ madeAfter: hour - 1 }), new Set([recent]));
  },
  'tells how many orders are due, and since when; without more, a claim wants all': (store) =>
    undisturbed(async () => {
      const due = early();
      const tell = async (now: number) => {
        const { dueAttempts, oldestDueAt } = await store.health.backlog(now, []);
        return `${dueAttempts} since ${oldestDueAt}`;
      };
      const record = await openedIn(store, NOW, due);
      assert.deepEqual([await tell(due - 1), await tell(due)], ['0 since null', `1 since ${due}`]);
      const claimed = await store.claimDue(due, 1_000, { gapMs: 0, leaseMs: LEASE_MS });
      assert.deepEqual([claimed, await tell(due)], [[idOf(record)], '0 since null']);
      await savedIn(store, record, watchedAt(record, null));
    }),
  'tells how many orders’ status checks begin and do not end, and since when': (store) =>
    undisturbed(async () => {
      const since = early();
      let record = await openedIn(store);
      const take = async (now: number) =>
        assert.ok((await store.take(idOf(record), { ...taking, now }))?.isTaken);
      const save = async (change: Change, endsCheck = false) => {
        record = await savedIn(store, record, change, { endsCheck });
      };
      const tell = async (at = since) => {
        const { failingOrders, oldestFailingAt } = await store.health.backlog(at + FAILING_MS, []);
        return `${failingOrders} since ${oldestFailingAt}`;
      };
      for (const at of [since, since + GAP_MS]) await take(at);
      await save(after(record));
      assert.equal(await tell(since - 1), '0 since null');
      assert.equal(await tell(), `1 since ${since}`);
      await save(after(record), true);
      assert.equal(await tell(), '0 since null', 'it ended');
      for (const at of [since - GAP_MS, since]) await take(at);
      assert.equal(await tell(), `1 since ${since - GAP_MS}`);
      await save(watchedAt(record, null));
      await take(since + GAP_MS);
      assert.equal(await tell(since + GAP_MS), '0 since null', 'it is not watched');
    }),
});
