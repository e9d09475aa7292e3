import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  everyStore,
  flowStore,
  freshStore,
  type FreshStore,
} from '../../../test-support/every-store.ts';
import { LeapingShop, unclosed } from '../../../test-support/leaping-shop.ts';
import { ScriptedGateway, sendJson } from '../../../test-support/scripted-gateway.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let name: (typeof everyStore)[number];
let fresh: FreshStore;
let gateway: ScriptedGateway;
let shop: LeapingShop;
let others: LeapingShop[];
beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  others = [];
});
afterEach(async () => {
  for (const one of [shop, ...others]) await one.payments.close();
  await gateway.close();
  await fresh.end().catch(() => undefined);
});

type Options = ConstructorParameters<typeof LeapingShop>[2];

/** Opens a shop on an empty store. */
async function openShop(options: Options = {}): Promise<void> {
  fresh = await freshStore(name);
  shop = new LeapingShop(gateway, fresh.store, options);
}

/** Another process on the same store, whose clock is right or so far ahead. */
function anotherProcess(aheadMs = 0): LeapingShop {
  const other = new LeapingShop(gateway, unclosed(fresh.store), { time: shop.time, aheadMs });
  others.push(other);
  return other;
}

/** The link of an order whose clock runs ahead for some seconds, in which the gateway is asked. */
async function aheadAndBack(): Promise<string> {
  await openShop();
  const session = await shop.checkout();
  shop.aheadMs = 12 * DAY_MS;
  await shop.later();
  await shop.later(9 * SECOND_MS);
  shop.aheadMs = 0;
  shop.pass();
  return session;
}

/** The link of an order whose clock is set right after it was made. */
async function behindAtFirst(): Promise<string> {
  await openShop({ aheadMs: -20 * DAY_MS });
  const session = await shop.checkout();
  shop.aheadMs = 0;
  await shop.later();
  shop.pass();
  return session;
}

/** The link of a process whose clock is right, which one has ended whose clock is 20 days ahead. */
async function endedByAnother(): Promise<string> {
  await openShop();
  const session = await shop.checkout();
  const wrong = anotherProcess(20 * DAY_MS);
  for (let times = 0; times < 2; times += 1) await wrong.later();
  return session;
}

const leaps = [
  ['runs 12 days ahead for nine seconds', aheadAndBack],
  ['was 20 days behind at first', behindAtFirst],
] as const;

const ways: readonly (readonly [way: string, find: () => Promise<unknown>])[] = [
  ['a webhook', () => shop.webhook()],
  ['the shopper’s return', async () => expect(await shop.comeBack()).toBe('/thanks/1001')],
  [
    'a return by the failure address',
    async () => expect(await shop.comeBack('failure')).toBe('/thanks/1001'),
  ],
  ['a poll', async () => expect(await shop.poll()).toBe('paid')],
  [
    'the background',
    async () => {
      for (let ticks = 0; ticks < 4; ticks += 1) await shop.later(MINUTE_MS);
    },
  ],
  [
    'the next checkout',
    () => expect(shop.checkout()).rejects.toMatchObject({ code: 'already_paid' }),
  ],
];

const everyWay = leaps.flatMap(([leap, happen]) =>
  ways.map(([way, find]) => [leap, way, happen, find] as const),
);

// In SQL such links are found in another way than what waits.
it.each(everyStore)(
  'a link that a process with a wrong clock has ended is watched by the next process (%s)',
  async (store) => {
    name = store;
    const session = await endedByAnother();
    const right = anotherProcess();
    expect(await right.state()).toBe('expired');
    right.pay(session);
    for (let minutes = 0; minutes < 3; minutes += 1) await right.later(MINUTE_MS);
    expect(await right.state()).toBe('paid');
  },
);

