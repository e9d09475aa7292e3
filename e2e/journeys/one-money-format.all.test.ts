import type { Locator } from '@playwright/test';
import { expect, test } from '../shop-test.ts';

for (const locale of ['en', 'ar'] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('each page and the button draw amounts alike', async ({ shopper, admin, page }) => {
      const orderId = await shopper.orderQuickly('roaster');
      await expect(shopper.payButton).toBeVisible();
      const inShop = await drawn(shopper.at('order-amount').locator('.amount'));
      expect(inShop).toMatchObject({ digits: '9,909.00', isSignLeft: true });
      expect(await drawn(page.locator('pay-button [part="amount"]'))).toEqual(inShop);
      await shopper.goToPay();
      expect(await drawn(page.locator('main .money').first())).toEqual(inShop);
      await admin.open(orderId);
      expect(await drawn(admin.at('order-amount').locator('.amount'))).toEqual(inShop);
    });

    test('a screen reader hears the amount in the words of the language', async ({ shopper }) => {
      await shopper.orderQuickly('roaster');
      const spoken = locale === 'ar' ? '9,909.00 ريال' : 'SAR 9,909.00';
      const tree = await shopper.at('order-amount').ariaSnapshot();
      const heard = tree.replaceAll(/img|text|definition|[-":\n]/g, ' ');
      expect(heard.replaceAll(/\s+/g, ' ').trim()).toBe(spoken);
    });
  });
}

/** An amount as eyes see it: its digits, its sign, and on which side that stands. */
async function drawn(amount: Locator) {
  return amount.evaluate((element) => {
    const sign = element.querySelector('svg');
    const shared = sign?.querySelector('use')?.getAttribute('href');
    const path = (shared ? document.querySelector(shared) : sign)?.querySelector('path');
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (!/\d/.test(texts.nextNode()?.nodeValue ?? '0'));
    const text = document.createRange();
    text.selectNodeContents(texts.currentNode);
    const digits = element.textContent.replaceAll(/\s/g, '');
    return {
      digits,
      sign: path?.getAttribute('d')?.replaceAll(/\s/g, ''),
      isSignLeft:
        (sign?.getBoundingClientRect().right ?? Infinity) <= text.getBoundingClientRect().left + 6,
    };
  });
}
