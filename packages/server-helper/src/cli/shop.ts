import { AlignedClock, systemClock } from '../clock.ts';
import {
  type PaymentEventType,
  type PaymentRecord,
  type Payments,
  paymentsFromEnv,
  type Position,
  type Routes,
  type Store,
} from '../index.ts';
import * as parts from '../parts.ts';
import type { Finding } from '../errors.ts';
import { ConfigurationError, guideAddress, helpAddress, throwFindings } from '../errors.ts';
import { silentLogger } from '../logger.ts';
import { type ExitCode, type Invocation, type Span, textOf, UsageError } from './command.ts';
import { type Diagnosis, writeReasons } from './terminal.ts';

/** The shop's settings, as far as the environment and the command's options hold them. */
export interface ShopSettings extends parts.EnvironmentSettings {
  readonly merchant: string;
  readonly mountPath: string;
  /** The router's paths below the mount, as `pay.config` names them. */
  readonly routes: Required<Routes>;
  /** The store of the shop's own code, in place of `databaseUrl`. */
  readonly store: Store<unknown> | undefined;
  /** The types of events that the shop's own code handles, where `pay.config` says so. */
  readonly handled: readonly PaymentEventType[];
  readonly scope: string;
  readonly mistakes: readonly Finding[];
}

/** Reads the settings as `paymentsFromEnv` does, from the environment and `pay.config.ts`. */
export function readShopSettings({ env, values, config }: Invocation): ShopSettings {
  const settings = parts.readEnvironment(env, config);
  const mountPath = textOf(values, 'mount') ?? config?.mountPath ?? '/pay';
  if (!/^(?:\/[\w.~-]+)*\/?$/.test(mountPath)) {
    throw new UsageError('--mount takes a path such as /pay.');
  }
  const merchant = textOf(values, 'merchant') ?? config?.merchant ?? 'default';
  const options = {
    loadOrder: () => null,
    // Placeholders, for a shop whose code alone has its pages.
    pages: { success: '/', pending: '/', failure: '/' },
    ...config,
    ...settings.options,
    mountPath,
    merchant,
    store: config?.store ?? { hookStyle: 'async' as const },
  };
  return {
    ...settings,
    mountPath: mountPath.replace(/\/$/, ''),
    routes: parts.routesOf(config?.routes),
    merchant,
    store: config?.store,
    handled: parts.handledTypes(config?.on ?? {}),
    scope: `${settings.options.gateway.environment}/${merchant}`,
    mistakes: parts.inEnvironmentWords(settings, parts.mistakesIn(options)),
  };
}

export const storeSettings = ['GATEWAY_ENVIRONMENT', 'DATABASE_URL'];

export const gatewaySettings = ['GATEWAY_ENVIRONMENT', 'GATEWAY_BASE_URL', 'GATEWAY_API_KEY'];

/** @throws {@link ConfigurationError} with every mistake in the settings that a command needs. */
export function requireSettings({ mistakes }: ShopSettings, needed: readonly string[]): void {
  throwFindings(mistakes.filter(({ setting }) => needed.includes(setting)));
}

/** The address of a route of the running shop's router; `null` for one that the shop leaves out. */
export function routeAddress(
  { options, mountPath, routes }: Pick<ShopSettings, 'options' | 'mountPath' | 'routes'>,
  route: keyof Routes,
): string | null {
  const path = routes[route];
  return path === false ? null : `${publicAddress(options, mountPath)}${path}`;
}

/** The address of a path that begins with that of `publicUrl`, or is below it. */
export function publicAddress({ publicUrl }: ShopSettings['options'], path: string): string {
  const { origin, pathname } = new URL(publicUrl);
  return `${origin}${parts.publicMountOf(pathname.replace(/\/$/, ''), path)}`;
}

/** What the store may be called in public: a file, or the kind of server. */
export function storeName({ store, databaseUrl }: Pick<ShopSettings, 'store' | 'databaseUrl'>) {
  if (store !== undefined) return 'pay.config’s store';
  const { name } = databases[kindOf(databaseUrl)];
  return name === 'SQLite' ? `SQLite ${parts.sqliteFileOf(databaseUrl)}` : name;
}

