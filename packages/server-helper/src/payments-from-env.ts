import { createRequire } from 'node:module';
import { createPayments, type PaymentsOf } from './create-payments.ts';
import { ConfigurationError, nameOf, throwFindings } from './errors.ts';
import type { Mysql, Pg, Request } from './optional-peers.ts';
import { mistakesIn } from './options/check-options.ts';
import * as environment from './options/environment.ts';
import type { PaymentsOptions } from './options/payments-options.ts';
import { mysqlStore } from './stores/mysql/mysql-store.ts';
import { postgresStore } from './stores/postgres/postgres-store.ts';
import { sqliteStore } from './stores/sqlite/sqlite-store.ts';
import type { Store } from './stores/store.ts';

/** The options that the environment may hold. */
type Settings = 'gateway' | 'publicUrl' | 'tokenSecrets' | 'encryptionKeys' | 'store';

/** The options that the environment cannot hold, the merchant's own code and pages, and any that it need not. */
export type EnvironmentOptions<Tx, Asking = Request> = Omit<
  PaymentsOptions<Tx, Asking>,
  Settings
> & {
  /** What `GATEWAY_…` does not say. */
  readonly gateway?: Partial<PaymentsOptions<Tx>['gateway']> | undefined;
  /** Used in place of `DATABASE_URL`. */
  readonly store?: Store<Tx> | undefined;
} & Partial<Pick<PaymentsOptions<Tx>, 'publicUrl' | 'tokenSecrets' | 'encryptionKeys'>>;

/**
 * Gives the options of `pay.config.ts` their types. The shop hands them to `paymentsFromEnv`, and
 * `npx pay-button` finds them there. The file may read `process.env`, and starts nothing itself.
 *
 * @example
 * export default defineConfig({
 *   loadOrder: (orderId) => findOrder(orderId),
 *   pages: { success: '/order/:orderId', pending: '/order/:orderId', failure: '/cart' },
 * });
 */
export const defineConfig = <Tx = unknown, Asking = Request>(
  options: EnvironmentOptions<Tx, Asking>,
): EnvironmentOptions<Tx, Asking> => options;

/**
 * `createPayments` with its settings from the environment: {@link Environs} has every variable. One that
 * is set wins over the same option; a `store` wins over `DATABASE_URL`.
 *
 * @throws {@link ConfigurationError} with everything that is wrong: `missing_setting` with the
 * variable's name, `unsupported_database_url`, `missing_package` for a database without its driver, and
 * every code that `createPayments` throws.
 */
export function paymentsFromEnv<Tx = unknown, Asking = Request>(
  // A caller in JavaScript may have given nothing at all.
  options = {} as EnvironmentOptions<Tx, Asking>,
  env: environment.Environs = process.env,
): PaymentsOf<Asking> {
  const settings = environment.readEnvironment(env, options);
  const { databaseUrl, namesDatabase } = settings;
  const isSynchronous = environment.sqliteFileOf(databaseUrl) !== undefined;
  // The store is made last: a pool must not be left behind by settings that are refused.
  const planned = { hookStyle: isSynchronous ? 'sync' : 'async' } as Store<Tx>;
  const { store = planned } = options;
  const given: PaymentsOptions<Tx, Asking> = { ...options, ...settings.options, store };
  throwFindings(environment.inEnvironmentWords(settings, mistakesIn(given)));
  const { store: _planned, ...storeless } = given;
  const own = options.store ?? (namesDatabase ? (storeFromUrl(databaseUrl) as Store<Tx>) : null);
  return createPayments<Tx, Asking>({ ...storeless, ...(own && { store: own }) });
}

/** Opens nothing yet. @param url - One that {@link readEnvironment} found no fault with. */
export function storeFromUrl(url: string): Store<unknown> {
  const file = environment.sqliteFileOf(url);
  if (file !== undefined) return sqliteStore({ file });
  if (url.startsWith('mysql:')) {
    const { createPool } = loadDriver('mysql2/promise', 'MySQL') as typeof Mysql;
    try {
      return mysqlStore({ pool: createPool(url), endsPool: true });
    } catch {
      throw environment.unsupportedUrl(); // The driver's own error may quote the address.
    }
  }
  const { Pool } = loadDriver('pg', 'PostgreSQL') as typeof Pg;
  return postgresStore({ pool: new Pool({ connectionString: url }), endsPool: true });
}

/** Loads a driver where it is first needed. @throws {@link ConfigurationError} `missing_package`. */
function loadDriver(module: string, database: string): unknown {
  try {
    return createRequire(import.meta.url)(module);
  } catch (error) {
    if (nameOf(error) !== 'MODULE_NOT_FOUND') throw error;
    const [name] = module.split('/');
    throw new ConfigurationError('missing_package', {
      setting: 'DATABASE_URL',
      what: `DATABASE_URL names ${database}, and the package ${name} is not installed.`,
      why: `The kit speaks to ${database} by it. A shop on SQLite needs none, so that it comes with no package of ours.`,
      fix: `Run npm install ${name}.`,
    });
  }
}
