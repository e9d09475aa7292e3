import { expect, it } from 'vitest';
import { testShopBelowAPath } from '../../test-support/below-a-path.ts';
import { startPathProxy } from '../../test-support/path-proxy.ts';
import { startShop } from '../../test-support/shop-of-test.ts';

testShopBelowAPath('a proxy of Node’s', startPathProxy);

it('a shopper who has paid is answered at any mount where they reach the router, and so is a webhook', async () => {
  const shop = await startShop();
  const { success, failure, status } = await shop.open();
  const { payments } = shop;
  const moved = (path: string): Promise<Response> => {
    shop.later();
    return payments.handle(new Request(`https://shop.example/moved${path}`));
  };
  for (const path of [success, failure]) expect((await moved(path)).status).toBe(303);
  expect((await moved(status)).status).toBe(200);
  const webhook = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const told = await payments.handle(new Request('https://shop.example/moved/webhook', webhook));
  expect(told.status).toBe(200);
});
