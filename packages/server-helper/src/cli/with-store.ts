import { storeFromUrl } from '../options/payments-from-env.ts';
import type { Store } from '../stores/store.ts';
import type { ExitCode } from './command.ts';
import { writeReasons } from './finding.ts';
import { databaseName, type ShopSettings } from './shop-settings.ts';
import { storeFinding } from './store-finding.ts';
import { readStoreState } from './store-state.ts';
import type { Terminal } from './terminal.ts';

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
