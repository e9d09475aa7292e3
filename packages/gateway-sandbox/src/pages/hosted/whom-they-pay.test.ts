import { expect, test } from 'vitest';
import { openPage, startShop, useBrowser } from '../../testing/browser-for-test.ts';
import { challengeCard, createLink, startForTest } from '../../testing/sandbox-for-test.ts';

useBrowser();

const by = (id: string) => `[data-test="${id}"]`;
const finjan = { en: 'Finjan', ar: 'فنجان' };

test.each(['en', 'ar'] as const)(
  'in %s a shopper reads the merchant’s name on every page of the payment, and never the shop’s host',
  async (lang) => {
    const sandbox = await startForTest({ merchant: finjan });
    const shop = await startShop();
    const link = await createLink(sandbox, shop);
    const { page } = await openPage();
    await page.goto(`${link.redirectUrl}&lang=${lang}`);
    expect(await page.title()).toContain(finjan[lang]);
    expect(await page.textContent(by('merchant'))).toBe(finjan[lang]);
    await page.click(by('pay-apple'));
    expect(await page.textContent('.apple-sheet')).toContain(finjan[lang]);
    expect(await page.textContent('body')).not.toMatch(/localhost|127\.0\.0\.1/);
    const { challenge } = await sandbox.control.pay(link.id, { card: { number: challengeCard } });
    await page.goto(`${sandbox.url}/challenge/${challenge?.id}?lang=${lang}`);
    expect(await page.title()).toContain(finjan[lang]);
    expect(await page.textContent(by('merchant'))).toBe(finjan[lang]);
    expect(await page.textContent('body')).not.toMatch(/localhost|127\.0\.0\.1/);
  },
);

test.each([
  [undefined, 'Test shop', 'متجر تجريبي'],
  ['Qahwa & <Co>', 'Qahwa & <Co>', 'Qahwa & <Co>'],
])('a merchant that is named %s is called %s and %s', async (merchant, english, arabic) => {
  const sandbox = await startForTest({ merchant });
  const { redirectUrl } = await createLink(sandbox);
  const { page } = await openPage();
  for (const [lang, name] of [
    ['en', english],
    ['ar', arabic],
  ] as const) {
    await page.goto(`${redirectUrl}&lang=${lang}`);
    expect(await page.textContent(by('merchant'))).toBe(name);
  }
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
  const { redirectUrl } = await createLink(sandbox, { merchantOrderId });
  const { page } = await openPage();
  await page.goto(redirectUrl);
  expect(await page.textContent('.summary dd')).toBe(shown);
});

test('brands are written as they write themselves', async () => {
  const sandbox = await startForTest();
  for (const [index, number] of ['4111111111111111', '5123450000000008'].entries()) {
    const link = await createLink(sandbox, { merchantOrderId: `earlier-${index}` });
    await sandbox.control.pay(link.id, { card: { number } });
  }
  const { page } = await openPage();
  await page.goto((await createLink(sandbox)).redirectUrl);
  const saved = await page.textContent('.saved-cards');
  expect(saved).toMatch(/Visa/);
  expect(saved).toMatch(/Mastercard/);
  const drawer = await page.textContent('.drawer');
  expect(drawer).toMatch(/mada ·/);
  expect(`${saved}${drawer}`).not.toMatch(/visa|mastercard|MADA/);
});

test('the amount’s card is as high as its content', async () => {
  const sandbox = await startForTest();
  const { page } = await openPage({ viewport: { width: 1280, height: 800 } });
  await page.goto((await createLink(sandbox)).redirectUrl);
  const empty = await page.evaluate(() => {
    const card = document.querySelector('.summary')!;
    const texts = [...card.children].map((part) => part.getBoundingClientRect());
    const gaps = texts.slice(1).map((part, index) => part.top - (texts[index]?.bottom ?? 0));
    const below = card.getBoundingClientRect().bottom - (texts.at(-1)?.bottom ?? 0);
    return Math.max(...gaps, below);
  });
  expect(empty).toBeLessThan(40);
});

test('a shopper’s page loads no style of the tools, and a tool none of the shopper’s', async () => {
  const sandbox = await startForTest();
  const { page } = await openPage();
  const rules = () =>
    page.evaluate(() =>
      [...document.styleSheets].flatMap(({ cssRules }) =>
        [...cssRules].map(({ cssText }) => cssText),
      ),
    );
  await page.goto((await createLink(sandbox)).redirectUrl);
  expect((await rules()).join('\n')).not.toMatch(/\.(?:inspector|dashboard|moment|states)\b/);
  await page.goto(`${sandbox.url}/_sandbox`);
  expect((await rules()).join('\n')).not.toMatch(/\.(?:checkout|method-list|summary-amount)\b/);
});
