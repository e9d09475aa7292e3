import { expect, test } from 'vitest';
import { challengeCard, createLink, send, startForTest } from '../../testing/sandbox-for-test.ts';

const finjan = { en: 'Finjan', ar: 'فنجان' };

const pageAt = async (address: string) => (await send(address)).text;
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '');
const titleOf = (page: string) => /<title>([^<]*)</.exec(page)?.[1];
const merchantOf = (page: string) => /data-test="merchant"[^>]*>(?:<bdi>)?([^<]*)</.exec(page)?.[1];

/** The text from the first element of a class up to an end tag. */
const textIn = (page: string, className: string, end: string) =>
  textOf(new RegExp(`<[^>]* class="(?:[^"]* )?${className}"[^]*?</${end}>`).exec(page)?.[0] ?? '');

test.each(['en', 'ar'] as const)(
  'in %s a shopper reads the merchant’s name on every page of the payment, and never the shop’s host',
  async (lang) => {
    const sandbox = await startForTest({ merchant: finjan });
    const link = await createLink(sandbox, {
      successUrl: 'http://localhost:9/thanks',
      failureUrl: 'http://127.0.0.1:9/retry',
    });
    const hosted = await pageAt(`${link.redirectUrl}&lang=${lang}`);
    expect(textIn(hosted, 'apple-sheet', 'dl')).toContain(finjan[lang]);
    const { challenge } = await sandbox.control.pay(link.id, { card: { number: challengeCard } });
    const asking = await pageAt(`${sandbox.url}/challenge/${challenge?.id}?lang=${lang}`);
    for (const page of [hosted, asking]) {
      expect(titleOf(page)).toContain(finjan[lang]);
      expect(merchantOf(page)).toBe(finjan[lang]);
      expect(textOf(page)).not.toMatch(/localhost|127\.0\.0\.1/);
    }
  },
);

test.each([
  [undefined, 'Test shop', 'متجر تجريبي'],
  ['Qahwa & <Co>', 'Qahwa &amp; &lt;Co&gt;', 'Qahwa &amp; &lt;Co&gt;'],
])('a merchant that is named %s is called %s and %s in the HTML', async (merchant, ...names) => {
  const sandbox = await startForTest({ merchant });
  const { redirectUrl } = await createLink(sandbox);
  const pages = await Promise.all(
    ['en', 'ar'].map((lang) => pageAt(`${redirectUrl}&lang=${lang}`)),
  );
  expect(pages.map(merchantOf)).toEqual(names);
});

test.each(['', ' ', 'x'.repeat(61), 'Fin\u202ejan', { en: 'Finjan', ar: '' }])(
  'a merchant cannot be named %j',
  async (merchant) => {
    await expect(startForTest({ merchant })).rejects.toMatchObject({ code: 'invalid_option' });
  },
);

test.each([
  ['1001~2', '1001'],
  ['AB~12-3', 'AB~12-3'],
])('the order %s is shown as %s', async (merchantOrderId, shown) => {
  const sandbox = await startForTest();
  const page = await pageAt((await createLink(sandbox, { merchantOrderId })).redirectUrl);
  expect(/class="summary"[^]*?<dd>(.*?)<\/dd>/.exec(page)?.[1]).toBe(`<bdi>${shown}</bdi>`);
});

test('brands are written as they write themselves', async () => {
  const sandbox = await startForTest();
  for (const [index, number] of ['4111111111111111', '5123450000000008'].entries()) {
    const link = await createLink(sandbox, { merchantOrderId: `earlier-${index}` });
    await sandbox.control.pay(link.id, { card: { number } });
  }
  const page = await pageAt((await createLink(sandbox)).redirectUrl);
  const saved = textIn(page, 'saved-cards', 'ul');
  expect(saved).toMatch(/Visa/);
  expect(saved).toMatch(/Mastercard/);
  const drawer = textIn(page, 'drawer', 'details');
  expect(drawer).toMatch(/mada ·/);
  expect(`${saved}${drawer}`).not.toMatch(/visa|mastercard|MADA/);
});

test('a shopper’s page loads no style of the tools, and a tool none of the shopper’s', async () => {
  const sandbox = await startForTest();
  const stylesOf = async (address: string): Promise<string> => {
    const sheets = [...(await pageAt(address)).matchAll(/<link rel="stylesheet" href="([^"]+)"/g)];
    expect(sheets).toHaveLength(1);
    return pageAt(sandbox.url + sheets[0]?.[1]);
  };
  const shopper = await stylesOf((await createLink(sandbox)).redirectUrl);
  expect(shopper).toMatch(/\.checkout\b/);
  expect(shopper).not.toMatch(/\.(?:inspector|dashboard|moment|states)\b/);
  const tool = await stylesOf(`${sandbox.url}/_sandbox`);
  expect(tool).toMatch(/\.inspector\b/);
  expect(tool).not.toMatch(/\.(?:checkout|method-list|summary-amount)\b/);
});
