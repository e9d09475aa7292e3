import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { freePort, root, startProgram } from '../../../../../scripts/process.ts';
import { storeConformance } from '../conformance/conformance.ts';
import type { Store } from '../store.ts';
import { postgresStore } from './postgres-store.ts';

/** PostgreSQL as a library, behind a socket: one session, which all connections take turns at. */
describe('the PostgreSQL store on PGlite', async () => {
  const port = await freePort();
  const program = join(root, 'scripts/tools/node_modules/.bin/pglite-server');
  const place = { cwd: root, sign: /listening on / };
  const server = await startProgram([program, `--port=${port}`, '--max-connections=2'], place);
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const pool = new pg.Pool({ connectionString, max: 1 });
  const options = { pool, preparedStatements: false, timeoutMs: 20_000 };
  const store = postgresStore(options) as Store<unknown>;
  beforeAll(() => store.open('staging/test'));
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  for (const { name, check } of storeConformance) it(name, () => check(store));
});
