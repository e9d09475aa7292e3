import { test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test('a payment is found and shipped without a return', async ({ shopper, page, control }) => {
  // Without a webhook and a return, only the background work is left.
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

test('opening return and thanks page again ships nothing twice', async ({ shopper, page }) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  const returned = page.waitForRequest((request) => request.url().includes('/pay/return/'));
  await shopper.sendCard(cards.mada);
  const returnUrl = (await returned).url();
  await shopper.sees('thanks', 'paid');
  for (let time = 0; time < 3; time += 1) {
    await page.reload();
    await shopper.sees('thanks', 'paid');
    await page.goto(returnUrl);
    await shopper.sees('thanks', 'paid');
  }
  await shopper.expectShippedOnce(orderId);
});

test.describe('with a shop of its own', () => {
  test.use({ killsShop: true });

  test('a shop killed during a payment still learns of it', async ({ page, shopper, shop }) => {
    // What a page still loads would be cut off by the kill, and that is not what is tested.
    const allLoaded = (): Promise<void> => page.waitForLoadState('networkidle');
    const orderId = await shopper.orderQuickly();
    await shopper.goToPay();
    await allLoaded();
    await shop.killAndRestart();
    await shopper.sendCard(cards.mada);
    await shopper.sees('thanks', 'paid');
    await allLoaded();
    await shop.killAndRestart();
    await shopper.open(`/orders/${orderId}`);
    await shopper.sees('orders', 'paid');
    await shopper.expectShippedOnce(orderId);
  });
});
