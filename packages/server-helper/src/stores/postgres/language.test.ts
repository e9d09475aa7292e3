import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { listConformance } from '../conformance/lists.ts';
import type { Store } from '../store.ts';
import { postgresStore } from './postgres-store.ts';

describe('in a database that sorts as a language does', () => {
  const name = `language_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 });
  const address = new URL(inject('databaseUrl'));
  address.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: address.href });
  const store = postgresStore({ pool }) as Store<unknown>;

  beforeAll(async () => {
    const language = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
    await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ${language}`);
    await store.open('staging/test');
  });
  afterAll(async () => {
    await pool.end();
    await admin.query(`DROP DATABASE ${name}`);
    await admin.end();
  });

  for (const one of listConformance) it(one.name, () => one.check(store));
});
