import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyStore, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { aPayment } from '../../../test-support/records.ts';
import { manualClock } from '../../doubles/manual-clock.ts';
import { silentLogger } from '../../logger.ts';
import type { EventHandlers } from '../../options/payments-options.ts';
import { changeOf, openedIn, paidChange } from '../../stores/conformance/orders.ts';
import type { PaymentEvent } from '../../payments/record.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { deliverEvents } from './tick.ts';
import type { FlowContext } from '../flow-context.ts';
import { saveChange } from '../../../test-support/save-change.ts';

const clock = manualClock(1_790_000_000_000);

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A store with so many undelivered events, and handlers of the test's own. */
async function undelivered(orders: number, on: EventHandlers) {
  const store = memoryStore();
  const add = async (orderId: string, transaction = `t-${orderId}`): Promise<void> => {
    const version = ((await store.load(orderId))?.payment.version ?? 0) + 1;
    const payment = { ...aPayment({ orderId }), version, updatedAt: clock.now() };
    const { events } = paidChange(changeOf(payment), transaction);
    await saveChange(store, changeOf(payment, { events }));
  };
  for (let order = 0; order < orders; order += 1) await add(`o-${order}`);
  const context: Pick<FlowContext<undefined>, 'store' | 'clock' | 'on' | 'logger'> = {
    store,
    clock,
    on,
    logger: silentLogger,
  };
  return {
    store,
    add,
    deliver: () => deliverEvents(context),
    /** Delivers as another process on the same store, with handlers of its own. */
    deliverWith: (others: EventHandlers) => deliverEvents({ ...context, on: others }),
  };
}

describe('events', () => {
  it('come again with growing pauses while their handler throws, and then rest', async () => {
    let calls = 0;
    const { deliver, store } = await undelivered(1, {
      paid: (event) => {
        calls += event.id === 'changed' ? 0 : 1;
        Object.assign(event, { id: 'changed' }); // Not what the next try gets.
        throw new Error('the mail server is down');
      },
    });
    await deliver();
    await deliver();
    expect(calls).toBe(1);
    for (let hour = 0; hour < 40; hour += 1) {
      await clock.advance(3_600_000);
      await deliver();
    }
    expect(calls).toBe(20);
    expect((await store.health.backlog(clock.now(), ['paid'])).undelivered).toBe(0);
  });

  it('are not held up by a handler that never ends', async () => {
    const told: string[] = [];
    const { deliver } = await undelivered(2, {
      paid: ({ orderId }) =>
        orderId === 'o-0' ? new Promise<void>(() => undefined) : void told.push(orderId),
    });
    const delivering = deliver();
    await settle();
    expect(told).toEqual(['o-1']);
    await clock.advance(55_000);
    expect(await delivering).toBe(1);
  });

  it('of many orders are handled side by side, ten at once', async () => {
    const open: (() => void)[] = [];
    const paid = () => new Promise<void>((resolve) => void open.push(resolve));
    const { deliver } = await undelivered(25, { paid });
    const delivering = deliver();
    await settle();
    expect(open).toHaveLength(10);
    for (let ended = 0; ended < 25; ended += 1) {
      open[ended]?.();
      await settle();
      expect(open).toHaveLength(Math.min(25, 11 + ended));
    }
    expect(await delivering).toBe(25);
  });

  it('that come due while a handler is at work are delivered beside it', async () => {
    const told: string[] = [];
    let end: () => void = () => undefined;
    const { deliver, add } = await undelivered(1, {
      paid: ({ orderId }) =>
        orderId === 'o-0'
          ? new Promise<void>((resolve) => {
              end = resolve;
            })
          : void told.push(orderId),
    });
    const delivering = deliver();
    await settle();
    await add('o-new');
    await clock.advance(1_000);
    expect(told).toEqual(['o-new']);
    end();
    expect(await delivering).toBe(2);
  });

  it('of one order are all delivered in one go, whenever the store sees that one is handled', async () => {
    const told: string[] = [];
    const paid: EventHandlers['paid'] = ({ transactionId }) => void told.push(transactionId);
    const { add, deliver, store } = await undelivered(1, { paid });
    for (const id of ['t-2', 't-3']) await add('o-0', id);
    const claim = store.claimEvents.bind(store);
    // As a database answers that took its snapshot before the report and is slower than the report.
    store.claimEvents = async (...asked) => {
      const deliveries = await claim(...asked);
      if (deliveries.length === 0) await settle();
      return deliveries;
    };
    expect(await deliver()).toBe(3);
    expect(told).toEqual(['t-o-0', 't-2', 't-3']);
  });

  it('are all ended before a store that fails is told of', async () => {
    let isEnded = false;
    const { deliver, store } = await undelivered(2, {
      paid: async ({ orderId }) => {
        if (orderId === 'o-0') return;
        await clock.sleep(5_000);
        isEnded = true;
      },
    });
    store.endDelivery = ({ event }) =>
      event.orderId === 'o-0' ? Promise.reject(new Error('the disk is full')) : Promise.resolve();
    const delivering = deliver();
    const failing = expect(delivering).rejects.toThrow('the disk is full');
    await settle();
    await clock.advance(6_000);
    await failing;
    expect(isEnded).toBe(true);
  });
});

