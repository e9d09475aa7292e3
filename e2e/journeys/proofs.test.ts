import { proofs } from '../proofs.ts';
import { test } from '../shop-test.ts';

for (const [title, proof] of Object.entries(proofs)) {
  test(title, async ({ shopper, admin, shop, control, browser }) => {
    await proof({ shopper, admin, shop, control, browser });
  });
}
