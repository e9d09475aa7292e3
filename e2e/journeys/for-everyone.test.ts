import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

for (const locale of ['en', 'ar'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`in ${locale}, ${colorScheme}, on the narrowest phone`, () => {
      test.use({ locale, colorScheme, viewport: { width: 320, height: 640 } });

      test('axe finds nothing on any page, and nothing is cut off', async ({ shopper, page }) => {
        const check = () => expectFits(page);
        await shopper.open('/?added=coffee');
        await check();
        await shopper.open('/basket');
        await check();
        await shopper.fillBasket();
        await check();
        await shopper.at('customer-phone').fill('12');
        await shopper.at('place-order').click();
        await expect(shopper.at('customer-phone')).toHaveAttribute('aria-invalid', 'true');
        await check();
        await shopper.at('customer-phone').fill('0512345678');
        await shopper.at('place-order').click();
        await page.waitForURL('**/orders/*');
        const { orderId } = shopper;
        await expect(shopper.payButton).toBeVisible();
        await check();
        await shopper.goToPay();
        await shopper.at('back-to-shop').click();
        await shopper.sees('wait', 'pending');
        await check();
        await shopper.open(`/retry/${orderId}`);
        await check();
        await shopper.goToPay();
        await shopper.sendCard(cards.mada);
        await shopper.sees('thanks', 'paid');
        await check();
      });
    });
  }
}

for (const [locale, colorScheme] of [
  ['en', 'dark'],
  ['ar', 'light'],
] as const) {
  test.describe(`in ${locale}, ${colorScheme}, on the narrowest phone`, () => {
    test.use({ locale, colorScheme, viewport: { width: 320, height: 640 } });

    test('axe finds nothing on what testers and admins see', async ({
      shopper,
      admin,
      shop,
      page,
    }) => {
      const orderId = await shopper.orderQuickly();
      await admin.sale(orderId, cards.visa, { recurringInit: true });
      await shopper.openTools();
      await expectFits(page);
      for (const path of [`/orders/${orderId}?truths=1`, '/personas', '/bugs', '/admin']) {
        await shopper.open(path);
        await expectFits(page);
      }
      await admin.open(orderId);
      await expectFits(page);
      await admin.at('refund').click();
      await expectFits(page);
      await admin.at('confirm-refund').click();
      await admin.at('notice').waitFor();
      await expectFits(page);
      const untried = await shopper.orderQuickly();
      const own = [`/admin/shop-orders/${untried}`, '/admin/sign-out'];
      for (const path of ['/admin', '/admin/orders', '/admin/review', '/admin/gateway', ...own]) {
        await page.goto(`${shop.url}${path}`);
        await expectFits(page);
      }
    });
  });
}

/** Expects that axe finds nothing, and that nothing is cut off on the narrowest phone. */
async function expectFits(page: Page): Promise<void> {
  await expectAccessible(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, page.url()).toBe(320);
}

test('the keyboard alone buys a coffee', async ({ shopper, page }) => {
  await shopper.open('/');
  await page.keyboard.press('Tab');
  await expect(page.locator('.skip')).toBeFocused();
  // A key goes to the page that is there: each step waits for what the key before it brings.
  await page.keyboard.press('Enter');
  await expect(page.locator('#content')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(shopper.at('add-coffee')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/?added=coffee*');
  await shopper.at('basket').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/basket');
  await shopper.at('customer-name').focus();
  await page.keyboard.type('Noura');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0512345678');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/orders/*');
  await expect(shopper.payButton).toBeVisible();
  await shopper.payButton.focus();
  await page.keyboard.press('Enter');
  await shopper.at('submit-payment').waitFor();
});
