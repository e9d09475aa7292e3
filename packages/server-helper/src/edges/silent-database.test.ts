import pg from 'pg';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { blackHole, type BlackHole } from '../../test-support/black-hole.ts';
import { countedPool, type CountedPool } from '../../test-support/counted-pool.ts';
import { expectProblem, Shop } from '../../test-support/shop.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';

let network: BlackHole;
let database: CountedPool;
let pool: pg.Pool;
let shop: Shop;
beforeEach(async () => {
  network = await blackHole(inject('databaseUrl'));
  database = await countedPool(inject('databaseUrl'));
  const options = `-c search_path=${database.name}`;
  pool = new pg.Pool({ connectionString: network.url, options });
  shop = await Shop.start({ payments: { store: postgresStore({ pool, timeoutMs: 300 }) } });
});
afterEach(async () => {
  network.close();
  await shop.close();
  await pool.end();
  await network.end();
  await database.end();
});

/** Asks until the store answers again. */
async function open(): ReturnType<Shop['open']> {
  for (;;) {
    if ((await shop.checkout({ orderId: '1001' })).status === 201) return shop.open();
  }
}

it('every route answers while nothing reaches the database, and recovers with the network', async () => {
  const { status, success, merchantOrderId } = await open();
  network.open();
  shop.later();
  for (let round = 0; round < 2; round += 1) {
    expectProblem(await shop.checkout({ orderId: '1001' }), 503, 'store_unavailable');
    const keyed = await shop.checkout({ orderId: '1001' }, { 'idempotency-key': 'a-key' });
    expectProblem(keyed, 503, 'store_unavailable');
    expectProblem(await shop.send(status), 503, 'store_unavailable');
    const hook = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ merchantOrderId });
    const notified = await shop.send('/pay/webhook', { ...hook, body });
    expectProblem(notified, 503, 'store_unavailable');
    expect(notified.headers['retry-after']).toBe('5');
    const back = await shop.send(success);
    expect(back.headers.location).toBe('https://shop.example/wait/1001');
    expect((await shop.send('/pay/health')).json).toMatchObject({ status: 'unavailable' });
  }
  network.close();
  const again = await open();
  expect((await shop.send(again.status)).json).toMatchObject({ state: 'pending' });
});

it('a shop that starts while nothing reaches the database answers, and recovers', async () => {
  network.open();
  expectProblem(await shop.checkout({ orderId: '1001' }), 503, 'store_unavailable');
  expectProblem(await shop.checkout({ orderId: '1001' }), 503, 'store_unavailable');
  network.close();
  await open();
});
