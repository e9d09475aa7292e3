import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  everyStore,
  flowStores,
  freshStore,
  type FreshStore,
} from '../../../test-support/every-store.ts';
import { LeapingShop, unclosed } from '../../../test-support/leaping-shop.ts';
import { ScriptedGateway } from '../../../test-support/scripted-gateway.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let fresh: FreshStore;
let gateway: ScriptedGateway;
let shops: LeapingShop[];
const time = { passedMs: 0 };

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  shops = [];
});
afterEach(async () => {
  for (const one of shops) await one.payments.close();
  await fresh.store.close();
  await gateway.close();
  await fresh.end().catch(() => undefined);
});

/** A process that starts on the store, with a clock that is so far ahead. */
function start(aheadMs: number): LeapingShop {
  const shop = new LeapingShop(gateway, unclosed(fresh.store), { time, aheadMs });
  shops.push(shop);
  return shop;
}

/** A link of a shop whose clock is right, which a process has ended whose clock runs ahead. */
async function ended(days: number): Promise<string> {
  const session = await start(0).checkout();
  const wrong = start(days * DAY_MS);
  await wrong.later();
  await wrong.later();
  return session;
}

// In SQL such links are found in another way than what waits.
it.each(everyStore)(
  'a link that a process with a wrong clock has ended is watched by the next process (%s)',
  async (name) => {
    fresh = await freshStore(name);
    const session = await ended(20);
    const right = start(0);
    expect(await right.state()).toBe('expired');
    right.pay(session);
    for (let minutes = 0; minutes < 3; minutes += 1) await right.later(MINUTE_MS);
    expect(await right.state()).toBe('paid');
  },
);

describe.each(flowStores)('in the %s store, money on a living link is found', (name) => {
  beforeEach(async () => {
    fresh = await freshStore(name);
  });

  it.each([3, 20, 400])(
    'by a process beside one whose clock is %d days ahead for ever',
    async (days) => {
      const [right, wrong] = [start(0), start(days * DAY_MS)];
      const session = await right.checkout();
      await wrong.later();
      await wrong.later();
      right.pay(session);
      for (let minutes = 0; minutes < 60; minutes += 1) {
        await right.later(MINUTE_MS);
        await wrong.later(0);
      }
      expect(['paid', 'paid_late']).toContain(await right.state());
    },
  );

  it('and a link that such a clock has ended is not asked about after its life', async () => {
    await ended(20);
    const right = start(0);
    for (let hours = 0; hours < 12 * 24; hours += 6) await right.later(DAY_MS / 4);
    const asked = gateway.statusCalls.length;
    expect(asked).toBeLessThan(30);
    for (let days = 0; days < 20; days += 1) await right.later(DAY_MS);
    expect(gateway.statusCalls.length).toBe(asked);
  });
});
