import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';
import express from 'express';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { createPayments } from '../../src/index.ts';
import type { PaymentEvent } from '../../src/payments/record.ts';
import { mysqlStore } from '../../src/stores/mysql/mysql-store.ts';
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts';
import type { PostgresTransaction } from '../../src/stores/postgres/connections.ts';
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { someOptions } from '../some-options.ts';
import { dyingAfterAnswers, dyingAtCommits, type FailPoint } from './fail-point.ts';

// One process of a small shop: the router, a real store, and a point at which it may die. It ships
// inside the commit, into a table that does not mind if an order is shipped twice.

/** What the process is started with, as its only argument in JSON. */
export interface ShopSettings {
  readonly database: string;
  /** Whether a pooler is before the database that does not follow the names of statements. */
  readonly isPooled: boolean;
  readonly gatewayUrl: string;
  readonly failPoint: FailPoint | null;
}

const { database, isPooled, gatewayUrl, failPoint } = JSON.parse(
  process.argv[2] ?? '{}',
) as ShopSettings;
const insertion = 'INSERT INTO shipments (order_id) VALUES';
dyingAfterAnswers(failPoint);

const kind = /^(?:postgres|mysql)(?=:)/.exec(database)?.[0] ?? 'sqlite';
const stores = {
  sqlite: () => sqliteStore({ file: database }),
  mysql: () =>
    mysqlStore({
      pool: mysql.createPool({ uri: database, connectionLimit: 6, connectTimeout: 3_000 }),
      endsPool: true,
    }),
  postgres: () =>
    postgresStore({
      pool: new pg.Pool({ connectionString: database, max: 6, connectionTimeoutMillis: 3_000 }),
      endsPool: true,
      preparedStatements: !isPooled,
    }),
};
const store = stores[kind as keyof typeof stores]() as Store<unknown>;

const payments = createPayments({
  ...someOptions(`${gatewayUrl}/v1`),
  store: dyingAtCommits(store, failPoint),
  loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
  inTransaction:
    kind === 'sqlite'
      ? (tx, event) => {
          if (event.type === 'paid') ship(tx as DatabaseSync, event);
        }
      : async (tx, event) => {
          const value = kind === 'mysql' ? '(?)' : '($1)';
          if (event.type !== 'paid') return;
          await (tx as PostgresTransaction).query(`${insertion} ${value}`, [event.orderId]);
        },
  on: { paid: tell, refunded: tell },
  // All shoppers share one address here.
  limits: false,
});

const app = express();
app.use('/pay', payments.router());
app.post('/refund/:orderId', (request, response) => {
  const { orderId } = request.params;
  payments.refund(orderId, { amount: '20.00', requestId: `refund-${orderId}` }).then(
    ({ state }) => response.json({ state }),
    () => response.status(503).end(),
  );
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
payments.start();
const { port } = server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ port })}\n`);
process.stdin.resume().once('end', () => process.exit());
process.once('SIGTERM', () => {
  server.close();
  void payments.close().then(() => process.exit());
});

function ship(tx: DatabaseSync, { orderId }: PaymentEvent): void {
  tx.prepare(`${insertion} (?)`).run(orderId);
}

/** The merchant's mail: at least once, by the event's own id. */
async function tell({ id }: PaymentEvent): Promise<void> {
  const body = JSON.stringify({ id });
  const { ok } = await fetch(`${gatewayUrl}/handled`, { method: 'POST', body });
  if (!ok) throw new Error('not handled');
}
