import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test('a shopper passes 3-D Secure, and the order is shipped once', async ({ shopper }) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await shopper.sendCard(cards.challenged);
  await shopper.at('otp').fill('123456');
  await shopper.at('approve').click();
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});

test('a shopper who fails 3-D Secure is charged nothing and pays with another card', async ({
  shopper,
}) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await shopper.sendCard(cards.challenged);
  await shopper.at('fail').click();
  await expect(shopper.at('payment-error').or(shopper.at('retry-payment'))).toBeVisible();
  if (shopper.page.url().includes('/retry/')) await shopper.goToPay();
  await shopper.sendCard(cards.visa);
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});
