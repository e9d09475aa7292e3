import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../../../scripts/use-browser.ts';
import { payLink, post } from '../../testing/embedded-for-test.ts';
import { startForTest } from '../../testing/sandbox-for-test.ts';

const { reuse } = useBrowser();

const phone = { width: 390, height: 844 };
const by = (id: string) => `[data-test="${id}"]`;

/** The panels that the page shows, by their names. */
const shown = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.inspector-columns [data-live]')]
      .filter((part) => part.checkVisibility())
      .map(({ dataset }) => dataset['live']),
  );

test('on a phone the inspector shows one view at a time, and keeps it after a form', async () => {
  const sandbox = await startForTest();
  await payLink(sandbox);
  const { page, complaints } = await reuse({ viewport: phone });
  await page.goto(`${sandbox.url}/_sandbox`);
  expect(await shown(page)).toEqual(['sessions']);
  await page.focus(by('view-payments'));
  await page.keyboard.press('ArrowRight');
  expect(await shown(page)).toEqual(['deliveries']);
  await page.click(by('view-tools'));
  expect(await shown(page)).toEqual(['clock', 'faults', 'addresses']);
  await page.click('[value="freeze"]');
  await page.waitForSelector('[value="resume"]');
  expect(await shown(page)).toEqual(['clock', 'faults', 'addresses']);
  await page.click(by('view-timeline'));
  await page.click('.moment a[href^="#"] >> nth=0');
  expect(await shown(page)).toEqual(['requests']);
  expect(complaints).toEqual([]);
});

test('a wide window and a phone without scripts show every panel', async () => {
  const sandbox = await startForTest();
  for (const options of [{}, { viewport: phone, javaScriptEnabled: false }]) {
    const { page } = await reuse(options);
    await page.goto(`${sandbox.url}/_sandbox`);
    expect(await shown(page)).toHaveLength(7);
    expect(await page.isVisible('.views')).toBe(false);
  }
});

test.each(['en', 'ar'])(
  'in %s the current state of a payment is in view on a phone',
  async (lang) => {
    const sandbox = await startForTest();
    const { transactionId } = await payLink(sandbox);
    await post(sandbox, '/payment/s2s/refund', { transactionId, amount: 115 });
    await sandbox.control.advanceClock({ by: 'PT1H' });
    const { page } = await reuse({ viewport: phone });
    await page.goto(`${sandbox.url}/_sandbox?lang=${lang}`);
    await expect.poll(() => isInView(page)).toBe('state state-lit state-refunded');
  },
);

/** The current state's class while its box is within the drawing's frame. */
const isInView = (page: Page) =>
  page.evaluate(() => {
    const state = document.querySelector('.state-lit')!;
    const box = state.getBoundingClientRect();
    const frame = state.closest('.scroller')!.getBoundingClientRect();
    return box.left >= frame.left && box.right <= frame.right && state.getAttribute('class');
  });
