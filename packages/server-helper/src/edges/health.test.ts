import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { calm } from '../../test-support/records.ts';
import { aLink } from '../../test-support/gateway-calls.ts';
import { statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import type { Sending, Shop, ShopOptions } from '../../test-support/shop.ts';
import { packageVersion } from '../package-version.ts';
import { memoryStore } from '../testing.ts';
import { health, type HealthParts } from './health.ts';

const HOUR_MS = 3_600_000;
const TOKEN = 'b41f0c7d2e95836aa7c80d12';
const stranger = { 'x-forwarded-for': '203.0.113.7' };
const failing = { health: { overdueMs: 1, failsWhenDegraded: true } };

const start = (payments: ShopOptions['payments'] = {}): Promise<Shop> =>
  startShop({ proxies: 1, payments });
async function probe(shop: Shop, path: string, headers: Sending['headers'] = {}) {
  shop.later();
  const { status, json } = await shop.send(path, { headers });
  return [status, json] as const;
}
const healthOf = (shop: Shop, headers = {}) => probe(shop, '/pay/health', headers);

describe('health of a running shop', () => {
  it('has the version, the store, the gateway’s breakers and what waits', async () => {
    expect(await healthOf(await start())).toEqual([
      200,
      {
        status: 'ok',
        version: packageVersion(),
        store: 'ok',
        gateway: { apiKey: 'closed', portal: 'closed' },
        backlog: {
          dueAttempts: 0,
          undelivered: 0,
          openReviews: 0,
          deadLetters: 0,
          unprovenPayments: 0,
          unreadableAnswers: 0,
          failingOrders: 0,
        },
        oldest: { overdueMs: null, failingMs: null, undeliveredMs: null, unknownMs: null },
        findings: [],
      },
    ]);
  });

  it('answers 503 while the store is down, and what the process knows by itself', async () => {
    const shop = await start();
    shop.isStoreDown = true;
    const version = packageVersion();
    const gateway = { apiKey: 'closed', portal: 'closed' };
    const json = { status: 'unavailable', version, store: 'unavailable', gateway };
    expect(await healthOf(shop)).toEqual([503, json]);
  });
});

const NOW = 100_000_000;
const gatewayOf = (apiKey: 'open' | 'closed'): HealthParts['gateway'] => {
  return { breakers: () => ({ apiKey, portal: 'closed' }), drift: () => [] };
};
const parts: Omit<HealthParts, 'flows'> = {
  limits: {},
  clock: { ...systemClock, now: () => NOW, hasLeapt: () => false },
  gateway: gatewayOf('closed'),
  recurringTokens: { unreadable: 0 },
  unknownLinks: { areMany: () => false, refusesEnded: () => false, isAnyLost: () => false },
  trouble: { reason: null },
};

it.each([
  ['nothing', {}, {}, []],
  ['a dead letter', { deadLetters: 1 }, {}, ['dead_letters']],
  ['a gateway that is held back', {}, { gateway: gatewayOf('open') }, ['gateway_held_back']],
  ['a status check at its limit', { oldestDueAt: NOW - 900_000 }, {}, []],
  ['a check past its limit', { oldestDueAt: NOW - 900_001 }, {}, ['status_checks_overdue']],
  ['an event at its limit', { oldestUndeliveredAt: NOW - 300_000 }, {}, []],
  ['an event past its limit', { oldestUndeliveredAt: NOW - 300_001 }, {}, ['events_overdue']],
  ['an event, by the shop’s limit', { oldestUndeliveredAt: 1 }, { limits: { overdueMs: NOW } }, []],
  ['many looks', { dueAttempts: 501 }, {}, ['many_waiting']],
  ['many events', { undelivered: 501 }, {}, ['many_waiting']],
  ['many events of a shop used to them', { undelivered: 501 }, { limits: { waiting: 600 } }, []],
  ['an unknown outcome past its limit', { oldestUnknownAt: 1 }, {}, ['outcome_unknown']],
  ['orders whose checks do not end', { failingOrders: 2 }, {}, ['checks_failing']],
  ['money without evidence', { unprovenPayments: 1 }, {}, ['unproven_payments']],
  ['an answer that may be money', { unreadableAnswers: 1 }, {}, ['unreadable_answers']],
  ['a clock that was set back', { oldestDueAt: 200_000_000 }, {}, []],
])('health names %s', async (_what, backlog, changes, findings) => {
  const waiting = async () => ({ ...calm, ...backlog });
  const flows = { backlog: waiting, isWritable: async () => true, waits: {} };
  const json = { status: findings.length === 0 ? 'ok' : 'degraded', findings };
  expect(await health({ ...parts, flows, ...changes })).toMatchObject({ status: 200, json });
});

describe('the details of health', () => {
  it('are for this machine, and a stranger gets one word and the status', async () => {
    const shop = await start(failing);
    expect((await healthOf(shop))[1]).toMatchObject({ status: 'ok', store: 'ok', findings: [] });
    expect(await healthOf(shop, stranger)).toEqual([200, { status: 'ok' }]);
    await shop.open();
    shop.later(60_000);
    expect(await healthOf(shop, stranger)).toEqual([503, { status: 'degraded' }]);
    shop.isStoreDown = true;
    expect(await healthOf(shop, stranger)).toEqual([503, { status: 'unavailable' }]);
  });

  it('are for a sender of the token, from anywhere, and not for a sender of another', async () => {
    const shop = await start({ health: { token: TOKEN } });
    const ask = (authorization: string) => healthOf(shop, { ...stranger, authorization });
    for (const scheme of ['Bearer', 'bearer']) {
      expect((await ask(`${scheme} ${TOKEN}`))[1]).toMatchObject({ store: 'ok', findings: [] });
    }
    for (const wrong of [`Bearer ${TOKEN}x`, 'Bearer ', `Basic ${TOKEN}`, TOKEN]) {
      expect(await ask(wrong)).toEqual([200, { status: 'ok' }]);
    }
  });

  it.each([false, 1, true])('are not for what a proxy passes on (proxies: %j)', async (proxies) => {
    const shop = await startShop({ proxies });
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '203.0.113.7' },
      { 'x-forwarded-proto': 'https' },
      { via: '1.1 proxy' },
      { 'cf-connecting-ip': '203.0.113.7' },
      { 'true-client-ip': '203.0.113.7' },
      { 'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678' },
      { host: 'shop.example' },
      { host: '203.0.113.7' },
    ]) {
      expect([headers, await healthOf(shop, headers)]).toEqual([headers, [200, { status: 'ok' }]]);
    }
  });

  it('are, by payments.handle, for an address of this machine alone', async () => {
    const shop = await start();
    const asked = async (address?: string): Promise<unknown> => {
      const request = new Request('https://shop.example/pay/health');
      return (await shop.payments.handle(request, { address })).json();
    };
    for (const own of ['127.0.0.1', '::1']) expect(await asked(own)).toMatchObject({ store: 'ok' });
    for (const address of [undefined, '203.0.113.7', '', 'localhost']) {
      expect(await asked(address)).toEqual({ status: 'ok' });
    }
  });
});

