import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { PaymentEventType, PaymentRecord } from '../../payments/record.ts';
import { type Delivery, LONGEST_DELIVERY_WAIT_MS, MAX_COUNTED, type Store } from '../store.ts';
import { atOnce, cases, LEASE_MS, NOW, ownType, told } from './case.ts';
import { after, eventOf, idOf, namedIn, openedIn, paidChange, savedIn, saveOf } from './orders.ts';

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
