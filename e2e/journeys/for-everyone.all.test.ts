import type { Page } from '@playwright/test';
import { overflowAt } from '../../scripts/browser.ts';
import { expect, expectAccessible, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

/** The words differ by the language, the colours by the scheme, the layout by the width. */
const looks = [
  { locale: 'en', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { locale: 'ar', colorScheme: 'dark', viewport: { width: 320, height: 800 } },
] as const;

for (const look of looks) {
  const { locale, colorScheme, viewport } = look;
  test.describe(`in ${locale}, ${colorScheme}, at ${viewport.width} pixels`, () => {
    test.use(look);

    /** Expects that axe finds nothing, and that nothing is cut off on a phone or a desktop. */
    async function expectFits(page: Page): Promise<void> {
      for (const width of [320, 1280]) expect(await overflowAt(page, width), page.url()).toBe(0);
      await page.setViewportSize(viewport);
      await expectAccessible(page);
    }

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
      for (const path of ['/orders', `/orders/${orderId}`, `/orders/${orderId}?truths=1`]) {
        await shopper.open(path);
        await check();
      }
    });

    test('axe finds nothing on what testers and admins see', async ({ shopper, admin, page }) => {
      const orderId = await shopper.orderQuickly();
      await admin.sale(orderId, cards.visa);
      await shopper.openTools();
      await expectFits(page);
      // The admin's page asks for a sign-in first.
      for (const path of ['/personas', '/bugs', '/admin']) {
        await shopper.open(path);
        await expectFits(page);
      }
      await admin.open(orderId);
      const untried = await shopper.orderQuickly();
      for (const path of [`/admin/shop-orders/${untried}`, '/admin/sign-out']) {
        await shopper.open(path);
        await expectFits(page);
      }
    });
  });
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
