import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { transactionId } from '../../ids.ts';
import type { PaymentEventType, PaymentRecord } from '../../payments/record.ts';
import {
  type Delivery,
  FAILING_MS,
  LONGEST_DELIVERY_WAIT_MS,
  MAX_COUNTED,
  type Store,
  type Wanted,
} from '../store.ts';
import {
  after,
  atOnce,
  cases,
  early,
  eventOf,
  GAP_MS,
  idOf,
  LEASE_MS,
  namedIn,
  NOW,
  openedIn,
  ownHour,
  ownType,
  paidChange,
  savedIn,
  saveOf,
  secondLink,
  taking,
  told,
  undisturbed,
  watchedAt,
} from './orders.ts';

/** Claims what is due since an hour that only one case has. */
const dueIn = (
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
    const claim = async (now: number) => (await dueIn(store, hour, now)).length;
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
    const claims = await atOnce(6, () => dueIn(store, hour, hour + 1, { limit: 3 }));
    assert.ok(claims.every(({ length }) => length <= 3));
    const claimed = [...claims.flat(), ...(await dueIn(store, hour, hour + 1))];
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
      const some = await dueIn(store, hour, now, { limit, gapMs: GAP_MS });
      claimed.push(...some.map((id) => ids.indexOf(id)));
    }
    assert.deepEqual(claimed, [2, 1, 0, 4, 3, 5]);
    assert.deepEqual(await dueIn(store, hour, now + 1, { gapMs: GAP_MS }), ids.slice(6));
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
      return (await dueIn(store, hour, now, wanted)).toSorted();
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

/** Saves an order, and an event of each of some types, each in a save of its own. */
async function eventsIn(store: Store<unknown>, ...types: readonly PaymentEventType[]) {
  let record = await openedIn(store);
  const events = types.map((type) => eventOf(record, type));
  for (const event of events)
    record = await savedIn(store, record, after(record, { events: [event] }));
  return { record, events };
}

/** What a process with handlers of these types gets. */
const claimIn = (store: Store<unknown>, types: readonly PaymentEventType[], now = NOW) =>
  store.claimEvents(now, 1_000, LEASE_MS, types);

/** Claims an event that is sure to be due. */
async function claimed(store: Store<unknown>, type: PaymentEventType, now = NOW) {
  const [delivery, ...others] = await claimIn(store, [type], now);
  assert.deepEqual(others, []);
  return delivery ?? assert.fail('no event is due');
}

/** An order whose one event is delivered. */
async function finishedIn(store: Store<unknown>, type = ownType()): Promise<PaymentRecord> {
  const { record } = await eventsIn(store, type);
  await store.endDelivery(await claimed(store, type), { outcome: 'done' });
  return record;
}

const idsOf = (all: readonly Pick<Delivery, 'event'>[]) => all.map(({ event }) => event.id);

/** What {@link Store.archive} is given of an order. */
const asked = ({ payment: { orderId, version } }: PaymentRecord) => ({ orderId, version });

