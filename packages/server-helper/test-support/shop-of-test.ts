import { onTestFinished } from 'vitest';
import { flowStore, freshStore } from './every-store.ts';
import { Shop, type ShopOptions } from './shop.ts';

/** A shop on an empty store, unless its options have one. Both end with the test. */
export async function startShop({ payments = {}, ...options }: ShopOptions = {}, name = flowStore) {
  const scope = options.isProduction === true ? 'production/default' : 'staging/default';
  const hasStore = payments.store !== undefined || options.beside !== undefined;
  const fresh = hasStore ? undefined : await freshStore(name, scope);
  const own = fresh && { store: fresh.store };
  const shop = await Shop.start({ ...options, payments: { ...payments, ...own } });
  onTestFinished(async () => {
    await shop.close();
    await fresh?.end();
  });
  return shop;
}
