import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ScriptedGateway, sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { createPayments, type Payments } from '../../index.ts';
import { postgresStore } from '../../stores/postgres/postgres-store.ts';

const schema = `approvals_${randomUUID().replaceAll('-', '')}`;
/** Two processes have a pool each, on the same tables. */
const pools = [1, 2].map(
  () =>
    new pg.Pool({
      connectionString: inject('databaseUrl'),
      options: `-c search_path=${schema}`,
    }),
);
let gateway: ScriptedGateway;
let shops: Payments[];
let laterMs = 0;

const processOn = (pool: pg.Pool): Payments =>
  createPayments({
    gateway: { environment: 'staging', baseUrl: gateway.baseUrl, apiKey: 'key', random: () => 0 },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['a-secret-of-the-shop-0123456789abcdef'],
    store: postgresStore({ pool, timeoutMs: 20_000 }),
    loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
    pages: { success: '/a', pending: '/b', failure: '/c' },
    limits: false,
    clock: {
      now: () => Date.now() + laterMs,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    },
  });

beforeAll(async () => {
  gateway = await new ScriptedGateway().start();
  gateway.script = (request, response) => {
    if (!request.path.endsWith('/refund')) return gateway.answerUsually(request, response);
    const data = { result: 'accepted', refundId: 'r-9', referenceId: 'r', paymentId: '1' };
    const whole = { ...data, message: 'ok', amount: '20.00' };
    return sendJson(response, 200, { code: 200, message: 'ok', errorCode: null, data: whole });
  };
  await pools[0]?.query(`CREATE SCHEMA ${schema}`);
  shops = pools.map(processOn);
});

afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.close()));
  await pools[0]?.query(`DROP SCHEMA ${schema} CASCADE`);
  await Promise.all(pools.map((pool) => pool.end()));
  await gateway.close();
});

const shopOf = (index: number): Payments => shops[index % shops.length] ?? expect.fail('two');

/** A paid order with a refund of it that Noura proposed; answers with the transaction. */
async function proposedFor(orderId: string, index: number, amount: string): Promise<string> {
  const { redirectUrl } = await shopOf(0).ensureLink(orderId);
  const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  const transactionId = `f2d5b7c0-0000-4000-8000-${String(index).padStart(12, '0')}`;
  gateway.rows.set(session, [statusRow({ transactionId })]);
  laterMs += 10_000;
  await shopOf(1).confirm(orderId);
  const proposal = { amount, requestId: `p-${index}`, by: 'Noura', propose: true };
  expect(await shopOf(0).refund(orderId, proposal)).toMatchObject({ state: 'proposed' });
  return transactionId;
}

const sentFor = (transactionId: string): number =>
  gateway
    .requestsTo('/payment/s2s/refund')
    .filter(({ body }) => JSON.stringify(body).includes(transactionId)).length;

it('a proposal that both processes approve again and again at once is sent once', async () => {
  for (let index = 1; index <= 10; index += 1) {
    const transactionId = await proposedFor(`at-once-${index}`, index, '20.00');
    const approvals = Array.from({ length: 6 }, (_, turn) =>
      shopOf(turn).approve(`request/p-${index}`, { by: `person ${turn}` }),
    );
    const ends = await Promise.all(approvals);
    expect(new Set(ends.map(({ approvedBy }) => approvedBy)).size).toBe(1);
    expect(sentFor(transactionId)).toBe(1);
  }
}, 120_000);

it('of a proposal and a refund of the same money at once, one is sent', async () => {
  for (let index = 101; index <= 110; index += 1) {
    const orderId = `same-money-${index}`;
    const transactionId = await proposedFor(orderId, index, '100.00');
    const approval = shopOf(0).approve(`request/p-${index}`, { by: 'Salem' });
    const refund = shopOf(1).refund(orderId, { amount: '100.00', requestId: `r-${index}` });
    const [approved, refunded] = await Promise.allSettled([approval, refund]);
    expect([approved.status, refunded.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(sentFor(transactionId)).toBe(1);
    const states = (await shopOf(0).explain(orderId))?.operations.map(({ state }) => state);
    expect(states).toEqual(approved.status === 'fulfilled' ? ['pending'] : ['proposed', 'pending']);
  }
}, 120_000);
