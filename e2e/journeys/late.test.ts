import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test('a shopper who goes back without paying is told that nothing was paid', async ({
  shopper,
}) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await shopper.at('back-to-shop').click();
  await shopper.sees('wait', 'pending');
  expect(await shopper.ask(orderId)).toMatchObject({ state: 'pending', fulfilments: 0 });
});

test('a payment whose shopper never comes back is found and shipped all the same', async ({
  shopper,
  page,
  control,
}) => {
  // No webhook and no return: only the watch is left.
  await control.setProfile('webhook-blackout');
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  const { sessionId } = shopper;
  await page.goto('about:blank');
  await control.pay(sessionId, { card: { number: cards.mada } });
  await control.advanceClock({ by: 'PT1M' });
  await shopper.learns(orderId, 'paid');
  await shopper.expectShippedOnce(orderId);
});

test('an order that was given up and paid all the same is reported, and not shipped', async ({
  shopper,
  admin,
  shop,
  page,
  control,
}) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  const { sessionId } = shopper;
  const given = await page.request.post(`${shop.url}/api/orders/${orderId}/cancel`);
  expect(given.status()).toBe(200);
  await control.pay(sessionId, { card: { number: cards.mada } });
  await shopper.learns(orderId, 'paid_late');
  expect(await shopper.ask(orderId)).toMatchObject({ fulfilments: 0 });
  await shopper.open(`/orders/${orderId}`);
  await expect(shopper.payButton).toHaveCount(0);
  await admin.refund(orderId, '115.00');
  await page.goto(`${shop.url}/admin`);
  const matter = admin.at('review-item').filter({ hasText: orderId });
  await matter.locator('[data-test="review-why"]').fill('Given back in full.');
  await matter.locator('[data-test="resolve"]').click();
  await expect(matter).toHaveCount(0);
});

test('a link that expired is replaced, and the shopper pays with the new one', async ({
  shopper,
  page,
}) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await page.goBack();
  await shopper.at('qa-drawer').locator('summary').click();
  await shopper.at('qa-clock').click();
  await page.waitForURL('**?qa=leapt');
  await shopper.sees('orders', 'expired');
  await shopper.pay();
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});

test('a session that was expired by hand strands nobody', async ({ shopper }) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  await shopper.at('test-drawer').locator('summary').click();
  await shopper.at('expire-now').click();
  await shopper.open(`/orders/${orderId}`);
  await shopper.pay();
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});