describe('health of a shop whose gateway answers otherwise than expected', () => {
  const findingsOf = async (shop: Shop): Promise<readonly string[]> => {
    const { json, text } = await shop.send('/pay/health');
    expect(text).not.toContain('CanaryWord');
    const all = json['findings'] as readonly string[];
    return all.filter((one) => one !== 'status_checks_overdue');
  };

  const answered = (changes: object) => statusAnswer([statusRow({ ...changes })]);
  const words = { paymentStatus: 'CanaryWord', transactionStatus: 'FAILED', CanaryWord: 1 };
  it.each<[string, object, string?]>([
    ['an answer that cannot be read', { transactions: [] }, 'unreadable_answers'],
    ['an errorCode of no error', { ...answered({}), errorCode: '00' }, 'unknown_words'],
    ['words that it does not know', { ...answered(words), CanaryWord: '' }, 'unknown_words'],
    ['nothing in a further field', answered({ tid: 1 })],
    ['nothing in another type of what informs', answered({ cardScheme: 1 })],
  ])('finds %s, until an hour after the last', async (_what, body, expected) => {
    const shop = await start();
    await shop.open();
    shop.gateway.answerStatus(200, body);
    for (let times = 0; times < 2; times += 1) {
      shop.later();
      await shop.payments.confirm('1001').catch(() => undefined);
      shop.later(HOUR_MS - 60_000);
      expect(await findingsOf(shop)).toEqual(expected === undefined ? [] : [expected]);
    }
    expect(shop.payments.gateway.drift()).not.toEqual([]);
    shop.later(60_000);
    expect(await findingsOf(shop)).toEqual([]);
  });

  it('finds nothing in other operations, which have errors of their own', async () => {
    const shop = await start();
    shop.gateway.answer({ '': [200, { result: 'DONE' }] });
    await shop.payments.gateway.createPaymentLink(aLink).catch(() => undefined);
    expect(shop.payments.gateway.drift()).not.toEqual([]);
    expect(await findingsOf(shop)).toEqual([]);
  });
});

