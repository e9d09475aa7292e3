import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyStore, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { manualClock } from '../../doubles/manual-clock.ts';
import { silentLogger } from '../../logger.ts';
import type { EventHandlers } from '../../options/payments-options.ts';
import type { PaymentEvent } from '../../payments/record.ts';
import { openedIn, paidChange } from '../../stores/conformance/orders.ts';
import { deliverEvents } from './tick.ts';
import { saveChange } from '../../../test-support/save-change.ts';

const LEASE_MS = 60_000;
const TRIES = 20;

describe.each(everyStore)('an event whose deliveries never end (%s store)', (name) => {
  const clock = manualClock(1_790_000_000_000);
  let fresh: FreshStore;

  beforeEach(async () => {
    fresh = await freshStore(name, 'simulation');
  });
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
    const { undelivered } = await fresh.store.health.backlog(clock.now(), ['paid']);
    expect(undelivered).toBe(0);
  });

  it('is tried as often as one whose handler fails, beside the others', async () => {
    await paid();
    for (let tries = 1; tries < TRIES; tries += 1) await die();
    expect(await deliver({ paid: () => undefined })).toBe(1);
    expect(await deadLetters()).toEqual([]);
  });
});
