import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { htmlFindings } from '../../../../scripts/html-findings.ts';
import { axeFindings, openPage, useBrowser } from '../testing/browser-for-test.ts';
import { dashboardCookie, everyPageState } from '../testing/every-page-for-test.ts';
import { signInForTest } from '../testing/dashboard-for-test.ts';
import { createLink, send, startForTest, submitCard } from '../testing/sandbox-for-test.ts';

useBrowser();

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

test.each([
  { lang: 'en', colorScheme: 'light' },
  { lang: 'ar', colorScheme: 'dark' },
] as const)(
  'in $lang, $colorScheme, axe finds nothing on any page, none is wider than its window, and none asks elsewhere',
  { timeout: patienceMs },
  async ({ lang, colorScheme }) => {
    const sandbox = await startForTest();
    const states = await everyPageState(sandbox);
    const { page, complaints } = await openPage({ colorScheme });
    await page.context().addCookies([await dashboardCookie(sandbox)]);
    const strangers: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(sandbox.url)) strangers.push(request.url());
    });
    for (const { name, address, act } of states) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${lang}`);
      await act?.(page);
      const wide = await overflowAt(page, 1280);
      const narrow = await overflowAt(page, 320);
      expect([name, await axeFindings(page), wide, narrow]).toEqual([name, [], 0, 0]);
    }
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  },
);

test.each(['en', 'ar'])('in %s, every page is valid HTML, with a description', async (lang) => {
  const sandbox = await startForTest();
  const states = await everyPageState(sandbox);
  const { cookie } = await signInForTest(sandbox);
  const pages = states.map(async ({ name, address }) => {
    const url = new URL(address);
    url.searchParams.set('lang', lang);
    return [name, (await send(url.href, { headers: { cookie } })).text] as const;
  });
  const link = await createLink(sandbox, { merchantOrderId: 'wrong-fields' });
  const refused = await submitCard(
    { redirectUrl: `${link.redirectUrl}&lang=${lang}` },
    { cvv: '' },
  );
  for (const [name, text] of [...(await Promise.all(pages)), ['refused', refused.text] as const]) {
    expect(text, name).toContain(`<html lang="${lang}"`);
    expect(await htmlFindings(text), name).toEqual([]);
    expect(text, name).toMatch(/<meta name="description" content="[^"]{20,}" \/>/);
  }
});

/** By how much the page is wider than a window of this width. */
async function overflowAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

test('the ways to pay and the challenge can be worked by keyboard alone', async () => {
  const sandbox = await startForTest();
  await submitCard(await createLink(sandbox, { merchantOrderId: 'earlier' }));
  const { page } = await openPage();
  await page.goto((await createLink(sandbox)).redirectUrl);
  await page.focus('[data-test="pay-card"]');
  await page.keyboard.press('ArrowDown');
  expect(await page.isChecked('[data-test="pay-apple"]')).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect(await page.isChecked('[data-test="pay-saved"]')).toBe(true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4508750015741019');
  for (const text of ['1239', '123', 'Noura']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/challenge\//);
  await page.focus('[data-test="otp"]');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-test="challenge-error"]:focus');
});
