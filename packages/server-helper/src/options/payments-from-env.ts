import type { Pg } from '../optional-peers.ts';
import { createRequire } from 'node:module';
import type { Request } from '../optional-peers.ts';
import { mistakesIn } from './check-options.ts';
import { createPayments, type Payments } from '../create-payments.ts';
import { ConfigurationError, nameOf } from '../errors.ts';
import type { PaymentsOptions } from './payments-options.ts';
import {
  inEnvironmentWords,
  readEnvironment,
  sqliteFileOf,
  type Environs,
} from './settings-from-env.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';
import type { Store } from '../stores/store.ts';

/** The options that the environment may hold. */
type Settings = 'gateway' | 'publicUrl' | 'tokenSecrets' | 'encryptionKeys' | 'store';

/**
 * The options that the environment cannot hold, the merchant's own code and pages, and any that it
 * need not hold.
 */
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
 * `createPayments` with its settings from the environment: `GATEWAY_ENVIRONMENT` (`staging` or
 * `production`), `GATEWAY_BASE_URL`, `GATEWAY_API_KEY` (comma-separated while keys rotate),
 * `GATEWAY_PORTAL_USERNAME` and `GATEWAY_PORTAL_PASSWORD` (both or neither), `GATEWAY_CONNECTIONS`
 * (optional, a number: `gateway.connections`), `GATEWAY_CHECKS_PER_SECOND` (optional, a number:
 * `checksPerSecond`), `GATEWAY_PAGE_ORIGINS` (optional, comma-separated),
 * `GATEWAY_PROFILE` (optional, the name of a JSON file: `gateway.profile`), `PUBLIC_URL`,
 * `PAY_TOKEN_SECRET` (comma-separated while secrets rotate), `PAY_ENCRYPTION_KEY` (optional,
 * comma-separated too: `encryptionKeys`), `GATEWAY_WEBHOOK_SECRET` (optional,
 * comma-separated too), `PAY_HEALTH_TOKEN` (optional: `health.token`), `DATABASE_URL`
 * (`sqlite:FILE` or `postgres://…`; outside production the default is `sqlite:.data/payments.db`, and
 * a line of the log says so).
 *
 * A variable that is set wins over the same option; a `store` wins over `DATABASE_URL`.
 *
 * @throws {@link ConfigurationError} with everything that is wrong: `missing_setting` with the
 * variable's name, `unsupported_database_url`, `missing_package` for PostgreSQL without `pg`, and
 * every code that `createPayments` throws.
 */
export function paymentsFromEnv<Tx = unknown, Asking = Request>(
  options: EnvironmentOptions<Tx, Asking>,
  env: Environs = process.env,
): Payments {
  const settings = readEnvironment(env, options);
  const { databaseUrl, namesDatabase } = settings;
  const isSynchronous = sqliteFileOf(databaseUrl) !== undefined;
  // The store is made last: a pool must not be left behind by settings that are refused.
  const planned = { hookStyle: isSynchronous ? 'sync' : 'async' } as Store<Tx>;
  const store = options.store ?? planned;
  const health = { ...options.health, ...settings.options.health };
  const given: PaymentsOptions<Tx, Asking> = { ...options, ...settings.options, health, store };
  const [first, ...others] = inEnvironmentWords(settings, mistakesIn(given));
  if (first !== undefined) throw new ConfigurationError(first.code, first, others);
  if (options.store !== undefined) return createPayments<Tx, Asking>(given);
  const { store: _planned, ...storeless } = given;
  if (!namesDatabase) return createPayments<Tx, Asking>(storeless);
  return createPayments<Tx, Asking>({ ...given, store: storeFromUrl(databaseUrl) as Store<Tx> });
}

/** Opens nothing yet. @param url - One that {@link readEnvironment} found no fault with. */
export function storeFromUrl(url: string): Store<unknown> {
  const file = sqliteFileOf(url);
  return file === undefined ? ownPoolStore(url) : sqliteStore({ file });
}

/** A PostgreSQL store with a pool of its own, which ends with it. */
function ownPoolStore(connectionString: string): Store<unknown> {
  const pool = new (loadPg().Pool)({ connectionString });
  return postgresStore({ pool, endsPool: true });
}

/**
 * Loads `pg` where it is first needed, so that a shop on SQLite need not install it.
 *
 * @throws {@link ConfigurationError} `missing_package`.
 */
export function loadPg(): typeof Pg {
  try {
    return createRequire(import.meta.url)('pg') as typeof Pg;
  } catch (error) {
    if (nameOf(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new ConfigurationError('missing_package', {
      setting: 'DATABASE_URL',
      what: 'DATABASE_URL names PostgreSQL, and the package pg is not installed.',
      why: 'The kit speaks to PostgreSQL by it. A shop on SQLite needs none, so that it comes with no package of ours.',
      fix: 'Run npm install pg.',
    });
  }
}
