import { countPaymentLinks } from '../gateway-record.ts';
import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

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

test('a declined card leaves the gateway’s page usable, and a good card then pays once', async ({
  shopper,
  control,
}) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await shopper.sendCard(cards.insufficientFunds);
  await expect(shopper.at('payment-error')).toBeVisible();
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
  expect(await countPaymentLinks(control, orderId)).toBe(1);
});

test('a shopper who gives up after a decline is told so, tries again and pays', async ({
  shopper,
}) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await shopper.sendCard(cards.insufficientFunds);
  await shopper.at('back-to-shop').click();
  await shopper.sees('retry', 'failed');
  await shopper.at('retry-payment').click();
  await shopper.at('submit-payment').waitFor();
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});

test('a paid order leaves an empty basket behind', async ({ shopper }) => {
  await shopper.order('sticker');
  await shopper.goToPay();
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await shopper.at('basket').click();
  await expect(shopper.at('place-order')).toHaveCount(0);
});
