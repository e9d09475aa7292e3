import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RealShop, startBrowser, startShop } from './testing/real-shop.ts';

/** The built button under a real pointer. */
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

async function openButton(attributes: string, options: BrowserContextOptions = {}): Promise<void> {
  tab = await (await browser.newContext(options)).newPage();
  await tab.goto(
    shop.page(`<style>:root { color-scheme: light dark; background: Canvas }</style>
      <script type="module" src="/pay-button.js"></script>
      <pay-button endpoint="/checkout" order-id="1" amount="115.00" ${attributes}></pay-button>`),
  );
  await button().waitFor();
}

const button = () => tab.locator('pay-button').getByRole('button');
const background = () => button().evaluate((one) => getComputedStyle(one).backgroundColor);

/** The contrast of the label with what is painted below it, by WCAG's formula. */
function contrast(): Promise<number> {
  return button().evaluate((one) => {
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
    return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  });
}

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
  it.for(
    looks.flatMap(([name, attributes]) =>
      (['light', 'dark'] as const).map((scheme) => [name, scheme, attributes] as const),
    ),
  )('changes its face and keeps 4.5:1 in every state (%s, %s)', async ([, colorScheme, more]) => {
    await openButton(more, { colorScheme, reducedMotion: 'reduce' });
    const faces = [await background()];
    const contrasts = [await contrast()];
    const note = async () => {
      faces.push(await background());
      contrasts.push(await contrast());
    };
    await button().hover();
    await note();
    await tab.mouse.down();
    await note();
    expect(new Set(faces).size).toBe(3);
    await tab.evaluate(() => (document.querySelector('pay-button')!.disabled = true));
    await note();
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
  });

  it('does not change on a screen without a pointer until a finger presses', async () => {
    await openButton('', { hasTouch: true, isMobile: true, reducedMotion: 'reduce' });
    const rest = await background();
    await button().hover();
    expect(await background()).toBe(rest);
    await tab.mouse.down();
    expect(await background()).not.toBe(rest);
  });

  it.for([
    ['no-preference', '0.12s'],
    ['reduce', '0s'],
  ] as const)('takes 120 ms to change unless motion is reduced (%s)', async ([motion, time]) => {
    await openButton('', { reducedMotion: motion });
    await button().hover();
    expect(await button().evaluate((one) => getComputedStyle(one).transitionDuration)).toBe(time);
  });

  it('does not look ready for a press while it is disabled or busy', async () => {
    await openButton('');
    const rest = await background();
    const cursor = () => button().evaluate((one) => getComputedStyle(one).cursor);
    await button().hover();
    expect(await cursor()).toBe('pointer');
    await tab.evaluate(() => {
      const element = document.querySelector('pay-button')!;
      element.addEventListener('pay-start', (event) => event.waitUntil(new Promise(() => {})));
      void element.pay();
    });
    await expect.poll(background).toBe(rest);
    expect(await cursor()).toBe('progress');
    await tab.evaluate(() => {
      const element = document.querySelector('pay-button')!;
      element.cancel();
      element.disabled = true;
    });
    await expect.poll(cursor).toBe('not-allowed');
  });
});
