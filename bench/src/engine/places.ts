import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../../scripts/postgres.ts';
import type { StoreName } from './names.ts';

/** Where tables can be made, for one measurement. */
export interface Places {
  /** A database's address, or a file; without tables. */
  make(storeName: StoreName): Promise<string>;
  /** Takes everything away again. */
  end(): Promise<void>;
}

/** Starts a PostgreSQL of our own and makes a folder for SQLite files. */
export async function findPlaces(): Promise<Places> {
  const postgres = await startPostgres();
  const pool = new pg.Pool({ connectionString: postgres.url });
  const folder = mkdtempSync(join(tmpdir(), 'pay-bench-'));
  const schemas: string[] = [];
  return {
    make: async (storeName) => {
      const name = `bench_${randomUUID().replaceAll('-', '')}`;
      if (storeName === 'SQLite') return join(folder, `${name}.db`);
      await pool.query(`CREATE SCHEMA ${name}`);
      schemas.push(name);
      const url = new URL(postgres.url);
      url.searchParams.set('options', `-c search_path=${name}`);
      return url.href;
    },
    end: async () => {
      for (const schema of schemas) await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
