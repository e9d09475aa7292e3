import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { rowsIn, startPostgres } from '../postgres.ts';
import { type Place, startProgram } from '../process.ts';
import type { StepResult } from '../steps.ts';
import { payInBrowser, saysWhatIsPaid, shopSettings } from './pay-as-shopper.ts';

/** Tries an example in the folder where all of them are installed. */
export type Trial = (folder: string, browser: Browser) => Promise<StepResult>;

/** How a shop's server is started. */
export interface ShopServer extends Place {
  readonly parameters: readonly string[];
  /** Whether a framework has the signals, and ends the process in its own way. */
  readonly endsByFramework?: boolean;
}

/** The settings of a shop under trial. */
export type Environment = Readonly<Record<string, string>>;

/** A real payment through a shop with its record in SQLite. */
export const tryShop =
  (serverIn: (folder: string) => ShopServer): Trial =>
  (folder, browser) =>
    withSandbox(folder, (env) => payThrough(serverIn(folder), env, browser));

/** A real payment through a shop with its record in PostgreSQL. */
export const tryShopWithPostgres =
  (serverIn: (folder: string) => ShopServer): Trial =>
  (folder, browser) =>
    withSandbox(folder, (env) =>
      withSchema((url) => payThrough(serverIn(folder), { ...env, DATABASE_URL: url }, browser)),
    );

/** The shopper sees that the order is paid, and the shop's own record has it shipped once. */
async function payThrough(
  { parameters, endsByFramework = false, ...place }: ShopServer,
  env: Environment,
  browser: Browser,
): Promise<StepResult> {
  const { PUBLIC_URL: url = '', DATABASE_URL: databaseUrl = '' } = env;
  const shop = await startProgram(parameters, { ...place, env: { ...place.env, ...env } });
  try {
    await saysWhatIsPaid(await payInBrowser(browser, url));
    const shipped = await rowsIn(databaseUrl, 'SELECT order_id FROM shipments');
    assert.deepEqual(shipped, [{ order_id: '1001' }], 'order 1001 is shipped once');
    if (!endsByFramework) await shop.end('SIGINT');
    return { ok: true, remark: 'one payment' };
  } finally {
    await shop.stop();
  }
}

/** Starts the installed sandbox, and gives the settings with which a shop reaches it. */
export async function withSandbox(
  folder: string,
  work: (env: Environment) => Promise<StepResult>,
): Promise<StepResult> {
  const program = join(folder, 'node_modules/@pay-button/gateway-sandbox/dist/cli.js');
  const sandbox = await startProgram([program, '--port', '0'], { cwd: folder });
  try {
    const known = JSON.parse(sandbox.ready) as Record<'url' | 'baseUrl' | 'apiKey', string>;
    const file = join(mkdtempSync(join(folder, 'data-')), 'payments.db');
    const settings = await shopSettings(known, `sqlite:${file}`);
    // SvelteKit has a name of its own for the shop's address.
    return await work({ ...settings, ORIGIN: settings.PUBLIC_URL });
  } finally {
    await sandbox.stop();
  }
}

/** A schema of its own in a real PostgreSQL. */
export async function withSchema<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  const schema = `example_${randomUUID().replaceAll('-', '')}`;
  try {
    await rowsIn(server.url, `CREATE SCHEMA ${schema}`);
    const url = new URL(server.url);
    url.searchParams.set('options', `-c search_path=${schema}`);
    return await work(url.href);
  } finally {
    await rowsIn(server.url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await server.stop();
  }
}
