import type pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { createPayments, type Payments } from '../src/index.ts';
import { systemClock } from '../src/clock.ts';
import { postgresStore } from '../src/stores/postgres/postgres-store.ts';
import { type CountedPool, countedPool } from './counted-pool.ts';
import { ScriptedGateway, statusRow } from './scripted-gateway.ts';
import { someOptions } from './some-options.ts';

/** Two processes of a shop, with a pool each on the same tables, for all tests of a file. */
export interface TwoShops {
  readonly gateway: ScriptedGateway;
  readonly shops: readonly [Payments, Payments];
  /** Moves their clock, so that the gateway may be asked again. */
  readonly later: () => void;
  /** The gateway shows that a link is paid, by the transaction of this number. @returns its id. */
  readonly pay: (redirectUrl: string, number: number) => string;
}

export function twoShops(): () => TwoShops {
  let both: TwoShops;
  let database: CountedPool;
  let laterMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + laterMs };
  beforeAll(async () => {
    const gateway = await new ScriptedGateway().start();
    database = await countedPool(inject('databaseUrl'));
    const processOn = (pool: pg.Pool): Payments =>
      createPayments({
        ...someOptions(gateway.baseUrl),
        store: postgresStore({ pool, timeoutMs: 20_000 }),
        loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
        limits: false,
        clock,
      });
    both = {
      gateway,
      shops: [processOn(database.pool), processOn(database.another())],
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
