import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Pg from 'pg';
import { helpAddress, nameOf } from '../errors.ts';
import { sqliteFileOf } from '../options/settings-from-env.ts';
import { migrations as postgresMigrations } from '../stores/postgres/migrations.ts';
import type { Row } from '../stores/rows.ts';
import { migrations as sqliteMigrations } from '../stores/sqlite/migrations.ts';
import { type Diagnosis, type Terminal, writeReasons } from './terminal.ts';
import { storeFromUrl } from '../options/payments-from-env.ts';
import type { Store } from '../stores/store.ts';
import type { ExitCode } from './command.ts';
import { databaseName, type ShopSettings } from './shop-settings.ts';

/** The state of a database. */
export type StoreState =
  | { readonly kind: 'ready'; readonly schema: number; readonly clockOffsetMs: number | null }
  /** There is no such file, or no table of ours. */
  | { readonly kind: 'empty' }
  /** Another release wrote it: `seen` migrations of the `known` ones of this one. */
  | { readonly kind: 'other_release'; readonly seen: number; readonly known: number }
  | { readonly kind: 'other_scope'; readonly scope: string }
  /** `reason` is an error's code: what a database says may quote its address. */
  | { readonly kind: 'unreachable'; readonly reason: string };

const CONNECT_TIMEOUT_MS = 5_000;
const META = 'SELECT schema_version, scope FROM pay_meta';

/** Looks at the store without writing anything in it, not even its tables. */
export async function readStoreState(url: string, scope: string): Promise<StoreState> {
  const file = sqliteFileOf(url);
  try {
    return file === undefined ? await postgresState(url, scope) : await sqliteState(file, scope);
  } catch (error) {
    return { kind: 'unreachable', reason: nameOf(error) };
  }
}

async function sqliteState(file: string, scope: string): Promise<StoreState> {
  if (!existsSync(file)) return { kind: 'empty' };
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true, timeout: CONNECT_TIMEOUT_MS });
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'pay_meta'").get();
    if (table === undefined) return { kind: 'empty' };
    return stateOf(database.prepare(META).get(), scope, sqliteMigrations.length, null);
  } finally {
    database.close();
  }
}

async function postgresState(connectionString: string, scope: string): Promise<StoreState> {
  const pg = createRequire(import.meta.url)('pg') as typeof Pg;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows: tables } = await client.query<Row>("SELECT to_regclass('pay_meta') AS found");
    if (typeof tables[0]?.['found'] !== 'string') return { kind: 'empty' };
    const askedAt = Date.now();
    const { rows: times } = await client.query<Row>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
    );
    const offset = Math.round(Number(times[0]?.['now']) - (askedAt + Date.now()) / 2);
    const { rows } = await client.query<Row>(META);
    return stateOf(rows[0], scope, postgresMigrations.length, offset);
  } finally {
    await client.end();
  }
}

function stateOf(
  meta: Row | undefined,
  scope: string,
  known: number,
  clockOffsetMs: number | null,
): StoreState {
  if (meta === undefined) return { kind: 'empty' };
  if (meta['scope'] !== scope) return { kind: 'other_scope', scope: String(meta['scope']) };
  const seen = Number(meta['schema_version']);
  return seen === known
    ? { kind: 'ready', schema: seen, clockOffsetMs }
    : { kind: 'other_release', seen, known };
}

/** The fault of a store that cannot be used as it is. */
export function storeFinding(
  state: Exclude<StoreState, { kind: 'ready' }>,
  name: string,
): Diagnosis {
  switch (state.kind) {
    case 'empty':
      return {
        code: 'store_empty',
        what: `There are no payments in ${name}.`,
        why: 'The shop makes its tables when it starts, so it has not started with this database.',
        fix: 'Start the shop once, or let DATABASE_URL name the database that the shop uses.',
        help: 'docs/operations.md#store',
      };
    case 'other_release':
      return {
        code: 'store_of_another_release',
        what: `${name} has ${state.seen} of our migrations, and this release knows ${state.known}.`,
        why: 'Reading tables of another release could mislead you.',
        fix:
          state.seen < state.known
            ? 'Start the shop of this release once: it migrates.'
            : 'Use the release that the shop runs.',
        help: 'docs/operations.md#store',
      };
    case 'other_scope':
      return {
        code: 'store_of_another_scope',
        what: `${name} holds the payments of "${state.scope}".`,
        why: 'The same order ids mean other orders there.',
        fix: 'Set GATEWAY_ENVIRONMENT and --merchant to what the shop runs with, or DATABASE_URL to another database.',
        help: helpAddress('store_of_another_scope'),
      };
    case 'unreachable':
      return {
        code: 'store_unavailable',
        what: `${name} cannot be read (${state.reason}).`,
        why: 'No payment can be started or recorded while this lasts.',
        fix: 'Start the database, and let DATABASE_URL hold its address, name and password.',
        help: helpAddress('store_unavailable'),
      };
  }
}

/** How a command meets the store. */
export interface StoreUse {
  readonly settings: ShopSettings;
  readonly terminal: Terminal;
  readonly isJson: boolean;
}

/** Opens the store when the shop has written it; else says why not. Never makes a database. */
export async function withStore(
  { settings, terminal, isJson }: StoreUse,
  work: (store: Store<unknown>) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { databaseUrl, scope } = settings;
  const state = await readStoreState(databaseUrl, scope);
  if (state.kind !== 'ready') {
    const finding = storeFinding(state, databaseName(databaseUrl));
    if (isJson) {
      terminal.json({ error: finding });
    } else {
      terminal.line(`${terminal.paint('red', '✗')} ${finding.what}`);
      writeReasons(terminal, finding);
    }
    return 1;
  }
  const store = storeFromUrl(databaseUrl);
  await store.open(scope);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
