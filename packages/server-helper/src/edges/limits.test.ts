import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { Request as ExpressRequest } from 'express';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Reply, type Shop, type ShopOptions } from '../../test-support/shop.ts';
import { TransactionShop } from '../../test-support/transaction-gateway.ts';
import type { Limits } from '../index.ts';
import { memoryStore } from '../testing.ts';
import { LoadShedding } from './limits.ts';
import type { RouteName } from './routes.ts';

const address = '203.0.113.7';
const other = '203.0.113.8';
const from = (one: string): Record<string, string> => ({ 'x-forwarded-for': one });

const start = (limits: Limits | false = {}, { payments, ...options }: ShopOptions = {}) =>
  startShop({ proxies: 1, ...options, payments: { limits, ...payments } });
const pay = (shop: Shop, one = address, orderId = '1001'): Promise<Reply> =>
  shop.checkout({ orderId }, from(one));
/** The statuses of this many requests, one after another. */
async function statuses(count: number, ask: () => Promise<Reply>): Promise<readonly number[]> {
  const found: number[] = [];
  for (let turn = 0; turn < count; turn += 1) found.push((await ask()).status);
  return found;
}

function expectTooMany(reply: Reply): void {
  expectProblem(reply, 429, 'too_many_requests');
  const seconds = Number(reply.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
}

describe('limits', () => {
  it('an order that is paid for too often gets 429, from wherever it is asked', async () => {
    const shop = await start({ checkoutsPerOrder: 2 });
    await pay(shop);
    await pay(shop, other);
    expectTooMany(await pay(shop, '203.0.113.9'));
    expect((await pay(shop, address, 'a@b+c:d')).status).toBe(201);
  });

  it('a stranger cannot use up the limit of an order that is not theirs', async () => {
    const shop = await start({ checkoutsPerOrder: 1 }, { payments: { loadOrder: () => null } });
    expect(await statuses(3, () => pay(shop))).toEqual([404, 404, 404]);
    const tokens = await start({ pollsPerOrder: 1 });
    expect(await statuses(3, () => tokens.send('/pay/status/AAAA'))).toEqual([404, 404, 404]);
  });

  it('polls are counted by address and by order', async () => {
    const shop = await start({ pollsPerAddress: 3, pollsPerOrder: 2 });
    const { status } = await shop.open();
    const poll = (one: string): Promise<Reply> => shop.send(status, { headers: from(one) });
    expect([(await poll(address)).status, (await poll(other)).status]).toEqual([200, 200]);
    expectTooMany(await poll('203.0.113.9'));
    await poll(address);
    await poll(address);
    expectTooMany(await shop.send('/pay/status/AAAA', { headers: from(address) }));
  });

  it('clients of payments.handle whose address is not known are one', async () => {
    const shop = await start({ checkoutsPerAddress: 2 });
    const ask = async (one?: string): Promise<number> => {
      const request = new Request('https://shop.example/pay/checkout', { method: 'POST' });
      return (await shop.payments.handle(request, { address: one })).status;
    };
    expect([await ask(), await ask(''), await ask(), await ask()]).toEqual([415, 415, 429, 429]);
    expect([await ask(address), await ask('127.0.0.1')]).toEqual([415, 415]);
  });

  it('webhooks are counted by address where that is asked for, one of many orders for each twenty', async () => {
    const shop = await start({ webhooksPerAddress: 2 });
    const deliver = (orders: number, one = address): Promise<Reply> => {
      const body = JSON.stringify(Array.from({ length: orders }, () => ({ name: '1~1' })));
      return shop.send('/pay/webhook', { method: 'POST', headers: from(one), body });
    };
    expect((await deliver(40)).status).toBe(200);
    expectTooMany(await deliver(1));
    expect((await deliver(1, other)).status).toBe(200);
    expectTooMany(await deliver(21, other));
  });

  it('health is counted by address, and this machine is not', async () => {
    const shop = await start({ healthPerAddress: 2 });
    const ask = (headers = {}): Promise<Reply> => shop.send('/pay/health', { headers });
    expect(await statuses(2, () => ask(from(address)))).toEqual([200, 200]);
    expectTooMany(await ask(from(address)));
    expect((await ask(from(other))).status).toBe(200);
    expect(await statuses(3, ask)).toEqual([200, 200, 200]);
  });

  it('processes that share a store share the limit, within a tenth for each', async () => {
    const payments = { store: memoryStore() };
    const limits = { checkoutsPerAddress: 20 };
    const shared = [await start(limits, { payments }), await start(limits, { payments })] as const;
    const asked = Array.from({ length: 60 }, (_, turn) => pay(shared[turn % 2 === 0 ? 0 : 1]));
    const passed = (await Promise.all(asked)).filter(({ status }) => status === 201).length;
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(24);
  });

  it('an ordinary shopper costs the store nothing, and a flood little', async () => {
    const counted: string[] = [];
    const shop = await start(
      { checkoutsPerAddress: 20, checkoutsPerOrder: false },
      { onStoreCall: (name, [key]) => name === 'count' && counted.push(String(key)) },
    );
    await shop.payments.retrieve('1001');
    counted.length = 0;
    await statuses(2, () => pay(shop));
    expect(counted).toEqual([]);
    await statuses(60, () => pay(shop));
    expect(counted.length).toBeLessThanOrEqual(20);
    expect(new Set(counted).size).toBe(1);
    expect(counted[0]).toMatch(/^[\w:-]+$/);
    expect(counted[0]).not.toContain(address);
  });

  it('a limit that cannot be counted keeps nobody out', async () => {
    const onStoreCall = (name: string): void => {
      if (name === 'count') throw new Error('no');
    };
    const shop = await start({ checkoutsPerAddress: 1 }, { onStoreCall });
    expect(await statuses(3, () => pay(shop))).toEqual([201, 201, 201]);
    expect(shop.logged.join()).toContain('checkoutsPerAddress');
  });

  it('nobody is kept out where limits are off', async () => {
    const shop = await start(false);
    const replies = await Promise.all(Array.from({ length: 100 }, () => pay(shop)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  });
});

describe('the address of a client', () => {
  it('is the network in IPv6, and this machine’s is not counted', async () => {
    const shop = await start({ checkoutsPerAddress: 1 });
    expect((await pay(shop, '2001:db8:1:2::1')).status).toBe(201);
    expectTooMany(await pay(shop, '2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect((await pay(shop, '2001:db8:1:3::1')).status).toBe(201);
    const own = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.0.0.1:4711', '[::1]:4711'];
    for (const spelling of [...own, '0:0:0:0:0:0:0:1', '::ffff:7f00:1']) {
      expect(await statuses(2, () => pay(shop, spelling))).toEqual([201, 201]);
    }
    for (const evil of ['127.evil', '127.0.0.1.evil', '127.0.0.256']) {
      expect([evil, await statuses(2, () => pay(shop, evil))]).toEqual([evil, [201, 429]]);
    }
  });

  it.each([
    ['203.0.113.9', ['203.0.113.9:4711', '203.0.113.9:4712', ' 203.0.113.9 ', '"203.0.113.9:1"']],
    ['203.0.113.9', ['::ffff:203.0.113.9', '[::ffff:203.0.113.9]:4711', '::ffff:cb00:7109']],
    ['203.0.113.9', ['0:0:0:0:0:FFFF:203.0.113.9', '::FFFF:CB00:7109%eth0']],
    ['2001:db8::1', ['[2001:db8::1]:443', '[2001:db8::2]', '"[2001:db8::1]:5"']],
    ['64:ff9b::203.0.113.9', ['203.0.113.9', '64:ff9b::cb00:7109', '[64:ff9b::203.0.113.9]:443']],
    ['2001:db8::1', ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8:0::%eth0']],
    ['unknown', ['unknown:4711', 'unknown:_port', 'UNKNOWN', '%1', '""']],
  ])('%s is one however it is written', async (client, spellings) => {
    const shop = await start({ checkoutsPerAddress: 1 });
    expect((await pay(shop, client)).status).toBe(201);
    for (const spelling of spellings) {
      expect([spelling, (await pay(shop, spelling)).status]).toEqual([spelling, 429]);
    }
  });
});

describe('a returning shopper beyond the limit of the address', () => {
  it('is kept out by no limit, and asks neither the store nor the gateway', async () => {
    const calls: string[] = [];
    const limits = { returnsPerAddress: 1, pollsPerAddress: 1, checkoutsPerAddress: 1 };
    const shop = await start(limits, { onStoreCall: (name) => calls.push(name) });
    const { session, success } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    const comeBack = async (one: string): Promise<unknown> => {
      const { status, headers } = await shop.send(success, { headers: from(one) });
      return [status, headers.location];
    };
    for (const one of [other, address]) {
      expect(await comeBack(one)).toEqual([303, 'https://shop.example/thanks/1001']);
    }
    calls.length = 0;
    const asked = shop.gateway.statusCalls.length;
    shop.later();
    expect(await comeBack(address)).toEqual([303, 'https://shop.example/wait/1001']);
    expect(calls.filter((name) => name !== 'count')).toEqual([]);
    expect(shop.gateway.statusCalls).toHaveLength(asked);
    expect(shop.logged.filter((line) => !line.includes('recorded the event paid'))).toEqual([]);
  });

  it('has its transaction noted where the gateway is asked about these', async () => {
    const payments = { limits: { returnsPerAddress: 1 } };
    const at = await TransactionShop.start({ asksFor: 'transaction' }, { proxies: 1, payments });
    const link = await at.shop.open();
    const id = at.has(link, { merchantOrderId: link.merchantOrderId });
    for (const query of ['', '', `?trans_id=${id}`]) {
      await at.shop.send(`${link.success}${query}`, { headers: from(address) });
    }
    expect(at.questions).toEqual([]);
    await at.later();
    expect(await at.state()).toBe('paid');
  });
});

describe('the shop’s own key of a shopper', () => {
  const payAs = (shop: Shop, session: string, one = address): Promise<Reply> =>
    shop.checkout({ orderId: '1001' }, { ...from(one), 'x-session': session });
  const shopperKey = (request: ExpressRequest): string | undefined => request.get('x-session');

  it('counts a shopper wherever they ask from, leaves others alone, and is in no store or log', async () => {
    const counted: string[] = [];
    const onStoreCall = (name: string, given: unknown): unknown =>
      counted.push(JSON.stringify([name, given]));
    const shop = await start({ shopperKey, checkoutsPerShopper: 2 }, { onStoreCall });
    const theirs = [address, other, address].values();
    const ask = (): Promise<Reply> => payAs(shop, 'noura-session', theirs.next().value);
    expect(await statuses(3, ask)).toEqual([201, 201, 429]);
    expect(await statuses(2, () => payAs(shop, 'sara'))).toEqual([201, 201]);
    expect(await statuses(3, () => payAs(shop, ''))).toEqual([201, 201, 201]);
    expect(counted.join()).toContain('"count"');
    expect(counted.join() + shop.logged.join()).not.toContain('noura-session');
  });

  it('counts no order that is not theirs, so that no stranger uses up their limit', async () => {
    const shop = await start({ shopperKey, checkoutsPerShopper: 1 });
    const forged = { ...from(other), 'x-session': 'noura' };
    const ask = (): Promise<Reply> => shop.checkout({ orderId: '9999' }, forged);
    expect(await statuses(3, ask)).toEqual([404, 404, 404]);
    expect((await payAs(shop, 'noura')).status).toBe(201);
  });
});

/** What passes between two requests of one turn, how long the process has rested, and how long the store lets wait. */
let requests: { requestMs: number; idleMs: number; passedMs: number; storeMs: number };

function slowDown(): void {
  requests = { requestMs: 0, idleMs: 0, passedMs: 1_000_000, storeMs: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => (requests.passedMs += requests.requestMs));
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
    return { idle: requests.idleMs, active: 0, utilization: 0 };
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

describe('load shedding', () => {
  let shedding: LoadShedding;
  beforeEach(() => {
    slowDown();
    shedding = new LoadShedding();
  });

  const isRefused = (route: RouteName) => shedding.refusalOf(route, requests.storeMs) !== null;

  /** A turn of the event loop that takes requests for so long; the last one is of a route. */
  async function turn(lengthMs: number, last: RouteName = 'webhook'): Promise<boolean> {
    const first = isRefused('webhook');
    requests.passedMs += lengthMs;
    const answer = isRefused(last);
    await setImmediate();
    return first || answer;
  }

  async function turns(count: number, lengthMs: number): Promise<void> {
    for (let index = 0; index < count; index += 1) await turn(lengthMs);
  }

  it.each([
    // Turns are short, however many there are.
    [100, 90, 90, 'status', false],
    [100, 90, 90, 'checkout', false],
    // The first second of late turns.
    [3, 300, 150, 'status', false],
    [10, 300, 90, 'status', false],
    [10, 300, 110, 'status', true],
    [10, 300, 140, 'checkout', false],
    // What is always taken.
    [100, 300, 5_000, 'webhook', false],
    [100, 300, 5_000, 'return', false],
    [100, 300, 5_000, 'health', false],
  ] as const)('after %d turns of %d ms, one of %d ms refuses a %s: %s', async (...row) => {
    const [count, lengthMs, lastMs, route, isTooMuch] = row;
    await turns(count, lengthMs);
    expect(await turn(lastMs, route)).toBe(isTooMuch);
  });

  it.each([
    [90, []],
    [110, ['status']],
    [160, ['status', 'checkout', 'link']],
  ] as const)('of short turns, where calls wait for the store %d ms, refuses %j', async (...of) => {
    const routes = ['webhook', 'return', 'status', 'checkout', 'link'] as const;
    [requests.storeMs] = of;
    await turns(20, 60);
    expect(routes.filter(isRefused)).toEqual(of[1]);
    requests.storeMs = 0;
    await turns(40, 60);
    expect(routes.filter(isRefused)).toEqual([]);
  });

  const paying = ['checkout', 'link'] as const;
  it.each(paying)('refuses each %s of a longer turn, and then every poll', async (route) => {
    await turns(10, 300);
    expect(await turn(160, route)).toBe(true);
    expect(await turn(0, 'status')).toBe(true);
    expect(await turn(0, route)).toBe(false);
  });

  it('counts the work between two turns, unless the process has rested since', async () => {
    await turns(10, 300);
    requests.passedMs += 110;
    expect(isRefused('status')).toBe(true);
    await setImmediate();
    requests.passedMs += 110;
    requests.idleMs += 5;
    expect(isRefused('status')).toBe(false);
  });

  it('refuses within a single turn that takes requests for seconds', () => {
    const refused = Array.from({ length: 100 }, () => {
      requests.passedMs += 50;
      return isRefused('status');
    });
    expect(refused.indexOf(true)).toBeGreaterThan(20);
    expect(refused.slice(25)).not.toContain(false);
  });

  it('takes everything again when no turn was late for two seconds', async () => {
    await turns(10, 300);
    expect(await turn(300, 'checkout')).toBe(true);
    await turns(23, 90);
    expect(await turn(0, 'status')).toBe(false);
    expect(await turn(300, 'status')).toBe(false);
  });
});

describe('a process that cannot answer all that arrives', () => {
  beforeEach(slowDown);

  /** Sends requests that arrive in one turn of the event loop; returns the answers. */
  async function arriveTogether(shop: Shop, ...paths: readonly string[]) {
    const socket = connect(shop.port, '127.0.0.1');
    socket.end(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: shop\r\n\r\n`).join(''));
    return (await text(socket)).split(/(?=HTTP\/1\.1 \d{3} )/);
  }

  const polls = Array.from({ length: 50 }, () => '/pay/status/not-a-token');

  it('refuses polls with the time to come again, and takes returns and the next checkout', async () => {
    const shop = await startShop({ payments: { shedLoad: true } });
    requests.requestMs = 150;
    const answers = await arriveTogether(shop, ...polls, '/pay/return/success/not-a-token');
    expect(answers.at(0)).toMatch(/^HTTP\/1.1 404 /);
    expect(answers.at(-2)).toMatch(/^HTTP\/1.1 503 [^]*\r\nretry-after: 5\r\n/i);
    expect(answers.at(-2)).toContain('"code":"overloaded"');
    expect(answers.at(-1)).toMatch(/^HTTP\/1.1 404 /);
    requests.requestMs = 0;
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
  });

  it('answers whatever comes when it was told not to shed load', async () => {
    const shop = await startShop({ payments: { shedLoad: false } });
    requests.requestMs = 100;
    const answers = await arriveTogether(shop, ...polls);
    expect(answers.map((one) => one.slice(0, 13))).toEqual(polls.map(() => 'HTTP/1.1 404 '));
  });
});
