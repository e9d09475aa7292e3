import { it } from 'vitest';
import { expectShopToWork } from './running-shop.ts';

it('the shop of the containers is healthy, takes a payment, and ends at SIGTERM', async () => {
  await expectShopToWork();
}, 180_000);