describe.each([flowStore])('in the %s store,', (store) => {
  beforeEach(() => void (name = store));

  describe('money on a living link is found', () => {
    it.each(everyWay)('where a clock %s, by %s', async (_leap, _way, happen, find) => {
      const session = await happen();
      shop.pay(session);
      await find();
      expect(await shop.state()).toBe('paid');
      expect(gateway.creates).toHaveLength(1);
    });

    it('where the clock that made it ran a day ahead and is put back', async () => {
      await openShop({ aheadMs: DAY_MS });
      shop.pay(await shop.checkout());
      await shop.later(0);
      shop.aheadMs = 0;
      await shop.later(0);
      expect(await shop.state()).toBe('paid');
    });

    it.each([3, 20, 400])(
      'beside a process whose clock is %d days ahead for ever',
      async (days) => {
        await openShop();
        const wrong = anotherProcess(days * DAY_MS);
        const session = await shop.checkout();
        for (let times = 0; times < 2; times += 1) await wrong.later();
        shop.pay(session);
        for (let minutes = 0; minutes < 60; minutes += 1) {
          await shop.later(MINUTE_MS);
          await wrong.later(0);
        }
        expect(['paid', 'paid_late']).toContain(await shop.state());
      },
    );

    it('after a leap back by hours while the link’s check is leased to a process that hangs', async () => {
      await openShop();
      const session = await shop.checkout();
      shop.aheadMs = 10 * HOUR_MS;
      shop.pass(20 * SECOND_MS);
      let answer = (): void => undefined;
      gateway.script = (_request, response) => {
        answer = () => sendJson(response, 503, {});
      };
      const hanging = shop.payments.tick();
      await expect.poll(() => gateway.statusCalls.length).toBe(1);
      gateway.script = undefined;
      const living = anotherProcess();
      shop.pay(session);
      await living.later(2 * MINUTE_MS);
      await living.later(10 * SECOND_MS);
      expect(await living.state()).toBe('paid');
      answer();
      await hanging;
    });
  });

  describe('after a leap, an unpaid order', () => {
    it('is offered its living link again, once the gateway has answered about it', async () => {
      const session = await aheadAndBack();
      const asked = gateway.statusCalls.length;
      expect(await shop.checkout()).toBe(session);
      expect(gateway.statusCalls.length).toBe(asked + 1);
    });

    it.each(leaps)(
      'gets no second link without an answer about the first (%s)',
      async (_leap, happen) => {
        await happen();
        gateway.script = (_request, response) => sendJson(response, 503, {});
        await expect(shop.checkout()).rejects.toMatchObject({ code: 'not_confirmed' });
        expect(gateway.creates).toHaveLength(1);
        expect(await shop.comeBack()).toBe('/wait/1001');
      },
    );

    it('expires once and for ever at the true end of its link, and is not asked about any more', async () => {
      await aheadAndBack();
      for (let hours = 0; hours < 15 * 24; hours += 6) await shop.later(6 * HOUR_MS);
      expect(await shop.state()).toBe('expired');
      const asked = gateway.statusCalls.length;
      expect(asked).toBeLessThan(60);
      for (let days = 0; days < 10; days += 1) await shop.later(DAY_MS);
      expect(gateway.statusCalls.length).toBe(asked);
      expect(await shop.state()).toBe('expired');
    });

    it('is not asked about after the life of its link, which a wrong clock has ended', async () => {
      await endedByAnother();
      const right = anotherProcess();
      for (let hours = 0; hours < 12 * 24; hours += 6) await right.later(DAY_MS / 4);
      const asked = gateway.statusCalls.length;
      expect(asked).toBeLessThan(30);
      for (let days = 0; days < 20; days += 1) await right.later(DAY_MS);
      expect(gateway.statusCalls.length).toBe(asked);
    });
  });

  it('a webhook that is stored once the clock was put back is followed soon', async () => {
    await openShop();
    const session = await shop.checkout();
    shop.aheadMs = 12 * DAY_MS;
    await shop.later(MINUTE_MS);
    const load = fresh.store.load.bind(fresh.store);
    fresh.store.load = async (orderId) => {
      fresh.store.load = load;
      shop.aheadMs = 0;
      await shop.later(0);
      return load(orderId);
    };
    await shop.webhook();
    shop.pay(session);
    for (let minutes = 0; minutes < 3; minutes += 1) await shop.later(MINUTE_MS);
    expect(await shop.state()).toBe('paid');
  });

  describe('another process', () => {
    it('asks about an order that a process took or claimed whose clock ran ahead, and that died then', async () => {
      await openShop();
      const session = await shop.checkout();
      let endQuestion = (): void => undefined;
      gateway.answerAt('/status', (_request, response) => {
        endQuestion = () => void response.destroy();
      });
      const dying = anotherProcess(3 * HOUR_MS);
      void dying.later(20 * SECOND_MS).catch(() => undefined);
      await expect.poll(() => gateway.statusCalls.length).toBe(1);
      gateway.script = undefined;
      shop.pay(session);
      const right = anotherProcess();
      for (let minutes = 0; minutes < 3; minutes += 1) await right.later(MINUTE_MS);
      expect(await right.state()).toBe('paid');
      endQuestion();
    });
  });

  describe('health', () => {
    it.each([2 * HOUR_MS, -2 * HOUR_MS])('says that the clock has leapt by %d ms', async (leap) => {
      await openShop();
      expect(await shop.findings()).toEqual([]);
      shop.pass(30 * DAY_MS);
      expect(await shop.findings()).toEqual([]);
      shop.aheadMs = leap;
      expect(await shop.findings()).toEqual(['clock_leapt']);
      shop.pass(2 * DAY_MS);
      expect(await shop.findings()).toEqual([]);
    });
  });
});
