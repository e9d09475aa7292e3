import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { createPayments, type Payments, type PaymentsOptions } from '../src/index.ts';
import { systemClock } from '../src/clock.ts';
import { postgresStore } from '../src/stores/postgres/postgres-store.ts';
import type { PostgresTransaction } from '../src/stores/postgres/connections.ts';
import { type CountedPool, countedPool } from './counted-pool.ts';
import { ScriptedGateway, statusRow } from './scripted-gateway.ts';
import { someOptions } from './some-options.ts';

/** Two processes of a shop, with a pool each on the same tables, for all tests of a file. */
export interface TwoShops {
  readonly gateway: ScriptedGateway;
  readonly pools: readonly [pg.Pool, pg.Pool];
  readonly shops: readonly [Payments, Payments];
  /** Moves their clock, so that the gateway may be asked again. */
  readonly later: () => void;
  /** The gateway shows that a link is paid, by the transaction of this number. @returns its id. */
  readonly pay: (redirectUrl: string, number: number) => string;
}

/** @param settings - Of each connection, as PostgreSQL's command line takes them. */
export function twoShops(
  options: Partial<PaymentsOptions<PostgresTransaction>> = {},
  settings = '',
): () => TwoShops {
  let both: TwoShops;
  let database: CountedPool;
  let laterMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + laterMs };
  beforeAll(async () => {
    const gateway = await new ScriptedGateway().start();
    database = await countedPool(inject('databaseUrl'), { options: settings });
    const processOn = (pool: pg.Pool): Payments =>
      createPayments<PostgresTransaction>({
        ...someOptions(gateway.baseUrl),
        store: postgresStore({ pool, timeoutMs: 20_000 }),
        loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
        limits: false,
        clock,
        ...options,
      });
    const pools = [database.pool, database.another()] as const;
    both = {
      gateway,
      pools,
      shops: [processOn(pools[0]), processOn(pools[1])],
      later: () => void (laterMs += 10_000),
      pay: (redirectUrl, number) => {
        const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
        const transactionId = `f2d5b7c0-0000-4000-8000-${String(number).padStart(12, '0')}`;
        gateway.rows.set(session, [statusRow({ transactionId })]);
        return transactionId;
      },
    };
  });
  afterAll(async () => {
    await Promise.all(both.shops.map((shop) => shop.close()));
    await database.end();
    await both.gateway.close();
  });
  return () => both;
}
