import { countPaymentLinks } from '../gateway-record.ts';
import { expect, test } from '../shop-test.ts';
import { cards, Shopper } from '../shopper.ts';

test('a success address opened without paying ships nothing', async ({ shopper, page }) => {
  const orderId = await shopper.order();
  await shopper.goToPay();
  const returned = page.waitForRequest((request) => request.url().includes('/pay/return/failure/'));
  await shopper.at('back-to-shop').click();
  const forged = (await returned).url().replace('/failure/', '/success/');
  await page.goto(`${forged}?transactionStatus=SUCCESS&paymentStatus=APPROVED`);
  await shopper.sees('wait', 'pending');
  await shopper.open(`/thanks/${orderId}?status=paid`);
  await shopper.sees('thanks', 'pending');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This order is not paid yet');
  expect(await shopper.ask(orderId)).toMatchObject({ state: 'pending', fulfilments: 0 });
});

test('a stranger sees nothing of an order, paid or not', async ({ shopper, shop, browser }) => {
  const orderId = await shopper.order();
  await shopper.goToPay();
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  const context = await browser.newContext();
  const stranger = await context.newPage();
  for (const page of ['orders', 'wait', 'thanks', 'retry', 'api/orders']) {
    const answer = await stranger.goto(`${shop.url}/${page}/${orderId}`);
    expect(answer?.status()).toBe(404);
    expect(await answer?.text()).not.toMatch(/Noura|0512345678|115\.00/);
  }
  await context.close();
});

test('ten quick clicks make one checkout session', async ({ shopper, page, shop }) => {
  const orderId = await shopper.order();
  await shopper.payButton.evaluate((button: HTMLElement) => {
    for (let click = 0; click < 10; click += 1) button.click();
  });
  await shopper.at('submit-payment').waitFor();
  expect(await countPaymentLinks(page.request, shop.sandboxUrl)).toBe(1);
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});

test('two tabs of one order share one checkout session and one payment', async ({
  shopper,
  context,
  shop,
  faults,
}) => {
  const orderId = await shopper.order();
  const otherTab = new Shopper(await context.newPage(), shop.url);
  await otherTab.open(`/orders/${orderId}`);
  await shopper.goToPay();
  await otherTab.goToPay();
  expect(await countPaymentLinks(context.request, shop.sandboxUrl)).toBe(1);
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await otherTab.open(`/orders/${orderId}`);
  await otherTab.sees('orders', 'paid');
  await expect(otherTab.payButton).toHaveCount(0);
  await shopper.expectShippedOnce(orderId);
  expect(faults.seen).toEqual([]);
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
