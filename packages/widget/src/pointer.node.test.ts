import type { BrowserContextOptions, Locator } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../scripts/use-browser.ts';
import { startShop, startShoppersBrowser } from './testing/real-shop.ts';

/** The built button under a real pointer. */
const { reuse } = useBrowser({}, startShoppersBrowser);
const shop = await startShop();
afterAll(() => shop.close());

/** Opens a page with a button for each of some attributes. */
async function openButtons(attributes: readonly string[], options: BrowserContextOptions = {}) {
  const { page } = await reuse(options);
  const own = 'endpoint="/checkout" order-id="1" amount="115.00"';
  const buttons = attributes.map((more) => `<p><pay-button ${own} ${more}></pay-button></p>`);
  await page.goto(
    shop.page(`<style>:root { color-scheme: light dark; background: Canvas }</style>
      <script type="module" src="/pay-button.js"></script>${buttons.join('')}`),
  );
  const button = page.locator('pay-button').getByRole('button');
  await button.last().waitFor();
  return { page, button };
}

const styleOf = (button: Locator, property: string) =>
  button.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);
const faceOf = (button: Locator) => styleOf(button, 'background-color');

/** The button's face, and the contrast of the label with what is painted below it, by WCAG's formula. */
const lookOf = (button: Locator): Promise<{ face: string; contrast: number }> =>
  button.evaluate((one) => {
    const { color, backgroundColor, opacity } = getComputedStyle(one);
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const luminance = (...layers: string[]): number => {
      const page = getComputedStyle(document.documentElement).backgroundColor;
      canvas.globalAlpha = 1;
      for (const layer of [page, ...layers]) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
        canvas.globalAlpha = Number(opacity);
      }
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) =>
        byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const both = [luminance(backgroundColor), luminance(backgroundColor, color)];
    const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    return { face: backgroundColor, contrast };
  });

const pair = (face: string, color: string) =>
  `style="--pay-button-background: ${face}; --pay-button-color: ${color}"`;

/** Looks that have 4.5:1 at rest, many of them hardly more. */
const looks: readonly (readonly [string, string])[] = [
  ['its own colours', ''],
  ['its own colours, outlined', 'variant="outline"'],
  ['its own colours, plain', 'variant="plain"'],
  ['white on black', pair('#000', '#fff')],
  ['black on white', pair('#fff', '#000')],
  ['white on grey', pair('#767676', '#fff')],
  ['black on grey', pair('#757575', '#000')],
  ['white on blue', pair('#1a73e8', '#fff')],
  ['white on red', pair('#d93025', '#fff')],
  ['black on orange', pair('#ff6600', '#000')],
  ['pale on purple', pair('#6d28d9', '#ddd6fe')],
  ['dark purple on pale', pair('#ddd6fe', '#2e1065')],
];

describe('the button under a pointer', () => {
  it.for(['light', 'dark'] as const)(
    'changes its face and keeps 4.5:1 in every state and look (%s)',
    async (colorScheme) => {
      const { page, button } = await openButtons(
        looks.map(([, attributes]) => attributes),
        { colorScheme, reducedMotion: 'reduce' },
      );
      for (const [index, [name]] of looks.entries()) {
        const one = button.nth(index);
        const states = [await lookOf(one)];
        const change = async (): Promise<void> => {
          await expect.poll(() => faceOf(one), { message: name }).not.toBe(states.at(-1)?.face);
          states.push(await lookOf(one));
        };
        await one.hover();
        await change();
        await page.mouse.down();
        await change();
        expect([name, new Set(states.map(({ face }) => face)).size]).toEqual([name, 3]);
        await page
          .locator('pay-button')
          .nth(index)
          .evaluate((element) => ((element as HTMLButtonElement).disabled = true));
        await expect.poll(() => one.isDisabled()).toBe(true);
        states.push(await lookOf(one));
        await page.mouse.up();
        const contrasts = states.map(({ contrast }) => contrast);
        expect(Math.min(...contrasts), name).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it('does not change on a screen without a pointer until a finger presses', async () => {
    const touch = { hasTouch: true, isMobile: true, reducedMotion: 'reduce' } as const;
    const { page, button } = await openButtons([''], touch);
    const rest = await faceOf(button);
    await button.hover();
    expect(await faceOf(button)).toBe(rest);
    await page.mouse.down();
    expect(await faceOf(button)).not.toBe(rest);
  });

  it.for([
    ['no-preference', '0.12s'],
    ['reduce', '0s'],
  ] as const)('takes 120 ms to change unless motion is reduced (%s)', async ([motion, time]) => {
    const { page, button } = await openButtons(['']);
    await page.emulateMedia({ reducedMotion: motion });
    await button.hover();
    expect(await styleOf(button, 'transition-duration')).toBe(time);
    await page.emulateMedia({ reducedMotion: null });
  });

  it('does not look ready for a press while it is disabled or busy', async () => {
    const { page, button } = await openButtons(['']);
    const rest = await faceOf(button);
    const cursor = () => styleOf(button, 'cursor');
    await button.hover();
    expect(await cursor()).toBe('pointer');
    await page.evaluate(() => {
      const element = document.querySelector('pay-button')!;
      element.addEventListener('pay-start', (event) => event.waitUntil(new Promise(() => {})));
      void element.pay();
    });
    await expect.poll(() => faceOf(button)).toBe(rest);
    expect(await cursor()).toBe('progress');
    await page.evaluate(() => {
      const element = document.querySelector('pay-button')!;
      element.cancel();
      element.disabled = true;
    });
    await expect.poll(cursor).toBe('not-allowed');
  });
});
