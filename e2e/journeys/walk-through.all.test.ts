import type { Admin } from '../admin.ts';
import { bugIds } from '../../demo/src/qa/bugs.ts';
import { takePicture, writeWalkThrough } from '../pictures.ts';
import { expect, test } from '../shop-test.ts';
import { cards, type Shopper } from '../shopper.ts';

// The steps of the walk-through in demo/README.md, in this order. `npm run tool -- pictures` takes them, with
// two pixels for each, so that their words are sharp.
test.use({
  viewport: { width: 1100, height: 720 },
  deviceScaleFactor: 2,
  // The figures are those of this walk alone.
  killsShop: true,
});

test('the walk-through of the shop goes from the storefront to a refund', async ({
  shopper,
  admin,
  page,
  shop,
}) => {
  await shopper.open('/');
  const coffee = page.locator('.card').filter({ has: shopper.at('add-coffee') });
  await expect(coffee).toContainText('115.00');
  await takePicture(page, 'storefront', { inDarkToo: true });
  await shopper.fillBasket();
  await expect(page.locator('.lines li')).toHaveCount(1);
  await expect(page.locator('.line-total')).toContainText('115.00');
  await takePicture(page, 'basket');
  await shopper.at('place-order').click();
  await page.waitForURL('**/orders/*');
  const { orderId } = shopper;
  await expect(shopper.at('order-state')).toHaveAttribute('data-state', 'unpaid');
  await expect(shopper.payButton).toBeVisible();
  await takePicture(page, 'order', { inDarkToo: true });
  await shopper.openTools();
  await expect(shopper.at('qa-apply')).toBeVisible();
  await takePicture(page, 'qa-tools', { withTools: true });
  await shopper.openTools();
  await shopper.goToPay();
  await expect(shopper.at('merchant')).toHaveText('Finjan');
  await expect(page.locator('main .money').first()).toContainText('115.00');
  await takePicture(page, 'hosted-page', { inDarkToo: true });
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await expect(shopper.at('receipt')).toContainText('mada ending in 1010');
  await shopper.expectShippedOnce(orderId);
  await takePicture(page, 'thanks', { inDarkToo: true });
  await shopper.open(`/orders/${orderId}?truths=1#truths`);
  await expect(shopper.at('truth-browser')).toContainText('success address');
  await expect(shopper.at('truth-webhook')).toContainText('Purchase: Approved');
  await expect(shopper.at('truth-status')).toContainText('SUCCESS · APPROVED');
  await expect(shopper.at('truth-verdict')).toContainText('Paid');
  await takePicture(page, 'three-truths');
  await admin.refund(orderId, '15.00');
  await admin.sees(orderId, 'partially_refunded');
  await expect(admin.at('refunded')).toContainText('15.00');
  await expect(admin.at('refund-amount')).toHaveValue('100.00');
  await takePicture(page, 'admin-order', { inDarkToo: true, onPhoneToo: true });
  await fillTheShop(shopper, admin);
  await page.goto(`${shop.url}/admin`);
  await expect(page.locator('[data-figure="refunded"] .value')).toContainText('15.00');
  await takePicture(page, 'admin', { inDarkToo: true, onPhoneToo: true });
  await page.goto(`${shop.url}/bugs`);
  await expect(page.locator('[data-test^="bug-"]')).toHaveCount(bugIds.length);
  await takePicture(page, 'bug-switches');
  await writeWalkThrough(page, 'walk-through', [
    { picture: 'storefront', caption: 'The demo shop' },
    { picture: 'order', caption: '<pay-button> leads to the gateway' },
    { picture: 'hosted-page', caption: 'The card is typed at the gateway only' },
    { picture: 'thanks', caption: 'The receipt, once the gateway has confirmed' },
    { picture: 'admin-order', caption: 'A refund in the back office' },
  ]);
});

/** Some more orders for the admin's page. */
async function fillTheShop(shopper: Shopper, admin: Admin): Promise<void> {
  const sales = [
    ['dallah', cards.visa, {}],
    ['dates', cards.mada, {}],
    ['grinder', cards.visa, { auth: 'authorize' }],
    ['mug', cards.insufficientFunds, {}],
  ] as const;
  for (const [sku, card, terms] of sales) {
    await admin.sale(await shopper.orderQuickly(sku), card, terms);
  }
}