/** The store of the shop's own code, else the one that DATABASE_URL names; nothing is opened yet. */
export const storeOf = ({ store, databaseUrl }: ShopSettings): Store<unknown> =>
  store ?? parts.storeFromUrl(databaseUrl);

export const databases = {
  postgres: { name: 'PostgreSQL', migrations: parts.postgresMigrations },
  mysql: { name: 'MySQL', migrations: parts.mysqlMigrations },
  sqlite: { name: 'SQLite', migrations: parts.sqliteMigrations },
} as const;

export type DatabaseKind = keyof typeof databases;

export const kindOf = (url: string): DatabaseKind =>
  (['mysql', 'sqlite'] as const).find((kind) => url.startsWith(`${kind}:`)) ?? 'postgres';

export const allTables = (kind: DatabaseKind, scope: string): string =>
  parts.asScript(parts.migrationSql(databases[kind].migrations, 0, scope));

/**
 * Why the shop's store cannot be used as it is; `null` where it has all tables of this release. Writes
 * nothing, not even tables.
 *
 * @throws what a store of the shop's own code throws.
 */
export async function faultOf(store: Store<unknown>, settings: ShopSettings) {
  const name = storeName(settings);
  try {
    const pending = (await store.schema?.pending(settings.scope)) ?? '';
    if (pending === '') return null;
    const isOwn = settings.store !== undefined;
    const isNew = !isOwn && pending === allTables(kindOf(settings.databaseUrl), settings.scope);
    return isNew
      ? {
          code: 'store_empty',
          what: `There are no payments in ${name}.`,
          why: 'The shop makes its tables when it starts, so it has not started with this database.',
          fix: 'Start the shop once or run npx pay-button migrate, or let DATABASE_URL name the database that the shop uses.',
          help: guideAddress('operations.md#store'),
        }
      : {
          code: 'store_not_migrated',
          what: `${name} lacks tables of this release.`,
          why: 'The shop makes them when it starts; this command makes none.',
          fix: 'Run npx pay-button migrate, or start the shop of this release once.',
          help: helpAddress('store_not_migrated'),
        };
  } catch (error) {
    if (error instanceof ConfigurationError) return wrongStore(error);
    if (settings.store !== undefined) throw error;
    const { code, advice } = parts.storeFaultOf(error);
    return unreadable(name, parts.faultText(code, advice));
  }
}

/** A store that gives no answer. @param reason - A code: what a database says may quote its address. */
export const unreadable = (name: string, reason: string): Diagnosis => ({
  code: 'store_unavailable',
  what: `${name} cannot be read (${reason}).`,
  why: 'No payment can be started or recorded while this lasts.',
  fix: 'Start the database, and let DATABASE_URL hold its address, name and password.',
  help: helpAddress('store_unavailable'),
});

/** A store of another shop or release, in the words of the store. */
function wrongStore({ code, findings, help, message }: ConfigurationError): Diagnosis {
  const [finding] = findings;
  if (finding !== undefined) return finding;
  const what = message.replace(` (${code}, see ${help})`, '');
  const [why, fix] =
    code === 'store_of_another_scope'
      ? [
          'The same order ids mean other orders there.',
          'Set GATEWAY_ENVIRONMENT and --merchant to what the shop runs with, or DATABASE_URL to another database.',
        ]
      : [
          'Reading tables of another release could mislead you.',
          'Use the release that the shop runs.',
        ];
  return { code, what, why, fix, help };
}

/** Whether the store has all tables of this release; else says why not, and what to run. */
async function isUsable(
  { terminal, isJson }: Invocation,
  store: Store<unknown>,
  settings: ShopSettings,
): Promise<boolean> {
  const fault = await faultOf(store, settings);
  if (fault === null) return true;
  if (isJson) terminal.json({ error: fault });
  else {
    terminal.line(`${terminal.paint('red', '✗')} ${fault.what}`);
    writeReasons(terminal, fault);
  }
  return false;
}

/**
 * Works with the store when it has its tables; else says why not. Never makes a database or a table.
 *
 * @param needed - Settings that the work needs besides.
 */
