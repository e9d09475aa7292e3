import { onTestFinished } from 'vitest';
import { type everyStore, freshStore } from './every-store.ts';
import { ScriptedShop } from './scripted-shop.ts';
import { Shop, type ShopOptions } from './shop.ts';

type StoreName = (typeof everyStore)[number];

/** A scripted shop on an empty store of this kind. Both end with the test. */
export async function scriptedShop(name: StoreName): Promise<ScriptedShop> {
  const shop = await ScriptedShop.open(name);
  onTestFinished(() => shop.end());
  return shop;
}

/** A shop that ends with the test. */
export async function startShop(options: ShopOptions = {}): Promise<Shop> {
  const shop = await Shop.start(options);
  onTestFinished(() => shop.close());
  return shop;
}

/** A shop on an empty store of this kind. Both end with the test. */
export async function shopOn(
  name: StoreName,
  payments: ShopOptions['payments'] = {},
): Promise<Shop> {
  const fresh = await freshStore(name);
  const shop = await Shop.start({ payments: { store: fresh.store, ...payments } });
  onTestFinished(async () => {
    await shop.close();
    await fresh.end();
  });
  return shop;
}
