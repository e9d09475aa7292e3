import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindings, overflowAt } from '../../../../scripts/browser.ts';
import { useBrowser } from '../../../../scripts/use-browser.ts';
import {
  aHostileOrder,
  anEvent,
  anOrder,
  anOrderInReview,
  anOrderWithOperation,
  letEventsDie,
} from '../../test-support/office-records.ts';
import { type OfficeShop, put, startOfficeShop } from '../../test-support/office-shop.ts';
import { NOW } from '../../test-support/records.ts';

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

const { open } = useBrowser({ extraHTTPHeaders: { 'x-actor': 'Noura' } });
let shop: OfficeShop;
let empty: OfficeShop;
beforeAll(async () => {
  shop = await startOfficeShop({
    office: {
      describeOrder: () => ({
        title: '3 × coffee',
        customer: 'نورة',
        lines: ['Coffee'],
        url: '/x',
      }),
    },
  });
  empty = await startOfficeShop();
  const paid = anOrder('1001', 'partially_refunded');
  const money = { orderId: '1001', currency: 'SAR', recordedAt: NOW } as const;
  const movements = [
    { ...money, kind: 'taken', minorUnits: 123_456_789_00, confirmMs: 90_000 },
    { ...money, kind: 'refunded', minorUnits: 2_000, confirmMs: null },
  ] as const;
  await put(shop, { ...paid, events: [anEvent('1001')] }, movements);
  await put(shop, anOrder('1002', 'pending'));
  await put(shop, anOrderInReview('2001', 'amount_mismatch'));
  await put(shop, anOrderInReview('2002', 'unknown_outcome'));
  await put(shop, aHostileOrder('3001'));
  await put(shop, anOrderWithOperation('1004', { id: 'request/r-4', state: 'unknown' }));
  await put(shop, anOrderWithOperation('1005', { id: 'request/r-5', state: 'proposed' }));
  await letEventsDie(shop.store);
});
afterAll(async () => {
  await shop.close();
  await empty.close();
});

/** Every page, and every address at which it looks another way. */
const everyAddress = (): readonly string[] => [
  ...[
    '',
    '?since=2026-01-01&until=2026-12-31',
    '?since=x',
    'orders',
    'orders?amount=x&from=y',
    'orders/1001',
    'orders/1002',
    'orders/3001',
    'orders/1002/confirm',
    'orders/1001/refund?amount=20',
    'orders/1001/refund?amount=x',
    'orders/1002/cancel',
    'review/resolve?id=2001/amount_mismatch/t-2001',
    'review/redeliver?id=1001/paid',
    'review/happened?id=1004/unknown_outcome/request/r-4',
    'review/approve?id=request/r-5',
    'review/withdraw?id=request/r-5',
    'orders/1002?notice=confirmed_changed',
    'review',
    'gateway',
    'nowhere',
  ].map((address) => `${shop.url}${address}`),
  ...['orders', 'review'].map((address) => `${empty.url}${address}`),
];

/** Opens a page, and all that is folded on it. */
async function openAll(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

it.each([
  { locale: 'en', colorScheme: 'light', axeAt: 1280 },
  { locale: 'ar', colorScheme: 'dark', axeAt: 320 },
] as const)(
  'in $locale, $colorScheme, no page is wider than a phone or a desktop, and axe at $axeAt finds nothing',
  { timeout: patienceMs },
  async ({ axeAt, ...options }) => {
    const { page, complaints } = await open(options);
    for (const address of everyAddress()) {
      await openAll(page, address);
      for (const width of [1280, 320]) {
        const wider = await overflowAt(page, width);
        const findings = width === axeAt ? await axeFindings(page) : [];
        expect([address, width, findings, wider]).toEqual([address, width, [], 0]);
      }
    }
    // The browser itself reports the page that does not exist, and what was typed wrongly.
    expect(complaints.filter((one) => !/ 404 | 422 /.test(one))).toEqual([]);
  },
);

it('what can be pressed is large enough, and shows when it has the focus', async () => {
  const { page } = await open({ viewport: { width: 390, height: 800 } });
  for (const address of everyAddress()) {
    await openAll(page, address);
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
  await page.goto(`${shop.url}orders/1002`);
  const time = page.locator('time').first();
  expect(await time.textContent()).toMatch(/^31 Dec 2025.* 19:00$/);
  expect(await time.getAttribute('title')).toMatch(/^1 Jan 2026.* 03:00$/);
  expect(await page.locator('[data-zone]').textContent()).toBe('America/New_York');
});

it('the payment link is copied by one press, and the press is spoken', async () => {
  const { page } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${shop.url}orders/1002`);
  await page.getByRole('button', { name: 'Copy Payment link' }).click();
  await page.getByRole('status').getByText('Copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^https:\/\/shop\.example\/pay\/link\//);
});

it.each(['en', 'ar'])(
  'in %s everything works with scripts off, the language switch too',
  async (locale) => {
    const { page } = await open({ locale, javaScriptEnabled: false });
    await page.goto(`${shop.url}orders?state=pending`);
    await page.getByRole('link', { name: '1002' }).click();
    const other = locale === 'ar' ? 'en' : 'ar';
    await page.locator(`[data-test="lang-${other}"]`).click();
    const shown = [page.url(), await page.locator('html').getAttribute('lang')];
    expect(shown).toEqual([`${shop.url}orders/1002`, other]);
    await page.goto(`${shop.url}review`);
    expect(await page.locator('html').getAttribute('lang')).toBe(other);
    await page.goto(`${shop.url}orders/1002`);
    await page.locator('[data-test="confirm"]').click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('1002');
    await page.locator('[data-test="cancel"]').click();
    expect(page.url()).toBe(`${shop.url}orders/1002`);
  },
);

it('speaks the language of the switch, after an address asked for the other one too', async () => {
  const { page } = await open({ locale: 'en', colorScheme: 'light' });
  await page.goto(`${shop.url}orders?lang=ar`);
  await page.locator('[data-test="lang-en"]').click();
  for (const address of ['orders', '', 'orders/1001']) {
    await page.goto(`${shop.url}${address}`);
    expect(await page.locator('html').getAttribute('lang'), address).toBe('en');
  }
});
