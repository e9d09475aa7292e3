import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test.use({ javaScriptEnabled: false });

test('a browser without scripts buys from storefront to thanks', async ({ shopper }) => {
  const orderId = await shopper.order();
  await shopper.pay();
  await shopper.expectPaid(orderId);
});

test('a browser without scripts tries again after a decline', async ({ shopper }) => {
  const orderId = await shopper.order();
  await shopper.goToPay();
  await shopper.sendCard(cards.insufficientFunds);
  await expect(shopper.at('payment-error')).toBeVisible();
  await shopper.at('back-to-shop').click();
  await shopper.sees('retry', 'failed');
  await shopper.at('retry-payment').click();
  await shopper.sendCard(cards.mada);
  await shopper.expectPaid(orderId);
});

test.describe('where the shop’s own script is blocked', () => {
  test.use({ javaScriptEnabled: true });

  test('the form inside the pay button still sells', async ({ shopper, page, faults }) => {
    await page.route('**/*.js', (route) => route.abort());
    const orderId = await shopper.order();
    await shopper.goToPay();
    await page.unroute('**/*.js');
    await shopper.sendCard(cards.mada);
    await shopper.expectPaid(orderId);
    faults.seen.length = 0;
  });
});
