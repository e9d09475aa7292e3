import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Change, PaymentEvent, PaymentEventType } from '../../payments/payment-record.ts';
import { LEASE_MS, NOW, after, changeOf, countOf, openedIn, paidChange } from './orders.ts';
import type { ConformanceCase } from './conformance-case.ts';
import type { Delivery } from '../delivery.ts';
import type { Store } from '../store.ts';

/** Commits the payment of a new order, and an event of each type after it, each in its own change. */
async function eventsIn(
  store: Store<unknown>,
  ...types: readonly PaymentEventType[]
): Promise<{ readonly orderId: string; readonly ids: readonly string[] }> {
  const paid = paidChange(await openedIn(store), randomUUID());
  const { orderId, version } = paid.payment;
  const [event] = paid.events;
  assert.ok(event);
  const later = types.map((type, index): Change => {
    const payment = { ...paid.payment, version: version + index + 1 };
    // An id says nothing about the order of events, so these sort the other way round.
    const id = `${orderId}/${types.length - index}/${type}`;
    const other = { ...event, id, type } as PaymentEvent;
    return changeOf(payment, { events: [other] });
  });
  const changes = [paid, ...later];
  for (const change of changes) {
    assert.equal((await store.commit(change)).outcome, 'committed');
  }
  return { orderId, ids: changes.flatMap(({ events }) => events.map(({ id }) => id)) };
}

/** What a process with handlers of these types gets of one order. */
async function claimOf(
  store: Store<unknown>,
  orderId: string,
  types: readonly PaymentEventType[],
  now = NOW,
): Promise<readonly Delivery[]> {
  const claimed = await store.claimEvents(now, 1_000, LEASE_MS, types);
  return claimed.filter(({ event }) => event.orderId === orderId);
}

