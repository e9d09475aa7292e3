import type { Payments } from '../create-payments.ts';
import { ConfigurationError } from '../errors.ts';
import { paymentsFromEnv, storeFromUrl } from '../payments-from-env.ts';
import type { ExitCode, Invocation } from './command.ts';
import {
  gatewaySettings,
  readShopSettings,
  requireSettings,
  storeSettings,
} from './shop-settings.ts';
import { isStoreReady } from './shop-store.ts';

/**
 * Works with the payments of `pay.config.ts`: the shop's own `loadOrder` and `inTransaction` are
 * called as in the shop. Its handlers are not: the running shop delivers the events.
 *
 * @throws {@link ConfigurationError} `invalid_config` without that file.
 */
export async function withPayments(
  invocation: Invocation,
  command: string,
  work: (payments: Payments) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { config, env, terminal, values } = invocation;
  if (config === undefined) throw noConfig(command);
  const settings = readShopSettings(invocation, command);
  requireSettings(settings, [...storeSettings, ...gatewaySettings]);
  if (!(await isStoreReady({ settings, terminal, isJson: values['json'] === true }))) return 1;
  // A log on the console would stand between the lines that a person or a program reads.
  const { logger: _logger, ...options } = config;
  const { merchant } = settings;
  const store = settings.store ?? storeFromUrl(settings.databaseUrl);
  const payments = paymentsFromEnv<unknown, never>({ ...options, merchant, store }, env);
  try {
    return await work(payments);
  } finally {
    await payments.close();
  }
}

const noConfig = (command: string): ConfigurationError =>
  new ConfigurationError('invalid_config', {
    setting: 'pay.config.ts',
    what: 'There is no pay.config.ts in this folder.',
    why: `"${command}" calls your shop's own code, loadOrder and inTransaction, in the commit that records the money.`,
    fix: 'Move the options of your shop into pay.config.ts, export default defineConfig({ … }), and hand them to paymentsFromEnv in the shop. Run the command there, or name the file by --config.',
  });
