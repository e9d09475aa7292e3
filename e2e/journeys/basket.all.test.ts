import type { Page } from '@playwright/test';
import { expect, test } from '../shop-test.ts';

test('a wrong entry takes the focus to its error, then to the field', async ({ shopper, page }) => {
  await shopper.fillBasket();
  await shopper.at('customer-name').fill('');
  await shopper.at('customer-phone').fill('12');
  await shopper.at('customer-email').fill('x');
  await shopper.at('place-order').click();
  await expect(shopper.at('complaints')).toBeFocused();
  await expect(page).toHaveTitle(/^Error: /);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(shopper.at('customer-phone')).toBeFocused();
});

test.describe('on a phone', () => {
  // A scroll that takes time would be measured half way.
  test.use({ viewport: { width: 360, height: 740 }, contextOptions: { reducedMotion: 'reduce' } });

  test('two goods a row, and only the first pictures load at once', async ({ shopper, page }) => {
    await shopper.open('/');
    const cards = page.locator('.card');
    const boxes = [0, 1, 2].map((index) => cards.nth(index).boundingBox());
    const [first, second, third] = await Promise.all(boxes);
    expect(second?.y).toBe(first?.y);
    expect(third?.y).toBeGreaterThan(first?.y ?? Infinity);
    const loadingOf = (all: Element[]) => all.map((one) => (one as HTMLImageElement).loading);
    const waits = await cards.locator('img').evaluateAll(loadingOf);
    expect(waits.slice(0, 4)).toEqual(Array(4).fill('eager'));
    expect(new Set(waits.slice(4))).toEqual(new Set(['lazy']));
  });

  test('a press counts the basket, with prices at the lines’ ends', async ({ shopper, page }) => {
    await shopper.fillBasket();
    const line = page.locator('.lines li');
    await line.getByRole('button', { name: 'One more' }).click();
    await expect(line.locator('.line-total')).toContainText('230.00');
    const [row, total, picture] = await Promise.all([
      line.boundingBox(),
      line.locator('.line-total').boundingBox(),
      line.locator('img').boundingBox(),
    ]);
    expect((total?.x ?? 0) + (total?.width ?? 0)).toBeCloseTo((row?.x ?? 0) + (row?.width ?? 0), 0);
    expect(total?.y).toBeLessThan((picture?.y ?? 0) + (picture?.height ?? 0));
    await line.getByRole('spinbutton').fill('5');
    await line.getByRole('spinbutton').press('Enter');
    await expect(line.locator('.line-total')).toContainText('575.00');
    await line.getByRole('button', { name: 'One fewer' }).click();
    await expect(line.locator('.line-total')).toContainText('460.00');
  });

  for (const address of ['/basket', '/basket?qa=applied']) {
    test(`test tools never cover what has the focus, at ${address}`, async ({ shopper, page }) => {
      await shopper.fillBasket();
      await shopper.open(address);
      expect(await coveredInFocus(page)).toEqual([]);
      await shopper.openTools();
      await page.evaluate(() => scrollTo(0, 0));
      expect(await coveredInFocus(page)).toEqual([]);
    });
  }
});

/** Walks through the page by Tab: the controls that were behind the testers' tools while in focus. */
async function coveredInFocus(page: Page): Promise<string[]> {
  const covered: string[] = [];
  await page.locator('.skip').focus();
  for (let count = 0; count < 40; count += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const focused = document.activeElement;
      const tools = document.querySelector('.qa');
      if (focused === null || tools === null || tools.contains(focused)) return 'tools';
      const { bottom } = focused.getBoundingClientRect();
      return bottom > tools.getBoundingClientRect().top ? focused.outerHTML.slice(0, 120) : '';
    });
    if (found === 'tools') return covered;
    if (found !== '') covered.push(found);
  }
  return covered;
}