export async function withStore(
  invocation: Invocation,
  work: (context: parts.FlowContext<unknown>, settings: ShopSettings) => Promise<ExitCode>,
  needed: readonly string[] = [],
): Promise<ExitCode> {
  const settings = readShopSettings(invocation);
  requireSettings(settings, [...storeSettings, ...needed]);
  const store = storeOf(settings);
  try {
    if (!(await isUsable(invocation, store, settings))) return 1;
    await store.open(settings.scope);
    return await work(await contextOf(store, settings.scope), settings);
  } finally {
    await store.close();
  }
}

/**
 * Works with the payments of `pay.config.ts`: the shop's own `loadOrder` and `inTransaction` are
 * called as in the shop. Its handlers are not: the running shop delivers the events.
 *
 * @throws {@link ConfigurationError} `invalid_config` without that file.
 */
export async function withPayments(
  invocation: Invocation,
  work: (payments: Payments, settings: ShopSettings) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { config, env, name } = invocation;
  if (config === undefined) {
    throw new ConfigurationError('invalid_config', {
      setting: 'pay.config.ts',
      what: 'There is no pay.config.ts in this folder.',
      why: `"${name}" calls your shop's own code, loadOrder and inTransaction, in the commit that records the money.`,
      fix: 'Move the options of your shop into pay.config.ts, export default defineConfig({ … }), and hand them to paymentsFromEnv in the shop. Run the command there, or name the file by --config.',
    });
  }
  const settings = readShopSettings(invocation);
  requireSettings(settings, [...storeSettings, ...gatewaySettings]);
  const store = storeOf(settings);
  if (!(await isUsable(invocation, store, settings))) {
    await store.close();
    return 1;
  }
  // A log on the console would stand between the lines that a person or a program reads.
  const { logger: _logger, ...options } = config;
  const { merchant } = settings;
  const payments = paymentsFromEnv<unknown, never>({ ...options, merchant, store }, env);
  try {
    return await work(payments, settings);
  } finally {
    await payments.close();
  }
}

const refuse = (): never => {
  throw new ConfigurationError(
    'closed',
    'This needs the shop’s own code: leave it to the running shop and try again in a moment.',
  );
};

/**
 * What flows need that only read and tidy: an open store, and nothing that could move money. A change
 * with an event would need the merchant's hook, which is not here, so it is refused.
 */
export async function contextOf(store: Store<unknown>, scope: string) {
  // The clock by which the shop writes is the database's, where one has a clock.
  const clock = new AlignedClock(systemClock);
  let offsetMs: number | null = null;
  // A sample that took long says nothing.
  for (let samples = 0; offsetMs === null && samples < 5; samples += 1)
    offsetMs = (await store.health.clockOffsetMs?.()) ?? null;
  clock.align(offsetMs ?? 0);
  const context: parts.FlowContext<unknown> = {
    gateway: new Proxy({} as parts.FlowContext<unknown>['gateway'], { get: () => refuse }),
    store,
    scope,
    clock,
    random: Math.random,
    logger: silentLogger,
    loadOrder: () => null,
    recurringTokens: parts.createRecurringTokens([]),
    inTransaction: refuse,
    on: {},
    addresses: { returnUrls: refuse, statusUrl: refuse },
  };
  return context;
}

const PAGE = 100;

export type OnPage = (read: number) => void;

/** Reads a page at a time, so that a shop of any size fits. @param ask - Gives the page behind a payment. */
async function* inPages(
  ask: (last: Position | undefined) => Promise<readonly PaymentRecord[]>,
  onPage: OnPage = () => undefined,
): AsyncGenerator<PaymentRecord> {
  let read = 0;
  let page = await ask(undefined);
  for (;;) {
    yield* page;
    onPage((read += page.length));
    if (page.length < PAGE) return;
    page = await ask(page.at(-1)?.payment);
  }
}

export const recordsChangedSince = (store: Store<unknown>, since: number, onPage?: OnPage) =>
  inPages(
    (last) => store.list({ of: 'orders', after: last?.orderId ?? null, since, limit: PAGE }),
    onPage,
  );

export const recordsCreatedIn = (store: Store<unknown>, { since, until }: Span, onPage?: OnPage) =>
  inPages((below = { createdAt: until, orderId: '' }) => {
    const { everyPaymentState: states } = parts;
    return store.list({ of: 'payments', states, since, below, limit: PAGE });
  }, onPage);
