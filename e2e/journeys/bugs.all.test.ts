import { bugs } from '../../demo/src/qa/bugs.ts';
import { proofs } from '../proofs.ts';
import { expect, test } from '../shop-test.ts';

for (const [title, proof] of Object.entries(proofs)) {
  test(title, async ({ shopper, admin, shop, control, browser }) => {
    await proof({ shopper, admin, shop, control, browser });
  });
}

for (const [id, { caughtBy }] of Object.entries(bugs)) {
  test(`“${caughtBy}” finds ${id}`, async ({ shopper, admin, shop, control, browser, faults }) => {
    // A failing proof waits for the whole timeout, so the timeout is short.
    shopper.page.setDefaultTimeout(4_000);
    await shopper.open(`/?bug=${id}`);
    const proof = proofs[caughtBy]({ shopper, admin, shop, control, browser });
    await expect(proof).rejects.toThrow(/expect\(/);
    faults.seen.length = 0;
  });
}
