import { takePicture } from '../pictures.ts';
import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test.describe('with an Arabic browser on a phone', () => {
  test.use({ locale: 'ar-SA', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });

  test('pages are Arabic, from right to left, and the order is paid', async ({ shopper, page }) => {
    const html = page.locator('html');
    await shopper.open('/');
    await expect(html).toHaveAttribute('lang', 'ar');
    await expect(html).toHaveAttribute('dir', 'rtl');
    const orderId = await shopper.order();
    await expect(html).toHaveAttribute('dir', 'rtl');
    await expect(shopper.payButton).toContainText('ادفع');
    await takePicture(page, 'order-arabic-phone');
    await shopper.goToPay();
    await expect(html).toHaveAttribute('dir', 'rtl');
    await shopper.sendCard(cards.mada);
    await shopper.sees('thanks', 'paid');
    await expect(html).toHaveAttribute('dir', 'rtl');
    await shopper.expectShippedOnce(orderId);
  });
});

test('an English browser pays in Arabic once Arabic is chosen', async ({ shopper, page }) => {
  const html = page.locator('html');
  await shopper.open('/');
  await expect(html).toHaveAttribute('lang', 'en');
  await shopper.at('lang-ar').click();
  const orderId = await shopper.order();
  await shopper.goToPay();
  await expect(html).toHaveAttribute('lang', 'ar');
  await expect(page).toHaveTitle(/فنجان/);
  await shopper.sendCard(cards.challenged);
  await shopper.at('otp').fill('123456');
  await expect(html).toHaveAttribute('lang', 'ar');
  await expect(page.locator('main')).toContainText('فنجان');
  await shopper.at('approve').click();
  await shopper.expectPaid(orderId);
  await expect(html).toHaveAttribute('lang', 'ar');
});
