import { ConfigurationError } from '@pay-button/server-helper';
import { readSettings, SettingError } from './process/settings.ts';
import { type RunningShop, startShop } from './process/start-shop.ts';

/** After this the process ends although something is still under way. */
const GIVE_UP_MS = 9_000;
/** A Ctrl-C that arrives more than once, from the terminal and from npm, comes within this time. */
const REPEATED_MS = 500;
const signals = ['SIGTERM', 'SIGINT'] as const;

try {
  const starting = startShop(readSettings(process.env), warn);
  let stopping: Promise<void> | undefined;
  // Before the shop says that it is ready: the caller who waits for that may end it at once.
  for (const signal of signals) process.on(signal, () => void (stopping ??= stop(starting)));
  announce(await starting);
} catch (error) {
  const isSetting = error instanceof SettingError || error instanceof ConfigurationError;
  console.error('The shop could not start.', isSetting ? error.message : error);
  process.exit(1);
}

function announce({ addresses }: RunningShop): void {
  const { shop, sandbox, inspector, adminToken } = addresses;
  const lines = [`Shop       ${shop}`, `Admin      ${shop}/admin, token ${adminToken}`];
  if (sandbox !== null) {
    lines.push(`Personas   ${shop}/personas`, `Inspector  ${inspector}`);
    lines.push('Test card  Mada 4201 3201 1111 1010, expiry 12/39, CVV 123');
  }
  console.log(`\n  Finjan, the demo shop of pay-button, is open.\n\n  ${lines.join('\n  ')}\n`);
  console.log(`ready ${JSON.stringify(addresses)}`);
}

async function stop(starting: Promise<RunningShop>): Promise<void> {
  setTimeout(() => process.exit(0), GIVE_UP_MS).unref();
  // A later signal ends the process at once, as Node does by itself.
  setTimeout(() => signals.forEach((signal) => process.removeAllListeners(signal)), REPEATED_MS);
  try {
    await (await starting).close();
  } catch (error) {
    warn('The shop did not close cleanly', error);
  }
  process.exit(0);
}

function warn(what: string, error: unknown): void {
  console.error(what, error);
}