const LEASE_MS = 60_000;
const TRIES = 20;

describe.each(everyStore)('an event whose deliveries never end (%s store)', (name) => {
  let fresh: FreshStore;

  beforeEach(async () => void (fresh = await freshStore(name, 'simulation')));
  afterEach(() => fresh.end());

  const paid = async (): Promise<string> => {
    const change = paidChange(await openedIn(fresh.store), crypto.randomUUID());
    await saveChange(fresh.store, change);
    return change.payment.orderId;
  };

  /** What a process leaves that dies while its handlers run. */
  const die = async (): Promise<number> => {
    const claimed = await fresh.store.claimEvents(clock.now(), 10, LEASE_MS, ['paid']);
    await clock.advance(LEASE_MS);
    return claimed.length;
  };

  const deliver = (on: EventHandlers) =>
    deliverEvents({ store: fresh.store, clock, on, logger: silentLogger });

  const deadLetters = async () =>
    (await fresh.store.deadLetters(10)).map(({ event }) => event.orderId);

  it('is a dead letter before its last try begins, so that a person sees it', async () => {
    const orderId = await paid();
    for (let tries = 0; tries < TRIES; tries += 1) expect(await die()).toBe(1);
    let isSeen = false;
    const handle = async (): Promise<void> => {
      isSeen = (await deadLetters()).includes(orderId);
      throw new Error('the process dies');
    };
    expect(await deliver({ paid: handle })).toBe(0);
    expect(isSeen).toBe(true);
    expect(await deadLetters()).toEqual([orderId]);
    expect(await die()).toBe(0);
  });

  it('gets a last try alone, since another order’s handler may have ended the process', async () => {
    const orders = [await paid(), await paid(), await paid()];
    for (let tries = 0; tries < TRIES; tries += 1) expect(await die()).toBe(orders.length);
    let underWay = 0;
    const together: number[] = [];
    const handle = async (_event: PaymentEvent): Promise<void> => {
      underWay += 1;
      together.push(underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
    };
    expect(await deliver({ paid: handle })).toBe(orders.length);
    expect(together).toEqual([1, 1, 1]);
    expect(await deadLetters()).toEqual([]);
    const backlog = await fresh.store.health.backlog(clock.now(), ['paid']);
    expect(backlog.undelivered).toBe(0);
  });

  it('is tried as often as one whose handler fails, beside the others', async () => {
    await paid();
    for (let tries = 1; tries < TRIES; tries += 1) await die();
    let seen: readonly string[] | undefined;
    const handle = async (): Promise<void> => void (seen = await deadLetters());
    expect(await deliver({ paid: handle })).toBe(1);
    expect([seen, await deadLetters()]).toEqual([[], []]);
  });
});
