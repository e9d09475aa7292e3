import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ScriptedGateway, statusRow } from '../../test-support/scripted-gateway.ts';
import { createPayments, type Payments } from '../index.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';

const ORDERS = 30;
const orderIds = Array.from({ length: ORDERS }, (_, index) => `order-${index + 1}`);
const schema = `serializable_${randomUUID().replaceAll('-', '')}`;

/** Pools of an account whose transactions are serializable, as a role or a database may set it. */
const pools = [1, 2].map(
  () =>
    new pg.Pool({
      connectionString: inject('databaseUrl'),
      options: `-c search_path=${schema} -c default_transaction_isolation=serializable`,
    }),
);
const shipped: string[] = [];
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
    inTransaction: async (tx, event) => {
      await tx.query('INSERT INTO shipped (order_id) VALUES ($1)', [event.orderId]);
    },
    on: { paid: ({ orderId }) => void shipped.push(orderId) },
    pages: { success: '/a', pending: '/b', failure: '/c' },
    limits: false,
    clock: {
      now: () => Date.now() + laterMs,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    },
  });

beforeAll(async () => {
  gateway = await new ScriptedGateway().start();
  const [pool] = pools;
  await pool?.query(`CREATE SCHEMA ${schema}`);
  await pool?.query('CREATE TABLE shipped (order_id text PRIMARY KEY)');
  shops = pools.map(processOn);
});

afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.close()));
  await pools[0]?.query(`DROP SCHEMA ${schema} CASCADE`);
  await Promise.all(pools.map((pool) => pool.end()));
  await gateway.close();
});

/** Makes the order's link at both processes, and lets the shopper pay it. */
async function pay(orderId: string, index: number): Promise<void> {
  const links = await Promise.all(shops.map((shop) => shop.ensureLink(orderId)));
  const [one, ...others] = links.map(({ redirectUrl }) => redirectUrl);
  expect(others).toEqual([one]);
  const session = new URL(one ?? '').searchParams.get('sessionId') ?? '';
  const transactionId = `f2d5b7c0-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
  gateway.rows.set(session, [statusRow({ transactionId })]);
}

it('pays 30 orders at the same time where transactions are serializable', async () => {
  await Promise.all(orderIds.map(pay));
  laterMs += 10_000;
  const webhook = (shop: Payments, orderId: string): Promise<Response> =>
    shop.handle(
      new Request('https://shop.example/pay/webhook', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ merchantOrderId: `${orderId}~1` }),
      }),
    );
  const told = shops.flatMap((shop) => orderIds.map((orderId) => webhook(shop, orderId)));
  const asked = shops.flatMap((shop) => orderIds.map((orderId) => shop.confirm(orderId)));
  const answers = await Promise.all(told);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await Promise.all(asked);
  laterMs += 10_000;
  for (let round = 0; round < 20 && shipped.length < ORDERS; round += 1) {
    await Promise.all(shops.map((shop) => shop.tick()));
  }
  const states = await Promise.all(
    orderIds.map(async (orderId) => (await shops[0]?.retrieve(orderId))?.state),
  );
  expect(states.filter((state) => state !== 'paid')).toEqual([]);
  expect(shipped.toSorted()).toEqual(orderIds.toSorted());
  const { rows } = (await pools[0]?.query('SELECT count(*)::integer AS count FROM shipped')) ?? {};
  expect(rows).toEqual([{ count: ORDERS }]);
}, 120_000);
