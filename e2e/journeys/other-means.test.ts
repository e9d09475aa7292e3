import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test('a shopper pays with Apple Pay', async ({ shopper }) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await shopper.at('pay-apple').click();
  await shopper.at('submit-payment').click();
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});

test('a card that paid before pays again without its number', async ({ shopper }) => {
  await shopper.orderQuickly();
  await shopper.pay(cards.visa);
  await shopper.sees('thanks', 'paid');
  const orderId = await shopper.orderQuickly('sticker');
  await shopper.goToPay();
  await shopper.at('pay-saved').first().click();
  await expect(shopper.at('card-number')).toBeHidden();
  await shopper.at('submit-payment').click();
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});
