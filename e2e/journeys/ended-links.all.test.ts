import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test('an order that is paid after it was cancelled is reported, and not shipped', async ({
  shopper,
  admin,
  shop,
  page,
  control,
}) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  const { sessionId } = shopper;
  await expect(await page.request.post(`${shop.url}/api/orders/${orderId}/cancel`)).toBeOK();
  await control.pay(sessionId, { card: { number: cards.mada } });
  await shopper.learns(orderId, 'paid_late');
  expect(await shopper.ask(orderId)).toMatchObject({ fulfilments: 0 });
  await shopper.open(`/orders/${orderId}`);
  await expect(shopper.payButton).toHaveCount(0);
  await admin.open(orderId);
  const matter = admin.at('review-item').filter({ hasText: orderId });
  await page.goto(`${shop.url}/admin/review`);
  await matter.locator('[data-test="refund"]').click();
  await admin.at('confirm-refund').click();
  await expect(admin.at('notice')).toHaveAttribute('data-notice', 'operation_pending');
  // The matter is over as soon as the gateway shows the refund.
  await expect(async () => {
    await page.goto(`${shop.url}/admin/review`);
    await expect(matter).toHaveCount(0, { timeout: 100 });
  }).toPass({ timeout: 15_000 });
  await admin.sees(orderId, 'refunded');
});
