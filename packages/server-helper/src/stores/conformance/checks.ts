import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { transactionId } from '../../ids.ts';
import { FAILING_MS, type Store, type Wanted } from '../store.ts';
import {
  atOnce,
  cases,
  early,
  GAP_MS,
  LEASE_MS,
  NOW,
  ownHour,
  taking,
  told,
  undisturbed,
} from './case.ts';
import { after, idOf, openedIn, paidChange, savedIn, secondLink, watchedAt } from './orders.ts';

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
    assert.ok((await take(NOW + 9 * LEASE_MS))?.isTaken);
    const behind = await take(takenAt + GAP_MS);
    assert.ok(behind?.isTaken, 'a clock that runs ahead must not blind the others');
    assert.equal(await store.take(randomUUID(), taking), null);
  },
  async 'takes an order with something to ask about, one without money, or a watched one'(store) {
    const sale = { sessionId: null, transactionId: transactionId(randomUUID()) };
    for (const [at, rest, isPaid, wanted] of [
      [NOW, {}, false, 'any unpaid watched'],
      [NOW, {}, true, 'any watched'],
      [NOW, { sessionId: null }, false, 'watched'],
      [null, {}, false, 'any unpaid'],
      [null, sale, false, 'any unpaid'],
      [null, sale, true, 'any'],
    ] as const) {
      const opened = await openedIn(store);
      const { attempts } = watchedAt(opened, at, rest);
      const change = isPaid ? paidChange(opened) : after(opened);
      const orderId = idOf(await savedIn(store, opened, { ...change, attempts }));
      const took: string[] = [];
      for (const which of ['any', 'unpaid', 'watched'] as const) {
        const taken = await store.take(orderId, { ...taking, gapMs: 0, which });
        if (taken?.isTaken) took.push(which);
      }
      assert.equal(took.join(' '), wanted);
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
    assert.equal(await claim(hour + 9 * LEASE_MS), 0);
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
  async 'claims the longest due first, then the one taken longest ago, none within the gap'(store) {
    const hour = ownHour();
    const now = hour + 9;
    // Saved in another order than they are due in. A taking in the future does not count.
    const takings = [null, null, null, now - GAP_MS, null, now + LEASE_MS, now - GAP_MS + 1];
    const ids: string[] = [];
    for (const [index, takenAt] of takings.entries()) {
      const record = await openedIn(store);
      if (takenAt !== null) await store.take(idOf(record), { ...taking, now: takenAt });
      const due = index < 3 ? now - 1 - index : now;
      ids.push(idOf(await savedIn(store, record, watchedAt(record, due))));
    }
    const claimed: number[] = [];
    for (const limit of [1, 3, 1, 9]) {
      const some = await claimIn(store, hour, now, { limit, gapMs: GAP_MS });
      claimed.push(...some.map((id) => ids.indexOf(id)));
    }
    assert.deepEqual(claimed, [2, 1, 0, 4, 3, 5]);
    assert.deepEqual(await claimIn(store, hour, now + 1, { gapMs: GAP_MS }), ids.slice(6));
  },
  async 'claims, where asked to, only what is young, hinted at, or has grown by half'(store) {
    const hour = ownHour();
    const now = hour + 15_000;
    const idAt = async (hintedAt: number | null, lastCheckAt: number | null, due = now) => {
      const opened = await openedIn(store, hour);
      return idOf(await savedIn(store, opened, watchedAt(opened, due, { hintedAt, lastCheckAt })));
    };
    const claim = async (madeAfter: number, bySchedule = false) => {
      const wanted = { dueAfter: now - 5_000, madeAfter, bySchedule };
      return (await claimIn(store, hour, now, wanted)).toSorted();
    };
    await idAt(now - 6_000, null, now - 5_000);
    const young = [await idAt(null, null), await idAt(now - 2_000, now - 1_500)];
    const hinted = await idAt(now - 1_000, null);
    assert.deepEqual(await claim(hour), [hinted]);
    assert.deepEqual([await claim(hour - 1), await claim(hour - 1)], [young.toSorted(), []]);
    const grown = [await idAt(now - 2, null), await idAt(now - 2, hour + 10_000)];
    const recent = await idAt(now - 2, hour + 10_001);
    assert.deepEqual(await claim(hour, true), []);
    assert.deepEqual(await claim(hour - 1, true), grown.toSorted());
    assert.deepEqual(await claim(hour - 1), [recent]);
  },
  'tells how many orders are due, and since when; without more, a claim wants all': (store) =>
    undisturbed(async () => {
      const due = early();
      const tell = (now: number) => told(store, now, ['dueAttempts', 'oldestDueAt']);
      const record = await openedIn(store, NOW, due);
      const before = [await tell(due - 1), await tell(due)];
      const claimed = await store.claimDue(due, 1_000, { gapMs: 0, leaseMs: LEASE_MS });
      const leased = await tell(due);
      await savedIn(store, record, watchedAt(record, null));
      assert.deepEqual([...before, leased], ['0 since null', `1 since ${due}`, '0 since null']);
      assert.deepEqual(claimed, [idOf(record)]);
    }),
  'tells how many orders’ status checks begin and do not end, and since when': (store) =>
    undisturbed(async () => {
      const since = early();
      let record = await openedIn(store);
      const take = (now: number) => store.take(idOf(record), { ...taking, now });
      const tell = (now: number) =>
        told(store, now + FAILING_MS, ['failingOrders', 'oldestFailingAt']);
      for (const now of [since, since + GAP_MS]) await take(now);
      record = await savedIn(store, record, after(record));
      const begun = [await tell(since - 1), await tell(since)];
      record = await savedIn(store, record, after(record), { endsCheck: true });
      begun.push(await tell(since));
      for (const now of [since - GAP_MS, since]) await take(now);
      begun.push(await tell(since));
      record = await savedIn(store, record, watchedAt(record, null));
      await take(since + GAP_MS);
      begun.push(await tell(since + GAP_MS));
      const [first, second] = [`1 since ${since}`, `1 since ${since - GAP_MS}`];
      assert.deepEqual(begun, ['0 since null', first, '0 since null', second, '0 since null']);
    }),
});
