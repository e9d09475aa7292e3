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

/** Asks until the store answers: a busy machine may meet its short limit with a good network too. */
async function open(): ReturnType<Shop['open']> {
  for (;;) {
    const opened = await shop.open().catch(() => null);
    if (opened !== null) return opened;
  }
}

it('every route answers while nothing reaches the database, and recovers with the network', async () => {
  const { status, success, merchantOrderId } = await open();
  network.open();
  shop.later();
  for (let round = 0; round < 2; round += 1) {
    const [link, keyed, state, notified, back, health] = await Promise.all([
      shop.checkout({ orderId: '1001' }),
      shop.checkout({ orderId: '1001' }, { 'idempotency-key': 'a-key' }),
      shop.send(status),
      shop.notify({ merchantOrderId }),
      shop.send(success),
      shop.send('/pay/health'),
    ]);
    for (const reply of [link, keyed, state, notified]) {
      expectProblem(reply, 503, 'store_unavailable');
    }
    expect(notified.headers['retry-after']).toBe('5');
    expect(back.headers.location).toBe('https://shop.example/wait/1001');
    expect(health.json).toMatchObject({ status: 'unavailable' });
  }
  network.close();
  const again = await open();
  const state = async (): Promise<unknown> => (await shop.send(again.status)).json['state'];
  await expect.poll(state).toBe('pending');
});

it('a shop that starts while nothing reaches the database answers, and recovers', async () => {
  network.open();
  expectProblem(await shop.checkout({ orderId: '1001' }), 503, 'store_unavailable');
  expectProblem(await shop.checkout({ orderId: '1001' }), 503, 'store_unavailable');
  network.close();
  await open();
});
