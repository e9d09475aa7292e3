import { mistakesIn } from '../options/check-options.ts';
import { ConfigurationError, type Finding } from '../errors.ts';
import {
  type EnvironmentSettings,
  inEnvironmentWords,
  readEnvironment,
  sqliteFileOf,
} from '../options/environment.ts';
import type { Routes } from '../options/payments-options.ts';
import { publicMountOf, routesOf } from '../options/wiring.ts';
import { handledTypes } from '../flows/background/tick.ts';
import type { PaymentEventType } from '../payments/record.ts';
import type { Store } from '../stores/store.ts';
import { type Invocation, textOf, UsageError } from './command.ts';

/** The shop's settings, as far as the environment and the command's options hold them. */
export interface ShopSettings extends EnvironmentSettings {
  /** Which merchant's payments. */
  readonly merchant: string;
  /** Where the router is mounted. */
  readonly mountPath: string;
  /** The router's paths below the mount, as `pay.config` names them. */
  readonly routes: Required<Routes>;
  /** The store of the shop's own code, in place of `databaseUrl`. */
  readonly store: Store<unknown> | undefined;
  /** The types of events that the shop's own code handles, where `pay.config` says so. */
  readonly handled: readonly PaymentEventType[];
  /** Whose payments the store holds. */
  readonly scope: string;
  /** Everything that is wrong with them. */
  readonly mistakes: readonly Finding[];
}

/** Reads the settings as `paymentsFromEnv` does, from the environment and `pay.config.ts`. */
export function readShopSettings(
  { env, values, config }: Invocation,
  command: string,
): ShopSettings {
  const settings = readEnvironment(env, config);
  const mountPath = textOf(values, 'mount') ?? config?.mountPath ?? '/pay';
  if (!/^(?:\/[\w.~-]+)*\/?$/.test(mountPath)) {
    throw new UsageError('--mount takes a path such as /pay.', command);
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
    routes: routesOf(config?.routes),
    merchant,
    store: config?.store,
    handled: handledTypes(config?.on ?? {}),
    scope: `${settings.options.gateway.environment}/${merchant}`,
    mistakes: inEnvironmentWords(settings, mistakesIn(options)),
  };
}

/** Settings that say which store it is. */
export const storeSettings = ['GATEWAY_ENVIRONMENT', 'DATABASE_URL'] as const;

/** Settings that it takes to ask the gateway. */
export const gatewaySettings = [
  'GATEWAY_ENVIRONMENT',
  'GATEWAY_BASE_URL',
  'GATEWAY_API_KEY',
] as const;

/** @throws {@link ConfigurationError} with every mistake in the settings that a command needs. */
export function requireSettings({ mistakes }: ShopSettings, needed: readonly string[]): void {
  const [first, ...others] = mistakes.filter(({ setting }) => needed.includes(setting));
  if (first !== undefined) throw new ConfigurationError(first.code, first, others);
}

/** The address of a route of the running shop's router; `null` for one that the shop leaves out. */
export function routeAddress(
  { options, mountPath, routes }: Pick<ShopSettings, 'options' | 'mountPath' | 'routes'>,
  route: keyof Routes,
): string | null {
  const path = routes[route];
  if (path === false) return null;
  const { origin, pathname } = new URL(options.publicUrl);
  return `${origin}${publicMountOf(pathname.replace(/\/$/, ''), mountPath)}${path}`;
}

/** What the store may be called in public: a file, or the kind of server. */
export function storeName({ store, databaseUrl }: Pick<ShopSettings, 'store' | 'databaseUrl'>) {
  if (store !== undefined) return 'pay.config’s store';
  const file = sqliteFileOf(databaseUrl);
  return file === undefined ? 'PostgreSQL' : `SQLite ${file}`;
}