describe('the probes', () => {
  const live = '/pay/health/live';
  const ready = '/pay/health/ready';

  it('are live whatever the store does, and ready while it can be written', async () => {
    const shop = await start();
    const version = packageVersion();
    expect(await probe(shop, live)).toEqual([200, { status: 'ok' }]);
    expect(await probe(shop, ready)).toEqual([200, { status: 'ok', version, store: 'ok' }]);
    expect(await probe(shop, ready, stranger)).toEqual([200, { status: 'ok' }]);
    shop.isStoreDown = true;
    const down = { status: 'unavailable', version, store: 'unavailable' };
    expect(await probe(shop, live)).toEqual([200, { status: 'ok' }]);
    expect(await probe(shop, ready)).toEqual([503, down]);
    expect(await probe(shop, ready, stranger)).toEqual([503, { status: 'unavailable' }]);
    shop.isStoreDown = false;
    expect((await probe(shop, ready))[0]).toBe(200);
  });

  it('look at nothing that needs a person and stops no payment', async () => {
    const shop = await start(failing);
    await shop.open();
    shop.later(60_000);
    expect((await healthOf(shop))[0]).toBe(503);
    expect((await probe(shop, ready))[0]).toBe(200);
  });

  it('are not ready once the payments are closed, while the process still answers', async () => {
    const shop = await start();
    await shop.payments.close();
    expect((await probe(shop, ready))[0]).toBe(503);
    expect((await probe(shop, live))[0]).toBe(200);
  });

  it('are not ready where calls wait behind others that the store does not answer', async () => {
    let isStuck = true;
    const store = memoryStore();
    Object.assign(store.health, { isStuck: () => isStuck });
    const shop = await start({ store });
    expect(await probe(shop, ready)).toMatchObject([503, { store: 'stuck' }]);
    isStuck = false;
    expect((await probe(shop, ready))[0]).toBe(200);
  });

  it.each([
    [{ health: '/how' }, '200 /pay/how/live, 200 /pay/how/ready'],
    [{ health: false }, `404 ${live}, 404 ${ready}`],
    [{ health: false, live: '/alive', ready: false }, `200 /pay/alive, 404 ${ready}`],
  ] as const)('stand below the health route, with routes %j: %s', async (routes, expected) => {
    const shop = await start({ routes });
    for (const answer of expected.split(', ')) {
      const path = answer.slice(4);
      expect(`${(await probe(shop, path))[0]} ${path}`).toBe(answer);
    }
  });
});
