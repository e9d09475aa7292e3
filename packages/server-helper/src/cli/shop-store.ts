import { existsSync } from 'node:fs';
import { ConfigurationError, type Finding, guideAddress, helpAddress } from '../errors.ts';
import { sqliteFileOf } from '../options/environment.ts';
import { migrations as postgresMigrations } from '../stores/postgres/migrations.ts';
import type { Row } from '../stores/sql.ts';
import { faultText, storeFaultOf } from '../stores/database-error.ts';
import { migrations as sqliteMigrations } from '../stores/sqlite/migrations.ts';
import { type Diagnosis, type Terminal, writeReasons } from './terminal.ts';
import { loadPg, storeFromUrl } from '../payments-from-env.ts';
import type { Store } from '../stores/store.ts';
import type { ExitCode } from './command.ts';
import { storeName, type ShopSettings } from './shop-settings.ts';

/** The state of a database. */
export type StoreState =
  | { readonly kind: 'ready'; readonly clockOffsetMs: number | null }
  /** There is no such file, or no table of ours. */
  | { readonly kind: 'empty' }
  /** Another release wrote it: `seen` migrations of the `known` ones of this one. */
  | { readonly kind: 'other_release'; readonly seen: number; readonly known: number }
  /** A store of the shop's own code lacks tables of this release. */
  | { readonly kind: 'not_migrated' }
  | { readonly kind: 'other_scope'; readonly scope: string }
  /** It cannot be asked before a setting is mended or a package is there. */
  | { readonly kind: 'misconfigured'; readonly finding: Finding }
  /** `reason` has a code and what is missing: what a database says may quote its address. */
  | { readonly kind: 'unreachable'; readonly reason: string };

const CONNECT_TIMEOUT_MS = 5_000;
const META = 'SELECT schema_version, scope FROM pay_meta';

/**
 * Looks at the shop's store without writing anything in it, not even its tables.
 *
 * @throws what a store of the shop's own code throws.
 */
export async function readStoreState({
  store,
  databaseUrl,
  scope,
}: Pick<ShopSettings, 'store' | 'databaseUrl' | 'scope'>): Promise<StoreState> {
  if (store === undefined) return stateAt(databaseUrl, scope);
  const pending = await store.schema?.pending(scope);
  return (pending ?? '') === '' ? { kind: 'ready', clockOffsetMs: null } : { kind: 'not_migrated' };
}

async function stateAt(url: string, scope: string): Promise<StoreState> {
  const file = sqliteFileOf(url);
  try {
    return file === undefined ? await postgresState(url, scope) : await sqliteState(file, scope);
  } catch (error) {
    const [finding] = error instanceof ConfigurationError ? error.findings : [];
    if (finding !== undefined) return { kind: 'misconfigured', finding };
    const { code, advice } = storeFaultOf(error);
    return { kind: 'unreachable', reason: faultText(code, advice) };
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
  const client = new (loadPg().Client)({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
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
  return seen === known ? { kind: 'ready', clockOffsetMs } : { kind: 'other_release', seen, known };
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
        fix: 'Start the shop once or run npx pay-button migrate, or let DATABASE_URL name the database that the shop uses.',
        help: guideAddress('operations.md#store'),
      };
    case 'other_release':
      return {
        code: 'store_of_another_release',
        what: `${name} has ${state.seen} of our migrations, and this release knows ${state.known}.`,
        why: 'Reading tables of another release could mislead you.',
        fix:
          state.seen < state.known
            ? 'Run npx pay-button migrate, or start the shop of this release once.'
            : 'Use the release that the shop runs.',
        help: guideAddress('operations.md#store'),
      };
    case 'not_migrated':
      return {
        code: 'store_not_migrated',
        what: `${name} lacks tables of this release.`,
        why: 'The shop makes them when it starts; this command makes none.',
        fix: 'Run npx pay-button migrate, or start the shop of this release once.',
        help: helpAddress('store_not_migrated'),
      };
    case 'other_scope':
      return {
        code: 'store_of_another_scope',
        what: `${name} holds the payments of "${state.scope}".`,
        why: 'The same order ids mean other orders there.',
        fix: 'Set GATEWAY_ENVIRONMENT and --merchant to what the shop runs with, or DATABASE_URL to another database.',
        help: helpAddress('store_of_another_scope'),
      };
    case 'misconfigured':
      return state.finding;
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

/** Whether the store has all tables of this release; else says why not, and what to run. */
export async function isStoreReady({ settings, terminal, isJson }: StoreUse): Promise<boolean> {
  const state = await readStoreState(settings);
  if (state.kind === 'ready') return true;
  const finding = storeFinding(state, storeName(settings));
  if (isJson) {
    terminal.json({ error: finding });
  } else {
    terminal.line(`${terminal.paint('red', '✗')} ${finding.what}`);
    writeReasons(terminal, finding);
  }
  return false;
}

/** Opens the store when it has its tables; else says why not. Never makes a database or a table. */
export async function withStore(
  use: StoreUse,
  work: (store: Store<unknown>) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!(await isStoreReady(use))) return 1;
  const { settings } = use;
  const store = settings.store ?? storeFromUrl(settings.databaseUrl);
  await store.open(settings.scope);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
