import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, overflowAt } from '../../../../scripts/browser.ts';
import { htmlFindings } from '../../../../scripts/html-findings.ts';
import { useBrowser } from '../../../../scripts/use-browser.ts';
import * as records from '../../test-support/office-records.ts';
import { put, startOfficeShop } from '../../test-support/office-shop.ts';
import type { OfficeShop, OfficeShopOptions } from '../../test-support/office-shop.ts';
import { OfficeVisitor } from '../../test-support/office-visitor.ts';
import { NOW } from '../../test-support/records.ts';

const { anOrder, HOSTILE } = records;
const hostile = encodeURIComponent(HOSTILE);

const matter = (action: string, id: string): string =>
  `review/${action}?${new URLSearchParams({ id }).toString()}`;

/** Every page, by what it shows, and every address at which it looks another way. */
const everyAddress: readonly (readonly [string, string])[] = [
  ['the overview', ''],
  ['the figures of a year', '?since=2026-01-01&until=2026-12-31'],
  ['the figures of a strange span', `?since=${hostile}&until=${hostile}`],
  ['a strange notice', `?notice=${hostile}`],
  ['a notice', 'orders/1002?notice=confirmed_changed'],
  ['the orders', 'orders'],
  ['a search', 'orders?q=3001'],
  ['a hostile search', `orders?q=${hostile}`],
  ['a strange cursor', `orders?q=${hostile}&cursor=x`],
  ['a strange filter', `orders?from=${hostile}&amount=${hostile}&state=${hostile}`],
  ['a paid order', 'orders/1001'],
  ['an order that can be paid', 'orders/1002'],
  ['an order in review', 'orders/2001'],
  ['a hostile order', 'orders/3001'],
  ['a question', 'orders/1002/confirm'],
  ['the question of a refund', 'orders/1001/refund?amount=20'],
  ['a refund of no amount', `orders/1001/refund?amount=${hostile}`],
  ['the question of giving up', 'orders/1002/cancel'],
  ['the question of the end of a review', matter('resolve', '2001/amount_mismatch/t-2001')],
  ['the question of a lost operation', matter('happened', '1004/unknown_outcome/request/r-4')],
  ['the question of an approval', matter('approve', 'request/r-5')],
  ['the question of a withdrawal', matter('withdraw', 'request/r-5')],
  ['the question of an event', matter('redeliver', '1001/paid')],
  ['the question of a hostile review', matter('resolve', `3001/no_evidence/${HOSTILE}`)],
  ['the question of a hostile event', matter('redeliver', `3001/${HOSTILE}`)],
  ['no order', `orders/${hostile}`],
  ['the review list', 'review'],
  ['the gateway', 'gateway'],
  ['no page', `nowhere/${hostile}`],
];

/** A shop with an order in each state that a page shows in a way of its own. */
async function startFullShop(office: Required<OfficeShopOptions>['office']) {
  const shop = await startOfficeShop({ office });
  const paid = anOrder('1001', 'partially_refunded');
  const money = { orderId: '1001', currency: 'SAR', recordedAt: NOW } as const;
  const movements = [
    { ...money, kind: 'taken', minorUnits: 123_456_789_00, confirmMs: 90_000 },
    { ...money, kind: 'refunded', minorUnits: 2_000, confirmMs: null },
  ] as const;
  await put(shop, { ...paid, events: [records.anEvent('1001')] }, movements);
  for (const order of [
    anOrder('1002', 'pending'),
    records.anOrderInReview('2001', 'amount_mismatch'),
    records.anOrderInReview('2002', 'unknown_outcome'),
    records.aHostileOrder('3001'),
    records.anOrderWithOperation('1004', 'request/r-4', 'unknown'),
    records.anOrderWithOperation('1005', 'request/r-5', 'proposed'),
  ]) {
    await put(shop, order);
  }
  await records.letEventsDie(shop.store);
  return shop;
}

describe.each(['en', 'ar'])('in %s, every page', (lang) => {
  let shop: OfficeShop;
  let visitor: OfficeVisitor;
  beforeAll(async () => {
    shop = await startFullShop({
      actor: () => HOSTILE,
      describeOrder: () => ({
        title: HOSTILE,
        customer: HOSTILE,
        url: 'javascript:alert(1)',
        lines: [HOSTILE, 7 as unknown as string],
      }),
    });
    visitor = new OfficeVisitor(shop, { 'accept-language': lang });
  });
  afterAll(() => shop.close());

  it.each(everyAddress)(
    'with %s is valid, escapes what strangers wrote, loads nothing from elsewhere and is kept nowhere',
    async (what, path) => {
      const answer = await visitor.get(path);
      const text = await answer.text();
      if (what.startsWith('the question')) expect(text).toContain('<form method="post"');
      if (what === 'a hostile order') expect(text).toContain('&lt;script&gt;alert(1)');
      expect(await htmlFindings(text)).toEqual([]);
      const dir = lang === 'ar' ? 'rtl' : 'ltr';
      expect(text).toMatch(new RegExp(`<html\\s+lang="${lang}"\\s+dir="${dir}"`));
      expect(text).not.toMatch(/<script>|<img|javascript:|undefined|\[object|NaN|\u202E/);
      expect(text.match(/<script[^>]*>/g)).toHaveLength(1);
      const address = /<(?:script|link|img|iframe|form)[^>]*\s(?:src|href|action)="([^"]*)"/g;
      const loaded = [...text.matchAll(address)];
      expect(loaded).not.toHaveLength(0);
      for (const [, to = ''] of loaded) expect(to).toMatch(/^(?:\.\.?\/|data:image\/svg)/);
      const policy =
        /^default-src 'none'; style-src 'self'; script-src 'self'; .*frame-ancestors 'none'$/;
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-security-policy': expect.stringMatching(policy) as string,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
      });
    },
  );
});

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

const { open } = useBrowser({ extraHTTPHeaders: { 'x-actor': 'Noura' } });
let shop: OfficeShop;
let empty: OfficeShop;
beforeAll(async () => {
  const described = { title: '3 × coffee', customer: 'نورة', lines: ['Coffee'], url: '/x' };
  shop = await startFullShop({ describeOrder: () => described });
  empty = await startOfficeShop();
});
afterAll(async () => {
  await shop.close();
  await empty.close();
});

const shownAddresses = (): readonly string[] => [
  ...everyAddress.map(([, address]) => `${shop.url}${address}`),
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
    for (const address of shownAddresses()) {
      await openAll(page, address);
      for (const width of [1280, 320]) {
        const wider = await overflowAt(page, width);
        const findings = width === axeAt ? await axeFindings(page) : [];
        expect([address, width, findings, wider]).toEqual([address, width, [], 0]);
      }
    }
    // The browser itself reports the page that does not exist, and what was asked wrongly.
    expect(complaints.filter((one) => !/ 400 | 404 | 422 /.test(one))).toEqual([]);
  },
);

it('what can be pressed is large enough, and shows when it has the focus', async () => {
  const { page } = await open({ viewport: { width: 390, height: 800 } });
  for (const address of shownAddresses()) {
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

it.each(['en', 'ar'])('in %s all works with scripts off, the switch too', async (locale) => {
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
});

it('speaks the language of the switch, after an address asked for the other one too', async () => {
  const { page } = await open({ locale: 'en', colorScheme: 'light' });
  await page.goto(`${shop.url}orders?lang=ar`);
  await page.locator('[data-test="lang-en"]').click();
  for (const address of ['orders', '', 'orders/1001']) {
    await page.goto(`${shop.url}${address}`);
    expect(await page.locator('html').getAttribute('lang'), address).toBe('en');
  }
});