/** What every store promises about the delivery of events. */
export const deliveryConformance: readonly ConformanceCase[] = [
  {
    name: 'delivers an event until it is reported done, and fences a late report',
    async check(store) {
      const paid = paidChange(await openedIn(store), randomUUID());
      await store.commit(paid);
      const mine = async (now: number) =>
        (await claimOf(store, paid.payment.orderId, ['paid'], now))[0];
      const first = await mine(NOW);
      assert.deepEqual(first?.event, paid.events[0]);
      assert.equal(await mine(NOW + 1), undefined);
      const second = await mine(NOW + LEASE_MS);
      assert.ok(first && second);
      assert.equal(second.tryNumber, 2);
      await store.reportDelivery(first, { outcome: 'done' });
      const third = await mine(NOW + 3 * LEASE_MS);
      assert.ok(third, 'a late report of an overtaken try must change nothing');
      await store.reportDelivery(third, { outcome: 'done' });
      assert.equal(await mine(NOW + 9 * LEASE_MS), undefined);
    },
  },
  {
    name: 'hands out events of the asked types only',
    async check(store) {
      const { orderId } = await eventsIn(store);
      assert.deepEqual(await claimOf(store, orderId, []), []);
      assert.deepEqual(await claimOf(store, orderId, ['refunded', 'failed']), []);
      const [delivery] = await claimOf(store, orderId, ['failed', 'paid']);
      assert.equal(delivery?.event.type, 'paid');
      assert.equal(delivery?.tryNumber, 1);
    },
  },
  {
    name: 'hands out no more events than were asked for, whatever types they are of',
    async check(store) {
      const types = ['voided', 'captured'] as const;
      const orders = [await eventsIn(store, 'voided'), await eventsIn(store, 'captured')];
      const first = await store.claimEvents(NOW, 1, LEASE_MS, types);
      assert.equal(first.length, 1);
      const both = [...first, ...(await store.claimEvents(NOW, 1_000, LEASE_MS, types))];
      const claimed = both.map(({ event }) => event.id);
      for (const { ids } of orders) assert.equal(countOf(claimed, ids.at(-1)), 1);
    },
  },
  {
    name: 'hands out an order’s events one after the other, in the order of what happened',
    async check(store) {
      const types = ['paid', 'refunded', 'review'] as const;
      const { orderId, ids } = await eventsIn(store, 'refunded', 'review');
      const { events } = await store.history(orderId);
      assert.deepEqual(
        events.map(({ event }) => event.id),
        ids,
      );
      const seen: string[] = [];
      for (let step = 0; step < ids.length; step += 1) {
        const [delivery, ...others] = await claimOf(store, orderId, types);
        assert.ok(delivery);
        assert.deepEqual(others, []);
        assert.deepEqual(await claimOf(store, orderId, types), [], 'one is at work');
        const again = { outcome: 'again', at: NOW + 2 * LEASE_MS } as const;
        await store.reportDelivery(delivery, again);
        assert.deepEqual(await claimOf(store, orderId, types), [], 'one waits for its next try');
        const [retried] = await claimOf(store, orderId, types, again.at);
        assert.equal(retried?.event.id, delivery.event.id);
        await store.reportDelivery(retried, { outcome: 'done' });
        seen.push(delivery.event.id);
      }
      assert.deepEqual(seen, ids);
    },
  },
  {
    name: 'keeps the events of one change in their order, however many orders change at once',
    async check(store) {
      const orders = await Promise.all(Array.from({ length: 32 }, () => openedIn(store)));
      const changes = orders.map((opened): Change => {
        const paid = paidChange(opened, randomUUID());
        const { orderId } = paid.payment;
        // Their ids sort the other way round.
        const ids = Array.from({ length: 9 }, (_, at) => `${orderId}/${9 - at}/paid`);
        return { ...paid, events: ids.flatMap((id) => paid.events.map((one) => ({ ...one, id }))) };
      });
      await Promise.all(changes.map((change) => store.commit(change)));
      for (const { payment, events } of changes) {
        const stored = (await store.history(payment.orderId)).events;
        assert.deepEqual(
          stored.map(({ event }) => event.id),
          events.map(({ id }) => id),
        );
      }
    },
  },
  {
    name: 'keeps an event as it is where a change has its id again, and commits that change',
    async check(store) {
      const paid = paidChange(await openedIn(store), randomUUID());
      await store.commit(paid);
      const { orderId } = paid.payment;
      const [delivery] = await claimOf(store, orderId, ['paid']);
      assert.ok(delivery);
      await store.reportDelivery(delivery, { outcome: 'done' });
      const other = { ...delivery.event, id: `${orderId}/other` };
      const again = after(paid, { events: [{ ...delivery.event, occurredAt: 'later' }, other] });
      assert.equal((await store.commit(again)).outcome, 'committed');
      assert.deepEqual(
        (await store.history(orderId)).events.map(({ event, outcome }) => [event, outcome]),
        [
          [delivery.event, 'done'],
          [other, 'waiting'],
        ],
      );
    },
  },
  {
    name: 'counts each claim as a try, and takes the report of a try that made a dead letter before',
    async check(store) {
      const { orderId } = await eventsIn(store);
      const isDead = async (): Promise<boolean> =>
        (await store.deadLetters(1_000)).some(({ event }) => event.orderId === orderId);
      for (let tries = 1; tries <= 20; tries += 1) {
        const [unreported] = await claimOf(store, orderId, ['paid'], NOW + tries * LEASE_MS);
        assert.equal(unreported?.tryNumber, tries);
      }
      const [last] = await claimOf(store, orderId, ['paid'], NOW + 21 * LEASE_MS);
      assert.ok(last);
      await store.reportDelivery(last, { outcome: 'dead' });
      assert.ok(await isDead());
      await store.reportDelivery(last, { outcome: 'done' });
      assert.ok(!(await isDead()));
      const [stored] = (await store.history(orderId)).events;
      assert.deepEqual([stored?.outcome, stored?.tries], ['done', 21]);
    },
  },
  {
    name: 'lets an event pass one before it that is a dead letter, or of a type that is not asked for',
    async check(store) {
      const { orderId } = await eventsIn(store, 'failed', 'refunded');
      const [paid] = await claimOf(store, orderId, ['paid', 'refunded']);
      assert.ok(paid);
      await store.reportDelivery(paid, { outcome: 'dead' });
      const [refunded] = await claimOf(store, orderId, ['paid', 'refunded']);
      assert.equal(refunded?.event.type, 'refunded');
    },
  },
  {
    name: 'counts the undelivered events of the asked types',
    async check(store) {
      const count = async (...types: readonly PaymentEventType[]): Promise<number> =>
        (await store.backlog(NOW, types)).undelivered;
      const before = [await count(), await count('voided'), await count('voided', 'captured')];
      await eventsIn(store, 'voided', 'captured');
      const now = [await count(), await count('voided'), await count('voided', 'captured')];
      assert.deepEqual(
        now.map((one, index) => one - (before[index] ?? 0)),
        [0, 1, 2],
      );
    },
  },
  {
    name: 'tells since when the oldest event of the asked types is due, and not of one that is claimed',
    async check(store) {
      const oldest = async (now: number, ...types: readonly PaymentEventType[]) =>
        (await store.backlog(now, types)).oldestUndeliveredAt;
      const { orderId } = await eventsIn(store, 'charged');
      const since = await oldest(NOW + 3_600_000, 'charged');
      assert.ok(since !== null && since <= NOW);
      assert.equal(await oldest(since - 1, 'charged'), null);
      assert.equal(await oldest(NOW + 3_600_000), null);
      const [charged] = await claimOf(store, orderId, ['charged']);
      assert.ok(charged);
      assert.equal(await oldest(NOW, 'charged'), null);
      await store.reportDelivery(charged, { outcome: 'done' });
      assert.equal(await oldest(NOW + 3_600_000, 'charged'), null);
    },
  },
];
