import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Name, replay, unwatched } from '../../payments/document.ts';
import type { Change, PaymentRecord } from '../../payments/record.ts';
import type { CommitHook, Store } from '../store.ts';
import { atOnce, cases, HOUR_MS, NOW, ownHour } from './case.ts';
import {
  after,
  createdIn,
  eventOf,
  idOf,
  movementOf,
  namedIn,
  openedIn,
  openOrder,
  paidChange,
  refundOf,
  reviewOf,
  savedIn,
  saveOf,
  secondLink,
  unsaved,
  watchedAt,
} from './orders.ts';

/** A text that is stored as it is: quotes, a spelled U+0000, line separators, and two alphabets. */
const ODD = String.raw`"'\u0000\\ %_ ` + '\u2028\n\t جنيه é';

/** The change that gives an order a name of each kind, of one text. */
const naming = (record: PaymentRecord, name: string): Change => ({
  ...secondLink(record, name),
  ledger: paidChange(record, name).ledger,
  operations: [refundOf(record, name)],
});

/** What a save may change of an order. */
const readIn = async (store: Store<unknown>, orderId: string) =>
  [await store.load(orderId), await store.history(orderId)] as const;

const waiting = { outcome: 'waiting', tries: 0 } as const;

/** What every store promises about saves and names. */
export const saveConformance = cases({
  async 'gives a document back as it was saved, with all that another release added'(store) {
    const { reserved } = openOrder();
    const added = { a: [1, null, { text: ODD }, []], ratio: 0.1, big: Number.MAX_SAFE_INTEGER };
    const taking = { now: NOW, gapMs: 0, leaseMs: 0, which: 'any' } as const;
    const reviews = [reviewOf(reserved, 'paid_late', { resolvedAt: NOW, resolution: ODD })];
    let before: PaymentRecord | null = null;
    for (const change of [reserved, after(reserved, { attempts: reserved.attempts, reviews })]) {
      const save = saveOf(before, change);
      const { payment, attempts } = save.record;
      const deep = attempts.map((one) => ({ ...one, amount: { ...one.amount, added } }));
      const more = { added, format: 7, payment: { ...payment, added }, attempts: deep };
      const record = { ...save.record, ...more };
      assert.equal((await store.save({ ...save, record })).outcome, 'saved');
      assert.deepEqual(await store.load(idOf(record)), record);
      assert.deepEqual((await store.take(idOf(record), taking))?.record, record);
      assert.deepEqual(await store.save(save), { outcome: 'conflict', record });
      before = record;
    }
  },
  async 'answers a save on another version by a conflict with the stored document'(store) {
    const opened = await openedIn(store);
    const before = await readIn(store, idOf(opened));
    const hook = () => assert.fail('nothing is saved');
    for (const version of [1, 2, 4, 9]) {
      const payment = { ...opened.payment, version };
      const result = await store.save(saveOf(opened, { ...paidChange(opened), payment }), hook);
      assert.deepEqual(result, { outcome: 'conflict', record: opened });
    }
    assert.deepEqual(await readIn(store, idOf(opened)), before);
    const { reserved } = openOrder();
    const late = await store.save(saveOf(null, after(reserved)));
    assert.deepEqual(late, { outcome: 'conflict', record: null });
    assert.deepEqual(await readIn(store, idOf(reserved)), [null, { log: [], events: [] }]);
  },
  async 'lets one of twenty parallel savers win, and runs its hook once'(store) {
    for (const before of [null, await openedIn(store)]) {
      const payer = before ?? unsaved();
      const saves = Array.from({ length: 20 }, () => saveOf(before, paidChange(payer)));
      const given: unknown[] = [];
      const hook: CommitHook<unknown> = (_tx, event) => void given.push(event);
      const results = await Promise.all(saves.map((save) => store.save(save, hook)));
      const winner = results.findIndex(({ outcome }) => outcome === 'saved');
      const { record, events, entry } = saves[winner] ?? assert.fail('no saver won');
      const others = results.filter((_, index) => index !== winner);
      // A loser need not wait for the winner: it may have the document that the winner found.
      const conflicts = [record, before].map((one) => ({ outcome: 'conflict', record: one }));
      const isOne = (result: unknown) => conflicts.some((one) => isDeepStrictEqual(one, result));
      assert.ok(others.every(isOne));
      const [stored, history] = await readIn(store, idOf(record));
      assert.deepEqual([stored, given, history.log.at(-1)], [record, events, entry]);
      assert.deepEqual(history.events, [{ event: events[0], ...waiting }]);
    }
  },
  async 'saves nothing of a change whose hook throws or does not end, and else all of it'(store) {
    for (const before of [null, await openedIn(store)]) {
      const [from, paid] = [ownHour(), paidChange(before ?? unsaved())];
      const operations = [refundOf(paid, randomUUID(), { reference: randomUUID() })];
      const events = [...paid.events, eventOf(paid, 'paidLate')];
      const movements = [movementOf(paid, from)];
      const save = saveOf(before, { ...paid, operations, events }, { movements });
      const read = async () => {
        const [figures] = await store.figures([{ from, to: from + HOUR_MS }]);
        const found = await Promise.all(save.names.map((name) => namedIn(store, name)));
        return [await readIn(store, idOf(paid)), figures?.moved.length, found] as const;
      };
      const stored = await read();
      const given: unknown[] = [];
      const throwing: CommitHook<unknown> = (_tx, event) => {
        if (given.push(event) === 2) throw new Error('the merchant refuses');
      };
      await assert.rejects(store.save(save, throwing));
      await assert.rejects(store.save(save, () => new Promise(() => undefined), 20));
      assert.deepEqual([given, await read()], [events, stored]);
      assert.equal((await store.save(save, () => undefined)).outcome, 'saved');
      const log = [...stored[0][1].log, save.entry];
      const history = { log, events: events.map((event) => ({ event, ...waiting })) };
      const found = save.names.map(() => [idOf(paid)]);
      assert.deepEqual(await read(), [[save.record, history], 1, found]);
    }
  },
  async 'never takes a statement’s error for a save when the hook swallowed it'(store) {
    const opened = await openedIn(store);
    const swallowing = async (tx: unknown): Promise<void> => {
      const { query } = tx as { query?: (sql: string) => Promise<unknown> };
      await query?.('SELECT * FROM a_table_that_is_not_there').catch(() => undefined);
    };
    const save = saveOf(opened, paidChange(opened));
    const result = await store.save(save, swallowing).catch(() => null);
    assert.deepEqual(await store.load(idOf(opened)), result === null ? opened : save.record);
  },
  async 'never gives a session, transaction or operation to two orders, of many at once'(store) {
    const [text, from] = [randomUUID(), ownHour()];
    const all = await atOnce(32, () => openedIn(store));
    const saves = all.map((one, index) => {
      const events = Array.from({ length: 9 }, () => eventOf(one, 'paid'));
      const change = { ...naming(one, index < 10 ? text : randomUUID()), events };
      const save = saveOf(one, change, { movements: [movementOf(one, from)] });
      return index % 2 === 0 ? save : { ...save, names: save.names.toReversed() };
    });
    const stale = await openedIn(store);
    const movements = [movementOf(stale, from)];
    const old = { ...saveOf(stale, after(stale), { movements }), record: stale };
    const results = await Promise.all([...saves, old].map((save) => store.save(save)));
    assert.deepEqual(results.pop(), { outcome: 'conflict', record: stale });
    const winner = results.findIndex(({ outcome }) => outcome === 'saved');
    const { record, names } = saves[winner] ?? assert.fail('no order is saved');
    for (const [index, { record: own, events }] of saves.entries()) {
      const [result, [stored, history]] = [results[index], await readIn(store, idOf(own))];
      if (index === winner || index >= 10) {
        const queued = events.map((event) => ({ event, ...waiting }));
        assert.deepEqual([result?.outcome, stored, history.events], ['saved', own, queued]);
      } else {
        assert.ok(result?.outcome === 'name_taken' && result.orderId === idOf(record));
        assert.ok(names.some((one) => isDeepStrictEqual(one, result.name)));
        assert.deepEqual([stored, history.log.length, history.events], [all[index], 2, []]);
      }
    }
    const [figures] = await store.figures([{ from, to: from + HOUR_MS }]);
    assert.equal(
      figures?.moved.reduce((sum, { count }) => sum + count, 0),
      23,
    );
    // An order keeps its names, whatever its document says later, and may save them again.
    const again = saveOf(record, after(record), { names });
    const emptied = { ...again.record, attempts: [], ledger: [], operations: [] };
    assert.equal((await store.save({ ...again, record: emptied })).outcome, 'saved');
    for (const name of names) {
      const late = await openedIn(store);
      const result = await store.save(saveOf(late, naming(late, text), { names: [name] }));
      assert.deepEqual(result, { outcome: 'name_taken', name, orderId: idOf(record) });
    }
  },
  async 'tells names apart by kind, capitals, accents and spaces, and shares references'(store) {
    const word = randomUUID();
    const ends = ['e', 'E', 'é', 'e '].map((end) => `${word}${end}`);
    const sessions = ends.map((name): Name => ({ kind: 'session', name }));
    const names: readonly Name[] = [...sessions, { kind: 'transaction', name: `${word}e` }];
    const ids = ['a', 'A', 'b', 'B', 'c'].map((end) => `${word}-${end}`);
    for (const [index, orderId] of ids.entries()) {
      const record = await createdIn(store, { orderId });
      const operations = [refundOf(record, randomUUID(), { reference: word })];
      const save = saveOf(record, after(record, { operations }));
      const named = { ...save, names: [...save.names, ...names.slice(index, index + 1)] };
      assert.equal((await store.save(named)).outcome, 'saved');
    }
    const found = await Promise.all(names.map((name) => namedIn(store, name)));
    assert.deepEqual(found.flat(), ids);
    assert.ok((await namedIn(store, { kind: 'reference', name: word })).includes(`${word}-a`));
  },
  async 'logs what a save says but for times, so that a record can be rebuilt (I16)'(store) {
    const { reserved, opened } = openOrder();
    const review = reviewOf(reserved, 'duplicate_charge');
    const refund = refundOf(reserved, randomUUID());
    const resolved = { ...review, resolvedAt: NOW + 1, resolution: 'looked', resolvedBy: 'Noura' };
    const steps: readonly ((record: PaymentRecord) => Change)[] = [
      () => opened,
      (record) => watchedAt(record, NOW + 1, { lastCheckAt: NOW, hintedAt: NOW }),
      (record) => ({ ...paidChange(record), because: { attemptNumber: 1, rows: [] } }),
      (record) => after(record, { reviews: [review], operations: [refund] }, { state: 'review' }),
      (record) => after(record, { reviews: [resolved], cancelledBy: 'Salem' }, { cancelled: true }),
      (record) => watchedAt(record, null),
    ];
    let record = await savedIn(store, null, reserved);
    const entries = [...(await store.history(idOf(record))).log];
    for (const step of steps) {
      const save = saveOf(record, step(record));
      assert.equal((await store.save(save)).outcome, 'saved');
      if (save.entry !== null) entries.push(save.entry);
      ({ record } = save);
    }
    const [stored, { log }] = await readIn(store, idOf(record));
    assert.deepEqual([stored, log, log.length], [record, entries, 5]);
    const { payment, ...rest } = replay(log) ?? assert.fail('there is a log');
    const { version, updatedAt } = record.payment;
    const built = { ...rest, payment: { ...payment, version, updatedAt } };
    assert.deepEqual(built, { ...record, attempts: record.attempts.map(unwatched) });
  },
});
