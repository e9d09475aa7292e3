import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { countedPool } from '../../../test-support/counted-pool.ts';
import { storeConformance } from '../conformance/conformance.ts';
import type { Store } from '../store.ts';
import { postgresStore } from './postgres-store.ts';

const document = new URL('../../../../../docs/stores-and-scaling.md', import.meta.url);
const [, migration = ''] =
  /```sql\n(BEGIN;[^]*?PARTITION OF[^]*?)```/.exec(readFileSync(document, 'utf8')) ?? [];

describe('the PostgreSQL store, after the documented migration to partitions', async () => {
  const { pool, end } = await countedPool(inject('databaseUrl'));
  const store = postgresStore({ pool }) as Store<unknown>;
  beforeAll(async () => {
    await store.open('staging/test');
    await pool.query(migration);
  });
  afterAll(end);

  for (const { name, check } of storeConformance) it(name, () => check(store));
});
