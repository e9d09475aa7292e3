import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { rowsIn, startPostgres } from '../postgres.ts';
import { type Place, startProgram } from '../process.ts';
import { payInBrowser, saysWhatIsPaid, shopSettings } from './pay-as-shopper.ts';

/** Tries an example in the folder where all of them are installed. @returns what is worth a word. */
export type Trial = (folder: string, name: string, browser: Browser) => Promise<string>;

/** The settings of a shop under trial. */
export type Environment = Readonly<Record<string, string>>;

/** How a shop's server is started. */
interface ShopServer {
  readonly place: Pick<Place, 'cwd' | 'env'>;
  readonly command: string;
  /** Whether a framework has the signals, and ends the process in its own way. */
  readonly isApp: boolean;
  readonly hasPostgres: boolean;
}

/** What a server says, in its own words or a framework's, when it is ready. */
const sign = /ready |Ready in |istening on |\[react-router-serve\] /;

/** A real payment: the shopper sees that the order is paid, and the shop has it shipped once. */
export const tryShop = (folder: string, browser: Browser, server: ShopServer): Promise<string> =>
  withSandbox(folder, async (env) => {
    const pay = async (databaseUrl = env['DATABASE_URL'] ?? ''): Promise<string> => {
      const { place, isApp } = server;
      const { PUBLIC_URL: url = '' } = env;
      // Each setting wins over that of the example's file; SvelteKit's script has the address too.
      const own = { ...place.env, ...env, DATABASE_URL: databaseUrl };
      const command = server.command.replace('http://127.0.0.1:3000', url);
      // The shell gives its place to the server, which so gets the signals.
      const how = { ...place, env: own, program: 'sh', sign };
      const shop = await startProgram(['-c', `exec env ${command}`], how);
      try {
        await saysWhatIsPaid(await payInBrowser(browser, url));
        const shipped = await rowsIn(databaseUrl, 'SELECT order_id FROM shipments');
        assert.deepEqual(shipped, [{ order_id: '1001' }], 'order 1001 is shipped once');
        if (!isApp) await shop.end('SIGINT');
        return 'one payment';
      } finally {
        await shop.stop();
      }
    };
    return server.hasPostgres ? withSchema(pay) : pay();
  });

/** Starts the installed sandbox, and gives the settings with which a shop reaches it. */
export async function withSandbox(
  folder: string,
  work: (env: Environment) => Promise<string>,
): Promise<string> {
  const program = join(folder, 'node_modules/@pay-button/gateway-sandbox/dist/cli.js');
  const sandbox = await startProgram([program, '--port', '0'], { cwd: folder });
  try {
    const known = JSON.parse(sandbox.ready) as Record<'url' | 'baseUrl' | 'apiKey', string>;
    const file = join(mkdtempSync(join(folder, 'data-')), 'payments.db');
    return await work(await shopSettings(known, `sqlite:${file}`));
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
