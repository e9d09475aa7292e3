import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PayButton } from './pay-button.ts';
import { type RealShop, startBrowser, startShop } from './testing/real-shop.ts';

/** The sizes of the built button where a page or a shopper changes the size of text. */
let browser: Browser;
let shop: RealShop;
let tab: Page;

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), startBrowser()]);
});

afterEach(() => tab.context().close());

afterAll(async () => {
  await browser?.close();
  shop?.close();
});

interface Sizes {
  readonly text: number;
  readonly button: number;
  readonly line: number;
  readonly box: number;
}

async function sizesAt(rootFont: string, attributes = '', endpoint = '/x'): Promise<Sizes> {
  tab = await (await browser.newContext({ viewport: { width: 320, height: 640 } })).newPage();
  await tab.goto(
    shop.page(`<style>:root { font-size: ${rootFont} }</style>
      <script type="module" src="/pay-button.js"></script>
      <pay-button endpoint="${endpoint}" order-id="1" amount="115.00" ${attributes}></pay-button>`),
  );
  await tab.locator('pay-button').getByRole('button').waitFor();
  return sizes();
}

const sizes = (): Promise<Sizes> =>
  tab.locator('pay-button').evaluate((element) => {
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
    expect(await sizesAt('62.5%', 'message="below"')).toEqual({
      text: 16,
      button: 44,
      line: 13,
      box: 88,
    });
  });

  it('follows a large root font', async () => {
    expect(await sizesAt('200%')).toMatchObject({ text: 32, button: 96, line: 26 });
  });

  it('scales the type with `size`, and leaves every size high enough for a finger', async () => {
    const texts: number[] = [];
    for (const size of ['small', 'medium', 'large']) {
      const { text, button } = await sizesAt('50%', `size="${size}"`);
      texts.push(text);
      expect(button, size).toBeGreaterThanOrEqual(44);
      await tab.context().close();
    }
    expect(texts).toEqual([14, 16, 18]);
    expect(await sizesAt('100%', 'size="large"')).toMatchObject({ text: 18, button: 56 });
  });
});

describe('the line below the button', () => {
  it.for(['en', 'ar'])('grows with text of 200 %% and stays in the box (%s)', async (locale) => {
    await sizesAt('200%', `methods="visa" locale="${locale}"`, '/502');
    await tab.locator('pay-button').evaluate(async (element) => (element as PayButton).pay());
    const message = tab.locator('pay-button [part=message]');
    await expect.poll(() => message.textContent()).toMatch(/\S/);
    const bottoms = await tab.locator('pay-button').evaluate((element) => {
      const text = element.shadowRoot!.querySelector('[part=message]')!;
      return [text, element].map((one) => one.getBoundingClientRect().bottom);
    });
    expect(bottoms[0]).toBeLessThanOrEqual(bottoms[1] ?? 0);
    const lines = await message.evaluate(
      (text) =>
        text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight),
    );
    expect(lines).toBeGreaterThan(2);
  });
});
