import { mistakesIn } from '../options/check-options.ts';
import { ConfigurationError, type Finding } from '../errors.ts';
import {
  inEnvironmentWords,
  readEnvironment,
  sqliteFileOf,
  type EnvironmentSettings,
} from '../options/settings-from-env.ts';
import { type Invocation, textOf, UsageError } from './command.ts';

/** The shop's settings, as far as the environment and the command's options hold them. */
export interface ShopSettings extends EnvironmentSettings {
  /** Where the router is mounted. */
  readonly mountPath: string;
  /** Whose payments the store holds. */
  readonly scope: string;
  /** Everything that is wrong with them. */
  readonly mistakes: readonly Finding[];
}

/** Reads the settings as `paymentsFromEnv` does; what only the shop's code knows is left out. */
export function readShopSettings({ env, values }: Invocation, command: string): ShopSettings {
  const settings = readEnvironment(env);
  const mountPath = textOf(values, 'mount') ?? '/pay';
  if (!/^(?:\/[\w.~-]+)*\/?$/.test(mountPath)) {
    throw new UsageError('--mount takes a path such as /pay.', command);
  }
  const merchant = textOf(values, 'merchant') ?? 'default';
  const options = {
    ...settings.options,
    mountPath,
    merchant,
    store: { hookStyle: 'async' as const },
    loadOrder: () => null,
    // Placeholders, since only the code of the shop has its pages.
    pages: { success: '/', pending: '/', failure: '/' },
  };
  return {
    ...settings,
    mountPath: mountPath.replace(/\/$/, ''),
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

/** What the database may be called in public: a file, or the kind of server. */
export const databaseName = (url: string): string =>
  sqliteFileOf(url) === undefined ? 'PostgreSQL' : `SQLite ${sqliteFileOf(url)}`;
