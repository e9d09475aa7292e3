import { expect, test } from 'vitest';
import { useBrowser } from '../../../../scripts/use-browser.ts';
import { htmlFindings } from '../../../../scripts/html-findings.ts';
import { everyPageState, testEveryPage } from '../testing/every-page-for-test.ts';
import { signInForTest } from '../testing/dashboard-for-test.ts';
import { send, startForTest, submitCard } from '../testing/sandbox-for-test.ts';

testEveryPage(useBrowser(), { lang: 'en', colorScheme: 'light', widths: [320, 1280] });

test('every page is valid HTML in both languages, with a description and no heading twice', async () => {
  const sandbox = await startForTest();
  const states = await everyPageState(sandbox);
  const { cookie } = await signInForTest(sandbox);
  const link = await sandbox.createLink({ merchantOrderId: 'wrong-fields' });
  const read = async (name: string, lang: string, address: string) => {
    const url = new URL(address);
    url.searchParams.set('lang', lang);
    return { name, lang, text: (await send(url.href, { headers: { cookie } })).text };
  };
  const refused = async (lang: string) => {
    const page = await submitCard({ redirectUrl: `${link.redirectUrl}&lang=${lang}` }, { cvv: '' });
    return { name: 'refused', lang, text: page.text };
  };
  const pages = ['en', 'ar'].flatMap((lang) => [
    ...states.map(([name, address]) => read(name, lang, address)),
    refused(lang),
  ]);
  for (const { name, lang, text } of await Promise.all(pages)) {
    expect(text, name).toContain(`<html lang="${lang}"`);
    expect(await htmlFindings(text), name).toEqual([]);
    const headings = [...text.matchAll(/<h[12][^>]*>([^]*?)<\/h[12]>/g)].map(([, said]) =>
      said?.replaceAll(/<[^>]*>|^.*: /g, '').trim(),
    );
    expect([...new Set(headings)], name).toEqual(headings);
    expect(text, name).toMatch(/<meta name="description" content="[^"]{20,}" \/>/);
  }
});
