import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { storeConformance } from '../conformance/conformance.ts';
import type { Store } from '../store.ts';
import { postgresStore } from './postgres-store.ts';

/** PostgreSQL as a library, behind a socket: one session, which all connections take turns at. */
describe('the PostgreSQL store on PGlite', async () => {
  const database = await PGlite.create();
  // A second connection is taken while one that the store has thrown away is not gone yet.
  const place = { port: 0, host: '127.0.0.1', maxConnections: 2 };
  const server = new PGLiteSocketServer({ db: database, ...place });
  await server.start();
  const port = Number(server.getServerConn().split(':').at(-1));
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    max: 1,
  });
  const store = postgresStore({
    pool,
    preparedStatements: false,
    timeoutMs: 20_000,
  }) as Store<unknown>;
  beforeAll(() => store.open('staging/test'));
  afterAll(async () => {
    await pool.end();
    await server.stop();
    await database.close();
  });

  for (const { name, check } of storeConformance) it(name, () => check(store));
});
