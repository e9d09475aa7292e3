import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { endedResult, type StepResult } from '../process/report-step.ts';
import { run, runNode } from '../process/run.ts';
import { payAsShopper } from './pay-as-shopper.ts';
import { startProgram } from './processes.ts';
import { type Environment, withSandbox, withSchema } from './surroundings.ts';

/** Each is a file of `examples/databases`, and writes through an ORM of that name. */
const orms = ['drizzle', 'kysely', 'knex', 'typeorm', 'prisma'];

/** How often an outbox row is looked for, and how long between, in milliseconds. */
const MAX_TRIES = 300;
const PAUSE_MS = 100;

/** All files compile, and a real payment through each ORM writes in the kit's own commit. */
export async function tryDatabases(folder: string): Promise<StepResult> {
  const cwd = join(folder, 'examples/databases');
  const prisma = join(folder, 'node_modules/prisma/build/index.js');
  // Prisma would download an engine that generate does not call.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
  const generate = [prisma, 'generate', '--schema=schema.prisma'];
  const generated = endedResult(await runNode(generate, { cwd, env, output: 'capture' }));
  if (!generated.ok) return generated;
  const compiled = endedResult(await run('tsc', ['-p', cwd], { output: 'capture' }));
  if (!compiled.ok) return compiled;
  return withSandbox(folder, async (settings) => {
    for (const orm of orms) {
      await withSchema((url) => payThrough(orm, cwd, { ...settings, DATABASE_URL: url }));
    }
    await payIntoFile(cwd, { ...settings, PAYMENTS_FILE: join(folder, 'databases.db') });
    return { ok: true, remark: `one payment through each of ${orms.length} ORMs, one into a file` };
  });
}

async function payThrough(orm: string, cwd: string, env: Environment): Promise<StepResult> {
  await payAt(orm, cwd, env, async () => {
    const client = new pg.Client({ connectionString: env['DATABASE_URL'] });
    await client.connect();
    try {
      // Rows of one commit bear the number of one transaction.
      const { rows } = await client.query<Row>(`
        SELECT s.xmin = m.xmin AS same, (SELECT count(*) FROM emails) AS emails
        FROM shipments s JOIN pay_movements m USING (order_id)`);
      return rows;
    } finally {
      await client.end();
    }
  });
  return { ok: true };
}

function payIntoFile(cwd: string, env: Environment): Promise<void> {
  return payAt('sqlite', cwd, env, () => {
    const database = new DatabaseSync(env['PAYMENTS_FILE'] ?? '', { readOnly: true });
    const rows = database.prepare(`
      SELECT true AS same, (SELECT count(*) FROM emails) AS emails
      FROM shipments JOIN invoices USING (order_id) JOIN points USING (order_id)`);
    const found = rows
      .all()
      .map((row) => ({ same: row['same'] === 1, emails: String(row['emails']) }));
    database.close();
    return Promise.resolve(found);
  });
}

/** What a payment left: the rows of the hook, and as text how often `on.paid` wrote. */
interface Row {
  readonly same: boolean;
  readonly emails: string;
}

/** Starts the shop with one file, and pays; a handler is called soon after. */
async function payAt(
  name: string,
  cwd: string,
  env: Environment,
  read: () => Promise<readonly Row[]>,
): Promise<void> {
  const shop = await startProgram(['shop.ts', name], { cwd, env });
  try {
    assert.match(await payAsShopper(shop.ready), /\/thanks\/1001$/, `${name}: the order is paid`);
    let found = await read();
    for (let tries = 1; tries < MAX_TRIES && found[0]?.emails === '0'; tries += 1) {
      await pause(PAUSE_MS);
      found = await read();
    }
    assert.deepEqual(found, [{ same: true, emails: '1' }], `${name}: all rows are there, once`);
    await shop.end('SIGTERM');
  } finally {
    await shop.stop();
  }
}
