import type { Page } from 'playwright';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../scripts/use-browser.ts';
import { startShop, startShoppersBrowser } from './testing/real-shop.ts';

/** The built files for a shopper with contrast settings, and on paper. */
const { reuse } = useBrowser({}, startShoppersBrowser);
const shop = await startShop();
afterAll(() => shop.close());
let tab: Page;

beforeEach(async () => void ({ page: tab } = await reuse()));

const noColours = { colorScheme: null, contrast: null, forcedColors: null } as const;
afterEach(() => tab.emulateMedia({ media: null, reducedMotion: null, ...noColours }));

async function open(attributes = ''): Promise<void> {
  await tab.goto(
    shop.page(`<style>:root { color-scheme: light dark; background: Canvas; color: CanvasText }</style>
      <script type="module" src="/pay-button.js"></script>
      <script type="module" src="/pay-status.js"></script>
      <pay-button endpoint="/checkout" order-id="1" amount="115.00" methods="visa" ${attributes}></pay-button>
      <pay-status src="/status"></pay-status>`),
  );
  await tab.locator('pay-button').getByRole('button').waitFor();
  await tab.getByText('Payment received').waitFor();
}

/** A computed style of a node of the button's shadow root, or of the status's. */
const style = (selector: string, property: string, element = 'pay-button') =>
  tab
    .locator(`${element} ${selector}`)
    .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);

const clear = 'rgba(0, 0, 0, 0)';
const black = 'rgb(0, 0, 0)';

describe('a shopper with forced colours', () => {
  beforeEach(() => tab.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' }));

  it('sees the gap in the ring that turns', async () => {
    await open();
    expect(await style('i', 'border-block-start-color')).toBe(clear);
    expect(await style('i', 'border-block-end-color')).not.toBe(clear);
  });

  it('sees which button the pointer is on, and which is disabled', async () => {
    await open();
    const button = tab.locator('pay-button').getByRole('button');
    const rest = await style('button', 'border-block-start-color');
    await button.hover();
    expect(await style('button', 'border-block-start-color')).not.toBe(rest);
    const text = await style('button', 'color');
    await tab.evaluate(() => (document.querySelector('pay-button')!.disabled = true));
    await expect.poll(() => style('button', 'color')).not.toBe(text);
  });
});

it.for(['light', 'dark'] as const)(
  'a shopper who wants more contrast sees the edge of the button and stronger errors (%s)',
  async (colorScheme) => {
    await tab.emulateMedia({ colorScheme });
    await open('id="button"');
    const error = () =>
      tab.locator('pay-button').evaluate((one) => {
        const message = one.shadowRoot!.querySelector('[part=message]')!;
        message.classList.add('failed');
        return getComputedStyle(message).color;
      });
    const usual = await error();
    expect(await style('button', 'border-block-start-color')).toBe(clear);
    await tab.emulateMedia({ colorScheme, contrast: 'more' });
    expect(await error()).not.toBe(usual);
    expect(await style('button', 'border-block-start-color')).toBe(await style('button', 'color'));
  },
);

it.for(['primary', 'outline', 'plain'])(
  'on paper the label is black on nothing, with an edge, in a dark page too (%s)',
  async (variant) => {
    await tab.emulateMedia({ colorScheme: 'dark' });
    await open(`variant="${variant}" style="--pay-button-background: #ddd6fe"`);
    await tab.locator('pay-button').getByRole('button').hover();
    await expect.poll(() => style('button', 'background-color')).toMatch(/^lab/);
    await tab.emulateMedia({ colorScheme: 'dark', media: 'print' });
    expect(await style('button', 'color')).toBe(black);
    expect(await style('button', 'background-color')).toBe(clear);
    expect(await style('button', 'border-block-start-color')).toBe(black);
    expect(await style('section > svg', 'stroke', 'pay-status')).toBe('rgb(10, 107, 74)');
  },
);
