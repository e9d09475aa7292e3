import { expect, it } from 'vitest';
import { testOfficePages, useOfficePages } from '../../test-support/office-pages.ts';

const office = useOfficePages();
const { open, everyAddress, url } = office;

testOfficePages(office, [
  { locale: 'en', colorScheme: 'light', axeAt: 1280 },
  { locale: 'ar', colorScheme: 'dark', axeAt: null },
]);

it('what can be pressed is large enough, and shows when it has the focus', async () => {
  const { page } = await open({ viewport: { width: 390, height: 800 } });
  for (const address of everyAddress()) {
    await page.goto(address);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('a, button, input, select, summary')]
        .filter((one) => one.checkVisibility() && !one.matches('[type="hidden"], .skip'))
        .filter((one) => {
          const { width, height } = one.getBoundingClientRect();
          return width < 24 || height < 24;
        })
        .map((one) => one.outerHTML.slice(0, 120)),
    );
    expect([address, small]).toEqual([address, []]);
  }
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('skip');
});

it('times are in the reader’s own zone, and the server’s are beside them', async () => {
  const { page } = await open({ locale: 'en-GB', timezoneId: 'America/New_York' });
  await page.goto(`${url()}orders/1002`);
  const time = page.locator('time').first();
  expect(await time.textContent()).toMatch(/^31 Dec 2025.* 19:00$/);
  expect(await time.getAttribute('title')).toMatch(/^1 Jan 2026.* 03:00$/);
  expect(await page.locator('[data-zone]').textContent()).toBe('America/New_York');
});

it('the payment link is copied by one press, and the press is spoken', async () => {
  const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${url()}orders/1002`);
  await page.getByRole('button', { name: 'Copy Payment link' }).click();
  await page.getByRole('status').getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^https:\/\/shop\.example\/pay\/link\//);
});

it.each(['en', 'ar'])(
  'in %s everything works with scripts off, the language switch too',
  async (locale) => {
    const { page } = await open({ locale, javaScriptEnabled: false });
    await page.goto(`${url()}orders?state=pending`);
    await page.getByRole('link', { name: '1002' }).click();
    const other = locale === 'ar' ? 'en' : 'ar';
    await page.locator(`[data-test="lang-${other}"]`).click();
    const shown = [page.url(), await page.locator('html').getAttribute('lang')];
    expect(shown).toEqual([`${url()}orders/1002`, other]);
    await page.goto(`${url()}review`);
    expect(await page.locator('html').getAttribute('lang')).toBe(other);
    await page.goto(`${url()}orders/1002`);
    await page.locator('[data-test="confirm"]').click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('1002');
    await page.locator('[data-test="cancel"]').click();
    expect(page.url()).toBe(`${url()}orders/1002`);
  },
);

it('speaks the language of the switch, after an address asked for the other one too', async () => {
  const { page } = await open({ locale: 'en', colorScheme: 'light' });
  await page.goto(`${url()}orders?lang=ar`);
  await page.locator('[data-test="lang-en"]').click();
  for (const address of ['orders', '', 'orders/1001']) {
    await page.goto(`${url()}${address}`);
    expect(await page.locator('html').getAttribute('lang'), address).toBe('en');
  }
});
