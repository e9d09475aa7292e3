import { expect, test } from 'vitest';
import { axeFindings, overflowAt } from '../../../../scripts/browser.ts';
import { useBrowser } from '../../../../scripts/use-browser.ts';
import { htmlFindings } from '../../../../scripts/html-findings.ts';
import { dashboardCookie, everyPageState } from '../testing/every-page-for-test.ts';
import { signInForTest } from '../testing/dashboard-for-test.ts';
import { createLink, send, startForTest, submitCard } from '../testing/sandbox-for-test.ts';

const { open } = useBrowser();

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

test.each([
  { lang: 'en', colorScheme: 'light', widths: [320, 1280] },
  { lang: 'ar', colorScheme: 'dark', widths: [1280, 320] },
] as const)(
  'in $lang, $colorScheme, axe finds nothing on any page, none is wider than its window, and none asks elsewhere',
  { timeout: patienceMs },
  async ({ lang, colorScheme, widths }) => {
    const sandbox = await startForTest();
    const states = await everyPageState(sandbox);
    const { page, complaints } = await open({ colorScheme });
    await page.context().addCookies([await dashboardCookie(sandbox)]);
    const strangers: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(sandbox.url)) strangers.push(request.url());
    });
    for (const { name, address, act } of states) {
      // A phone shows the inspector's tools in a view of their own.
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${lang}`);
      await act?.(page);
      const wider: number[] = [];
      for (const width of widths) wider.push(await overflowAt(page, width));
      expect([name, await axeFindings(page), wider]).toEqual([name, [], [0, 0]]);
    }
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  },
);

test('every page is valid HTML in both languages, with a description', async () => {
  const sandbox = await startForTest();
  const states = await everyPageState(sandbox);
  const { cookie } = await signInForTest(sandbox);
  const link = await createLink(sandbox, { merchantOrderId: 'wrong-fields' });
  const read = async (name: string, lang: string, address: string) => {
    const url = new URL(address);
    url.searchParams.set('lang', lang);
    return { name, lang, text: (await send(url.href, { headers: { cookie } })).text };
  };
  const pages = ['en', 'ar'].flatMap((lang) => [
    ...states.map(({ name, address }) => read(name, lang, address)),
    submitCard({ redirectUrl: `${link.redirectUrl}&lang=${lang}` }, { cvv: '' }).then(
      ({ text }) => ({ name: 'refused', lang, text }),
    ),
  ]);
  for (const { name, lang, text } of await Promise.all(pages)) {
    expect(text, name).toContain(`<html lang="${lang}"`);
    expect(await htmlFindings(text), name).toEqual([]);
    expect(text, name).toMatch(/<meta name="description" content="[^"]{20,}" \/>/);
  }
});
