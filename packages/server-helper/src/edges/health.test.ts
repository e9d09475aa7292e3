import { afterEach, describe, expect, it } from 'vitest';
import { sendJson, statusRow } from '../../test-support/scripted-gateway.ts';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';
import { packageVersion } from '../package-version.ts';
import { health, type HealthParts } from './health.ts';

let shop: Shop | undefined;
const open = async (options: ShopOptions = {}): Promise<Shop> => (shop = await Shop.start(options));
afterEach(() => shop?.close());

const calm = {
  dueAttempts: 0,
  undelivered: 0,
  openReviews: 0,
  deadLetters: 0,
  oldestDueAt: null,
  oldestUndeliveredAt: null,
  oldestUnknownAt: null,
  unprovenPayments: 0,
  unreadableAnswers: 0,
  failingOrders: 0,
  oldestFailingAt: null,
};
const parts: Omit<HealthParts, 'flows'> = {
  limits: {},
  clock: { now: () => 100_000_000, hasLeapt: () => false },
  gateway: { breakers: () => ({ apiKey: 'closed', portal: 'closed' }), drift: () => [] },
  recurringTokens: { unreadable: 0 },
  unknownLinks: { areMany: () => false, refusesEnded: () => false, isAnyLost: () => false },
  trouble: { reason: null },
};

describe('health of a running shop', () => {
  it('tells the version, the store, the gateway’s breakers and what waits', async () => {
    const { status, json } = await (await open()).send('/pay/health');
    expect(status).toBe(200);
    expect(json).toEqual({
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
    });
    expect(packageVersion()).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('tells of looks that nobody makes, because the background work does not run', async () => {
    const running = await open();
    await running.open();
    running.later(40 * 60_000);
    const { status, json } = await running.send('/pay/health');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      status: 'degraded',
      backlog: { dueAttempts: 1 },
      findings: ['status_checks_overdue'],
    });
    expect(json['oldest']).toMatchObject({ overdueMs: expect.any(Number) });
  });

  it('tells of a money operation whose outcome nobody knows', async () => {
    const running = await open();
    const { session } = await running.open();
    running.gateway.rows.set(session, [statusRow()]);
    running.later();
    await running.payments.confirm('1001');
    running.gateway.script = (request, response) =>
      request.path.endsWith('/refund')
        ? sendJson(response, 502, {})
        : running.gateway.answerUsually(request, response);
    running.later();
    await running.payments.refund('1001', { amount: '20.00', requestId: 'r-1' });
    running.later(25 * 3_600_000);
    const { json } = await running.send('/pay/health');
    expect(json).toMatchObject({ status: 'degraded', backlog: { openReviews: 1 } });
    expect(json['findings']).toContain('outcome_unknown');
  });

  it('answers 503 when degraded, where the shop asks for that', async () => {
    const running = await open({ payments: { health: { overdueMs: 1, failsWhenDegraded: true } } });
    await running.open();
    running.later(60_000);
    expect((await running.send('/pay/health')).status).toBe(503);
  });

  it('answers 503 while the store is down, and what the process knows by itself', async () => {
    const running = await open();
    running.isStoreDown = true;
    const { status, json } = await running.send('/pay/health');
    expect(status).toBe(503);
    expect(json).toEqual({
      status: 'unavailable',
      version: packageVersion(),
      store: 'unavailable',
      gateway: { apiKey: 'closed', portal: 'closed' },
    });
  });
});

it.each([
  ['nothing', {}, {}, []],
  ['a dead letter', { deadLetters: 1 }, {}, ['dead_letters']],
  [
    'a gateway that is held back',
    {},
    {
      gateway: {
        breakers: () => ({ apiKey: 'open' as const, portal: 'closed' as const }),
        drift: () => [],
      },
    },
    ['gateway_held_back'],
  ],
  ['a status check at its limit', { oldestDueAt: 100_000_000 - 900_000 }, {}, []],
  [
    'a status check past its limit',
    { oldestDueAt: 100_000_000 - 900_001 },
    {},
    ['status_checks_overdue'],
  ],
  ['an event at its limit', { oldestUndeliveredAt: 100_000_000 - 900_000 }, {}, []],
  [
    'an event past its limit',
    { oldestUndeliveredAt: 100_000_000 - 900_001 },
    {},
    ['events_overdue'],
  ],
  ['many looks', { dueAttempts: 501 }, {}, ['many_waiting']],
  ['many events', { undelivered: 501 }, {}, ['many_waiting']],
  [
    'many events in a shop that is used to them',
    { undelivered: 501 },
    { limits: { waiting: 600 } },
    [],
  ],
  ['an unknown outcome past its limit', { oldestUnknownAt: 1 }, {}, ['outcome_unknown']],
  ['orders whose checks do not end', { failingOrders: 2 }, {}, ['checks_failing']],
  ['money without evidence', { unprovenPayments: 1 }, {}, ['unproven_payments']],
  ['an answer that may be money', { unreadableAnswers: 1 }, {}, ['unreadable_answers']],
  ['a clock that was set back', { oldestDueAt: 200_000_000 }, {}, []],
])('health names %s', async (_what, backlog, changes, findings) => {
  const flows = {
    backlog: async () => ({ ...calm, ...backlog }),
    isWritable: async () => true,
    isStoreStuck: () => false,
  };
  const { status, json } = await health({ ...parts, flows, ...changes });
  expect(status).toBe(200);
  const told = findings.length === 0 ? 'ok' : 'degraded';
  expect(json).toMatchObject({ status: told, findings });
});
