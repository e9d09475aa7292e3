import { reportingStore } from './flows/store-failures.ts';
import { consoleLogger, type Logger, type OnceAMinute } from './logger.ts';
import type { PaymentsOptions } from './options/payments-options.ts';
import { sqliteStore } from './stores/sqlite/sqlite-store.ts';
import type { Store } from './stores/store.ts';

/** The shop's store, whose failures are reported: on the console where the shop has no logger. */
export function storeOf<Tx, Asking>(
  { store, logger: given, tokenSecrets, gateway }: PaymentsOptions<Tx, Asking>,
  logger: Logger,
  once: OnceAMinute,
): Store<Tx> {
  return reportingStore(store ?? usualStore<Tx>(), {
    logger: given === undefined ? consoleLogger : logger,
    once,
    secrets: [...tokenSecrets, ...[gateway.apiKey].flat()],
  });
}

const usualStore = <Tx>(): Store<Tx> =>
  sqliteStore({ file: '.data/payments.db' }) as Store<unknown> as Store<Tx>;
