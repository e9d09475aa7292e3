import assert from 'node:assert/strict';
import type { Browser } from 'playwright';
import type { StepResult } from '../process/report-step.ts';
import { saysWhatIsPaid } from './pay-as-shopper.ts';
import { payInBrowser } from './pay-in-browser.ts';
import { type Place, startProgram } from './processes.ts';
import { shipmentsIn } from './shipments.ts';
import { type Environment, withSandbox, withSchema } from './surroundings.ts';

/** Tries an example in the folder where all of them are installed. */
export type Trial = (folder: string, browser: Browser) => Promise<StepResult>;

/** How a shop's server is started. */
export interface ShopServer extends Place {
  readonly parameters: readonly string[];
  /** Whether a framework has the signals, and ends the process in its own way. */
  readonly endsByFramework?: boolean;
}

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
    assert.deepEqual(await shipmentsIn(databaseUrl), ['1001'], 'order 1001 is shipped once');
    if (!endsByFramework) await shop.end('SIGINT');
    return { ok: true, remark: 'one payment' };
  } finally {
    await shop.stop();
  }
}
