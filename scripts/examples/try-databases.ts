import assert from 'node:assert/strict';
import { join } from 'node:path';
import { rowsIn } from '../postgres.ts';
import { startProgram, until } from '../process.ts';
import { payAsShopper } from './pay-as-shopper.ts';
import { type Environment, withSandbox, withSchema } from './try-shop.ts';

/** Each is a file of `examples/databases`, and writes through an ORM of that name. */
const orms = ['drizzle', 'kysely', 'knex', 'typeorm', 'prisma'];

/** How often `on.paid` wrote, where all rows of a payment were committed at one moment. */
const found = 'CAST((SELECT count(*) FROM emails) AS text) AS emails';
const inPostgres = `SELECT ${found} FROM shipments s JOIN pay_movements m USING (order_id)
  WHERE pg_xact_commit_timestamp(s.xmin) = pg_xact_commit_timestamp(m.xmin)`;
const inFile = `SELECT ${found}
  FROM shipments JOIN invoices USING (order_id) JOIN points USING (order_id)`;

/** A real payment through each ORM writes in the kit's own commit. */
export async function tryDatabases(folder: string): Promise<string> {
  const cwd = join(folder, 'examples/databases');
  return withSandbox(folder, async (settings) => {
    for (const orm of orms) {
      await withSchema((url) => payAt(orm, cwd, { ...settings, DATABASE_URL: url }, url));
    }
    const file = join(folder, 'databases.db');
    await payAt('sqlite', cwd, { ...settings, PAYMENTS_FILE: file }, `sqlite:${file}`);
    return `one payment through each of ${orms.length} ORMs, one into a file`;
  });
}

/** Starts the shop with one file, and pays; a handler is called soon after. */
async function payAt(name: string, cwd: string, env: Environment, url: string): Promise<void> {
  const shop = await startProgram(['shop.ts', name], { cwd, env });
  const read = () => rowsIn(url, name === 'sqlite' ? inFile : inPostgres);
  try {
    assert.match(await payAsShopper(shop.ready), /\/thanks\/1001$/, `${name}: the order is paid`);
    const rows = await until(`${name}: the handler has written`, async () => {
      const written = await read();
      return written[0]?.['emails'] === '0' ? null : written;
    });
    assert.deepEqual(rows, [{ emails: '1' }], `${name}: all rows are there, once`);
    await shop.end('SIGTERM');
  } finally {
    await shop.stop();
  }
}
