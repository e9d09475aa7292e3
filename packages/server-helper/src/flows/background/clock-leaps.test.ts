import { describe, expect, it } from 'vitest';
import { everyStore, flowStore } from '../../../test-support/every-store.ts';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import type { Shop, ShopOptions } from '../../../test-support/shop.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../test-support/durations.ts';

let shop: Shop;
let link: Awaited<ReturnType<Shop['open']>>;

/** Opens a shop on an empty store, and the link of its order. */
async function openLink(options: ShopOptions = {}, store = flowStore): Promise<void> {
  shop = await startShop(options, store);
  link = await shop.open();
}

/** Another process of the shop, whose clock is right or so far ahead. */
const anotherProcess = (leapMs = 0): Promise<Shop> => startShop({ beside: shop, leapMs });

const pay = (): void => shop.shows(link.session, {});

const comeBack = async (path: string) => (await shop.send(path)).headers.location;

const webhook = async (): Promise<void> => {
  await shop.notify(link);
  await shop.pass(0);
};

/** The link of an order whose clock runs ahead for some seconds, in which the gateway is asked. */
async function aheadAndBack(): Promise<void> {
  await openLink();
  shop.leapMs = 12 * DAY_MS;
  await shop.pass();
  await shop.pass(9 * SECOND_MS);
  shop.leapMs = 0;
  shop.later();
}

/** The link of an order whose clock is set right after it was made. */
async function behindAtFirst(): Promise<void> {
  await openLink({ leapMs: -20 * DAY_MS });
  shop.leapMs = 0;
  await shop.pass();
  shop.later();
}

/** The link of a process whose clock is right, which one has ended whose clock is 20 days ahead. */
async function endedByAnother(store = flowStore): Promise<void> {
  await openLink({}, store);
  const wrong = await anotherProcess(20 * DAY_MS);
  for (let times = 0; times < 2; times += 1) await wrong.pass(10 * SECOND_MS);
}

const leaps = [
  ['runs 12 days ahead for nine seconds', aheadAndBack],
  ['was 20 days behind at first', behindAtFirst],
] as const;

const THANKS = /\/thanks\/1001$/;

const ways: readonly (readonly [way: string, find: () => Promise<unknown>])[] = [
  ['a webhook', webhook],
  ['the shopper’s return', async () => expect(await comeBack(link.success)).toMatch(THANKS)],
  ['a return by failure', async () => expect(await comeBack(link.failure)).toMatch(THANKS)],
  [
    'a poll',
    async () => expect((await shop.send(link.status)).json).toMatchObject({ state: 'paid' }),
  ],
  [
    'the background',
    async () => {
      for (let ticks = 0; ticks < 4; ticks += 1) await shop.pass(MINUTE_MS);
    },
  ],
  [
    'the next checkout',
    () => expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({ code: 'already_paid' }),
  ],
];

const everyWay = leaps.flatMap(([leap, happen]) =>
  ways.map(([way, find]) => [leap, way, happen, find] as const),
);

// In SQL such links are found in another way than what waits.
it.each(everyStore)(
  'a link that a process with a wrong clock has ended is watched by the next process (%s)',
  async (store) => {
    await endedByAnother(store);
    const right = await anotherProcess();
    expect(await right.state()).toBe('expired');
    pay();
    for (let minutes = 0; minutes < 3; minutes += 1) await right.pass(MINUTE_MS);
    expect(await right.state()).toBe('paid');
  },
);

