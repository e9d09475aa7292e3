import { expect, test } from '../shop-test.ts';

test.describe('with a clock that is not the shop’s', () => {
  test.use({ timezoneId: 'America/New_York' });

  test('the receipt has the shopper’s own time, and says so', async ({ shopper, page }) => {
    await shopper.orderQuickly();
    await shopper.pay();
    await shopper.sees('thanks', 'paid');
    const time = shopper.at('receipt').getByRole('time');
    const own = await time.evaluate((element: HTMLTimeElement) =>
      new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(new Date(element.dateTime)),
    );
    await expect(time).toContainText(own);
    await expect(page.locator('.when')).toContainText(/Eastern .*Time/);
  });
});

test('a printer gets the receipt, and nothing of the page around it', async ({ shopper, page }) => {
  const orderId = await shopper.orderQuickly();
  await shopper.pay();
  await shopper.sees('thanks', 'paid');
  for (const path of ['thanks', 'orders']) {
    await shopper.open(`/${path}/${orderId}`);
    await page.emulateMedia({ media: 'print' });
    await expect(shopper.at('receipt')).toBeVisible();
    await expect(page.getByText('Finjan', { exact: true }).last()).toBeVisible();
    for (const other of ['header', 'footer', '.qa', '.actions']) {
      await expect(page.locator(other).first()).toBeHidden();
    }
    // On a phone's paper too the order's number is one word.
    await page.setViewportSize({ width: 390, height: 800 });
    const number = shopper.at('order-number');
    expect(await number.evaluate((word) => word.getClientRects().length)).toBe(1);
    await page.emulateMedia({ media: 'screen' });
  }
});

test('a waiting page has one message, and its amount moves nothing', async ({ shopper, page }) => {
  const orderId = await shopper.orderQuickly();
  await shopper.goToPay();
  // The element's script comes once the page is painted. A loaded browser may paint a page that it
  // has read half of, and what it moves then is not the element's doing.
  await page.route('**/pay/pay-status.js', async (route) => {
    await page.waitForFunction(() => document.readyState !== 'loading');
    await page.evaluate(paint);
    await page.evaluate(() => {
      const shifts: number[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value'));
      }).observe({ type: 'layout-shift' });
      Object.assign(globalThis, { shifts });
    });
    await route.continue();
  });
  const answered = page.waitForResponse(/\/pay\/status\//);
  await shopper.open(`/wait/${orderId}`);
  await answered;
  await expect(page.locator('pay-status')).toContainText('We are checking your payment');
  await expect(page.getByText('Confirming your payment')).toBeHidden();
  await expect(page.getByText('Not paid yet')).toHaveCount(0);
  await expect(page.getByText('Waiting for payment')).toHaveCount(0);
  await page.evaluate(paint);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'shifts'))).toEqual([]);
});

/** Waits in the page until what changed so far is on the screen. */
function paint(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}
