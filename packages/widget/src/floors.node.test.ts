import type { Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../scripts/use-browser.ts';
import type { PayButton } from './pay-button.ts';
import { startShop, startShoppersBrowser } from './testing/real-shop.ts';

/** The sizes of the built button where a page or a shopper changes the size of text. */
const { reuse } = useBrowser({ viewport: { width: 320, height: 640 } }, startShoppersBrowser);
const shop = await startShop();
afterAll(() => shop.close());

/** Opens a page with a button below a root font. */
async function openAt(page: Page, rootFont: string, attributes = 'endpoint="/x"'): Promise<void> {
  await page.goto(
    shop.page(`<style>:root { font-size: ${rootFont} }</style>
      <script type="module" src="/pay-button.js"></script>
      <pay-button order-id="1" amount="115.00" ${attributes}></pay-button>`),
  );
  await page.locator('pay-button').getByRole('button').waitFor();
}

const sizesOf = (page: Page) =>
  page.locator('pay-button').evaluate((element) => {
    const find = (what: string) => element.shadowRoot!.querySelector<HTMLElement>(what)!;
    const fontOf = (one: Element) => Number.parseFloat(getComputedStyle(one).fontSize);
    return {
      text: fontOf(find('button')),
      button: find('button').offsetHeight,
      line: fontOf(find('[part=message]')),
      box: element.getBoundingClientRect().height,
    };
  });

describe('the size of the button', () => {
  it('has floors in pixels for a page with a small root font', async () => {
    const { page } = await reuse();
    await openAt(page, '62.5%', 'endpoint="/x" message="below"');
    expect(await sizesOf(page)).toEqual({ text: 16, button: 44, line: 13, box: 88 });
  });

  it('follows a large root font', async () => {
    const { page } = await reuse();
    await openAt(page, '200%');
    expect(await sizesOf(page)).toMatchObject({ text: 32, button: 96, line: 26 });
  });

  it('scales the type with `size`, and leaves every size high enough for a finger', async () => {
    const { page } = await reuse();
    const texts: number[] = [];
    for (const size of ['small', 'medium', 'large']) {
      await openAt(page, '50%', `endpoint="/x" size="${size}"`);
      const { text, button } = await sizesOf(page);
      texts.push(text);
      expect(button, size).toBeGreaterThanOrEqual(44);
    }
    expect(texts).toEqual([14, 16, 18]);
    await openAt(page, '100%', 'endpoint="/x" size="large"');
    expect(await sizesOf(page)).toMatchObject({ text: 18, button: 56 });
  });
});

it.for(['en', 'ar'])('the line grows with text of 200 %% within the box (%s)', async (locale) => {
  const { page } = await reuse();
  await openAt(page, '200%', `endpoint="/502" methods="visa" locale="${locale}"`);
  await page.locator('pay-button').evaluate(async (element) => (element as PayButton).pay());
  const message = page.locator('pay-button [part=message]');
  await expect.poll(() => message.textContent()).toMatch(/\S/);
  const bottoms = await page.locator('pay-button').evaluate((element) => {
    const text = element.shadowRoot!.querySelector('[part=message]')!;
    return [text, element].map((one) => one.getBoundingClientRect().bottom);
  });
  expect(bottoms[0]).toBeLessThanOrEqual(bottoms[1] ?? 0);
  const lines = await message.evaluate((text) => {
    const { lineHeight } = getComputedStyle(text);
    return text.getBoundingClientRect().height / Number.parseFloat(lineHeight);
  });
  expect(lines).toBeGreaterThan(2);
});
