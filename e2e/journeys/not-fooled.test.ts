import { countPaymentLinks } from '../gateway-record.ts';
import { expect, test } from '../shop-test.ts';
import { cards, Shopper } from '../shopper.ts';

test('ten quick clicks make one checkout session', async ({ shopper, control }) => {
  const orderId = await shopper.orderQuickly();
  await expect(shopper.payButton).toBeVisible();
  await shopper.payButton.evaluate((button: HTMLElement) => {
    for (let click = 0; click < 10; click += 1) button.click();
  });
  await shopper.at('submit-payment').waitFor();
  expect(await countPaymentLinks(control, orderId)).toBe(1);
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});

test('two tabs of one order share one checkout session and one payment', async ({
  shopper,
  context,
  shop,
  control,
}) => {
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

test('a double click on the order form makes one order', async ({ shopper, page }) => {
  await shopper.fillBasket();
  const placed: string[] = [];
  page.on('response', (answer) => {
    const location = answer.headers()['location'];
    if (answer.request().method() === 'POST' && location !== undefined) placed.push(location);
  });
  await shopper.at('place-order').dblclick();
  await page.waitForURL('**/orders/*');
  const [first] = placed;
  expect(first).toBeDefined();
  expect(new Set(placed).size).toBe(1);
});