/** What every store promises about events, their deliveries and the archive. */
export const eventConformance = cases({
  async 'delivers an event until it is reported done, and fences a late report'(store) {
    const type = ownType();
    const { record, events } = await eventsIn(store, type);
    const stored = async () => (await store.history(idOf(record))).events;
    const [event] = events;
    assert.deepEqual(await claimIn(store, [type], NOW - 1), []);
    const first = await claimed(store, type);
    assert.deepEqual(first, { event, tryNumber: 1 });
    assert.deepEqual(await claimIn(store, [type], NOW + LEASE_MS - 1), []);
    const second = await claimed(store, type, NOW + LEASE_MS);
    assert.deepEqual(second, { event, tryNumber: 2 });
    for (const outcome of ['done', 'dead'] as const) await store.endDelivery(first, { outcome });
    await store.endDelivery(first, { outcome: 'again', at: NOW });
    assert.deepEqual(await stored(), [{ event, outcome: 'waiting', tries: 2 }]);
    assert.deepEqual(await claimIn(store, [type], NOW + LEASE_MS), [], 'a late report is nothing');
    // A try is made a dead letter before it begins, and ends all the same.
    for (const outcome of ['dead', 'done'] as const) {
      await store.endDelivery(second, { outcome });
      assert.deepEqual(await stored(), [{ event, outcome, tries: 2 }]);
      assert.deepEqual(await claimIn(store, [type], NOW + 9 * LEASE_MS), []);
    }
  },
  async 'gives each event to one of the parallel claimers, as many as it asks for'(store) {
    const types = [ownType(), ownType()];
    const all = await atOnce(20, (index) => eventsIn(store, types[index % 2] ?? 'paid'));
    const claims = await atOnce(6, () => store.claimEvents(NOW, 3, LEASE_MS, types));
    assert.ok(claims.every(({ length }) => length <= 3));
    const found = idsOf([...claims.flat(), ...(await claimIn(store, types))]);
    const wanted = all.flatMap(({ events }) => events.map(({ id }) => id));
    assert.deepEqual(found.toSorted(), wanted.toSorted());
  },
  async 'hands out an order’s events of the asked types one by one, as they happened'(store) {
    const [one, two, other] = [ownType(), ownType(), ownType()];
    const { record, events } = await eventsIn(store, one, other, two, one);
    assert.deepEqual(await claimIn(store, []), []);
    for (const event of events.filter(({ type }) => type !== other)) {
      assert.deepEqual(await claimIn(store, [two, one]), [{ event, tryNumber: 1 }]);
      assert.deepEqual(await claimIn(store, [one, two]), [], 'one is at work');
      const again = { outcome: 'again', at: NOW + 2 * LEASE_MS } as const;
      await store.endDelivery({ event, tryNumber: 1 }, again);
      assert.deepEqual(await claimIn(store, [one, two]), [], 'one waits for its next try');
      assert.deepEqual(await claimIn(store, [one, two], again.at), [{ event, tryNumber: 2 }]);
      const outcome = event === events[0] ? 'dead' : 'done';
      await store.endDelivery({ event, tryNumber: 2 }, { outcome });
    }
    const { events: queued } = await store.history(idOf(record));
    assert.deepEqual(
      idsOf(queued),
      events.map(({ id }) => id),
    );
    const outcomes = queued.map(({ outcome }) => outcome).join(' ');
    assert.equal(outcomes, 'dead waiting done done');
  },
  async 'keeps an event as it is where a save has its id again, and saves the rest'(store) {
    const type = ownType();
    const record = await finishedIn(store, type);
    const [stored = assert.fail('it is delivered')] = (await store.history(idOf(record))).events;
    const event = eventOf(record, type);
    const events = [{ ...stored.event, occurredAt: 'later' }, event];
    const next = await savedIn(store, record, after(record, { events }));
    const history = await store.history(idOf(record));
    assert.deepEqual(await store.load(idOf(record)), next);
    assert.deepEqual(history.events, [stored, { event, outcome: 'waiting', tries: 0 }]);
    assert.deepEqual(await claimed(store, type, NOW + LEASE_MS), { event, tryNumber: 1 });
  },
  async 'keeps a dead letter until a save delivers it anew, and no event that is no such'(store) {
    const type = ownType();
    const { record: first, events } = await eventsIn(store, type);
    const [event = assert.fail('it is saved')] = events;
    let record: PaymentRecord = first;
    const anew = async (at: number) => {
      record = await savedIn(store, record, after(record), { redelivers: event.id, at });
      return (await store.history(idOf(record))).events;
    };
    const dead = async () =>
      (await store.deadLetters(1_000)).filter((one) => one.event.id === event.id);
    const delivery = await claimed(store, type);
    assert.deepEqual(await anew(NOW), [{ event, outcome: 'waiting', tries: 1 }]);
    assert.deepEqual([await claimIn(store, [type]), await dead()], [[], []], 'it is at work');
    await store.endDelivery(delivery, { outcome: 'dead' });
    assert.deepEqual(await dead(), [{ event, outcome: 'dead', tries: 1 }]);
    assert.equal((await store.deadLetters(1)).length, 1);
    const at = NOW + LEASE_MS;
    assert.deepEqual(await claimIn(store, [type], at), []);
    assert.deepEqual(await anew(at), [{ event, outcome: 'waiting', tries: 0 }]);
    assert.deepEqual([await dead(), await claimIn(store, [type], at - 1)], [[], []]);
    const again = await claimed(store, type, at);
    assert.deepEqual(again, { event, tryNumber: 1 });
    await store.endDelivery(again, { outcome: 'done' });
    assert.deepEqual(await anew(at), [{ event, outcome: 'done', tries: 1 }]);
  },
  async 'makes due an event that a clock which ran ahead has put off'(store) {
    const type = ownType();
    await eventsIn(store, type);
    const back = NOW - LONGEST_DELIVERY_WAIT_MS;
    assert.deepEqual(await claimIn(store, [type], back), []);
    assert.equal((await claimed(store, type, back - 1)).tryNumber, 1);
    assert.deepEqual(await claimIn(store, [type], back), []);
    assert.equal((await claimed(store, type, back + LEASE_MS)).tryNumber, 2);
  },
  async 'counts the undelivered events of the asked types, and archives no order of theirs'(store) {
    const [one, two] = [ownType(), ownType()];
    const { record } = await eventsIn(store, one);
    const { record: other } = await eventsIn(store, two);
    const archive = () =>
      store.archive([{ ...asked(record), orderId: randomUUID() }, asked(record)]);
    const tell = async (now: number, ...types: readonly PaymentEventType[]) => {
      assert.equal(await archive(), 0);
      return told(store, now, ['undelivered', 'oldestUndeliveredAt'], types);
    };
    assert.equal(await tell(NOW), '0 since null');
    assert.equal(await tell(NOW, one, two), `2 since ${NOW}`);
    assert.equal(await tell(NOW - 1, one), '1 since null');
    const delivery = await claimed(store, one);
    assert.equal(await tell(NOW, one), '1 since null', 'it is at work');
    await store.endDelivery(delivery, { outcome: 'dead' });
    assert.equal(await tell(NOW, one), '0 since null');
    await store.endDelivery(delivery, { outcome: 'done' });
    assert.equal(await store.archive([{ ...asked(record), version: 2 }]), 0, 'it has changed');
    assert.deepEqual([await archive(), await archive()], [1, 0]);
    const events = Array.from({ length: MAX_COUNTED + 1 }, () => eventOf(other, two));
    await savedIn(store, other, after(other, { events }));
    assert.equal(await tell(NOW, two), `${MAX_COUNTED} since ${NOW}`);
  },
  async 'reads an archived order as before, and archives again what changes after it'(store) {
    const opened = await openedIn(store);
    let record = await savedIn(store, opened, { ...paidChange(opened), events: [] });
    const names = [{ kind: 'transaction', name: record.ledger[0]?.transactionId ?? '' }] as const;
    const read = async () => {
      const { log, events } = await store.history(idOf(record));
      return [await store.load(idOf(record)), log, events, await namedIn(store, ...names)];
    };
    const type = ownType();
    for (const changes of [false, true]) {
      const events = [eventOf(record, type)];
      if (changes) record = await savedIn(store, record, after(record, { events }));
      if (changes) await store.endDelivery(await claimed(store, type), { outcome: 'done' });
      const before = await read();
      assert.equal(await store.archive([asked(record)]), 1);
      assert.deepEqual(await read(), before);
    }
    assert.equal((await store.history(idOf(record))).log.length, 4);
    const thief = await openedIn(store);
    const { outcome } = await store.save(saveOf(thief, after(thief), { names }));
    assert.equal(outcome, 'name_taken');
  },
  async 'archives each order once beside other archivers, and loses nothing of changes'(store) {
    const all = await atOnce(12, () => finishedIn(store));
    const [changing, quiet] = [all.slice(0, 6), all.slice(6)];
    const read = () => Promise.all(all.map((one) => store.history(idOf(one))));
    const before = await read();
    const saves = changing.map((one) => saveOf(one, after(one, {}, { cancelled: true })));
    const [moved] = await Promise.all([
      atOnce(4, () => store.archive(quiet.map(asked))),
      store.archive(changing.map(asked)),
      ...saves.map((save) => store.save(save)),
    ]);
    // One that another archiver has locked is passed over, so the last run finds what is left.
    moved.push(await store.archive(quiet.map(asked)));
    assert.equal(
      moved.reduce((sum, one) => sum + one),
      quiet.length,
    );
    const changed = before.map(({ log, events }, index) => {
      const { entry = null } = saves[index] ?? {};
      return { log: entry === null ? log : [...log, entry], events };
    });
    assert.deepEqual(await read(), changed);
  },
});
