import { countPaymentLinks, expect, test } from '../shop-test.ts';
import { cards, Shopper } from '../shopper.ts';

test('a shopper buys coffee with a Mada card, and the shop ships it once', async ({ shopper }) => {
  const orderId = await shopper.order();
  await expect(shopper.at('order-state')).toHaveAttribute('data-state', 'unpaid');
  await expect(shopper.at('order-amount')).toContainText('115.00');
  await shopper.goToPay();
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await expect(shopper.at('order-amount')).toContainText('115.00');
  await shopper.expectShippedOnce(orderId);
});

test('who fails 3-D Secure is charged nothing, and pays by another card', async ({ shopper }) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await shopper.sendCard(cards.challenged);
  await shopper.at('fail').click();
  await expect(shopper.at('payment-error').or(shopper.at('retry-payment'))).toBeVisible();
  if (shopper.page.url().includes('/retry/')) await shopper.goToPay();
  await shopper.sendCard(cards.visa);
  await shopper.expectPaid(orderId);
});

test('a lost link is asked for anew, and paid once', async ({ shopper, control, faults }) => {
  await control.setProfile('ghost-success');
  const orderId = await shopper.orderQuickly();
  await shopper.payButton.click();
  await expect(shopper.page.locator('pay-button')).toHaveJSProperty('state', 'failed');
  await control.setProfile('healthy');
  await shopper.pay();
  await shopper.expectPaid(orderId);
  expect(await countPaymentLinks(control, orderId)).toBe(2);
  // The browser reports the refused checkout, as it should.
  faults.seen.length = 0;
});

test('two tabs share one session and one payment', async ({ shopper, context, shop, control }) => {
  const orderId = await shopper.orderQuickly();
  const otherTab = new Shopper(await context.newPage(), shop.url);
  await otherTab.open(`/orders/${orderId}`);
  await shopper.goToPay();
  await otherTab.goToPay();
  expect(await countPaymentLinks(control, orderId)).toBe(1);
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await otherTab.open(`/orders/${orderId}`);
  await otherTab.sees('orders', 'paid');
  await expect(otherTab.payButton).toHaveCount(0);
  await shopper.expectShippedOnce(orderId);
});