describe('money on a living link is found', () => {
  it.each(everyWay)('where a clock %s, by %s', async (_leap, _way, happen, find) => {
    await happen();
    pay();
    await find();
    expect(await shop.state()).toBe('paid');
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('where the clock runs 12 days ahead from a question to its answer', async () => {
    await openLink();
    shop.gateway.script = (request, response) => {
      shop.leapMs = 12 * DAY_MS;
      shop.gateway.answerUsually(request, response);
    };
    await shop.pass(20 * SECOND_MS);
    shop.gateway.script = undefined;
    shop.leapMs = 0;
    pay();
    for (let ticks = 0; ticks < 4; ticks += 1) await shop.pass(MINUTE_MS);
    expect(await shop.state()).toBe('paid');
  });

  it('where the clock that made it ran a day ahead and is put back', async () => {
    await openLink({ leapMs: DAY_MS });
    pay();
    await shop.pass(0);
    shop.leapMs = 0;
    await shop.pass(0);
    expect(await shop.state()).toBe('paid');
  });

  it.each([3, 20, 400])('beside a process whose clock is %d days ahead for ever', async (days) => {
    await openLink();
    const wrong = await anotherProcess(days * DAY_MS);
    for (let times = 0; times < 2; times += 1) await wrong.pass(10 * SECOND_MS);
    pay();
    for (let minutes = 0; minutes < 60; minutes += 1) {
      await shop.pass(MINUTE_MS);
      await wrong.pass(0);
    }
    expect(['paid', 'paid_late']).toContain(await shop.state());
  });

  it('after a leap back by hours while the link’s check is leased to a process that hangs', async () => {
    await openLink();
    const { gateway } = shop;
    shop.leapMs = 10 * HOUR_MS;
    shop.later(20 * SECOND_MS);
    let answer = (): void => undefined;
    gateway.script = (_request, response) => {
      answer = () => sendJson(response, 503, {});
    };
    const hanging = shop.payments.tick();
    await expect.poll(() => gateway.statusCalls.length).toBe(1);
    gateway.script = undefined;
    const living = await anotherProcess();
    pay();
    await living.pass(2 * MINUTE_MS);
    await living.pass(10 * SECOND_MS);
    expect(await living.state()).toBe('paid');
    answer();
    await hanging;
  });
});

describe('after a leap, an unpaid order', () => {
  it('is offered its living link again, once the gateway has answered about it', async () => {
    await aheadAndBack();
    const asked = shop.gateway.statusCalls.length;
    expect((await shop.open()).session).toBe(link.session);
    expect(shop.gateway.statusCalls.length).toBe(asked + 1);
  });

  it.each([...leaps, ['of another process has just ended it', endedByAnother] as const])(
    'gets no second link without an answer about the first (%s)',
    async (_leap, happen) => {
      await happen();
      shop.gateway.answerStatus(503, {});
      const error = { code: 'not_confirmed' };
      await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject(error);
      expect(shop.gateway.creates).toHaveLength(1);
      expect(await comeBack(link.success)).toMatch(/\/wait\/1001$/);
    },
  );

  it('expires once and for ever at the true end of its link, and is not asked about any more', async () => {
    await aheadAndBack();
    for (let hours = 0; hours < 15 * 24; hours += 6) await shop.pass(6 * HOUR_MS);
    expect(await shop.state()).toBe('expired');
    const asked = shop.gateway.statusCalls.length;
    expect(asked).toBeLessThan(60);
    for (let days = 0; days < 10; days += 1) await shop.pass(DAY_MS);
    expect(shop.gateway.statusCalls.length).toBe(asked);
    expect(await shop.state()).toBe('expired');
  });

  it('is not asked about after the life of its link, which a wrong clock has ended', async () => {
    await endedByAnother();
    const right = await anotherProcess();
    for (let hours = 0; hours < 12 * 24; hours += 6) await right.pass(DAY_MS / 4);
    const asked = shop.gateway.statusCalls.length;
    expect(asked).toBeLessThan(30);
    for (let days = 0; days < 20; days += 1) await right.pass(DAY_MS);
    expect(shop.gateway.statusCalls.length).toBe(asked);
  });
});

it('a webhook that is stored once the clock was put back is followed soon', async () => {
  await openLink();
  shop.leapMs = 12 * DAY_MS;
  await shop.pass(MINUTE_MS);
  const load = shop.store.load.bind(shop.store);
  shop.store.load = async (orderId) => {
    shop.store.load = load;
    shop.leapMs = 0;
    await shop.pass(0);
    return load(orderId);
  };
  await webhook();
  pay();
  for (let minutes = 0; minutes < 3; minutes += 1) await shop.pass(MINUTE_MS);
  expect(await shop.state()).toBe('paid');
});

it('a webhook about an ended link is followed once after one from while the clock ran ahead', async () => {
  await openLink();
  for (let days = 0; days < 11; days += 1) await shop.pass(DAY_MS);
  for (const leap of [12 * DAY_MS, 0]) {
    shop.leapMs = leap;
    await webhook();
  }
  const asked = shop.gateway.statusCalls.length;
  for (let times = 0; times < 20; times += 1) await shop.pass();
  expect(shop.gateway.statusCalls.length).toBeLessThan(asked + 3);
});

it('an order that a process took whose clock ran ahead, and that died then, is asked about by another', async () => {
  await openLink();
  const { gateway } = shop;
  let endQuestion = (): void => undefined;
  gateway.answerAt('/status', (_request, response) => {
    endQuestion = () => void response.destroy();
  });
  const dying = await anotherProcess(3 * HOUR_MS);
  void dying.pass(20 * SECOND_MS).catch(() => undefined);
  await expect.poll(() => gateway.statusCalls.length).toBe(1);
  gateway.script = undefined;
  pay();
  const right = await anotherProcess();
  for (let minutes = 0; minutes < 3; minutes += 1) await right.pass(MINUTE_MS);
  expect(await right.state()).toBe('paid');
  endQuestion();
});

it.each([2 * HOUR_MS, -2 * HOUR_MS])('health says that the clock leapt by %d ms', async (leap) => {
  shop = await startShop();
  expect(await shop.findings()).toEqual([]);
  shop.later(30 * DAY_MS);
  expect(await shop.findings()).toEqual([]);
  shop.leapMs = leap;
  expect(await shop.findings()).toEqual(['clock_leapt']);
  shop.later(2 * DAY_MS);
  expect(await shop.findings()).toEqual([]);
});
