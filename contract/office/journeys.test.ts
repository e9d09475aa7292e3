import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { axeFindings, overflowAt } from '../../scripts/browser.ts';
import { useBrowser } from '../../scripts/use-browser.ts';
import { OfficeOfShop } from './shop.ts';

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

const { reuse } = useBrowser({ extraHTTPHeaders: { 'x-actor': 'Noura' } });
let sandbox: Sandbox;
let shop: OfficeOfShop;
beforeAll(async () => void (sandbox = await startSandbox({ port: 0 })));
afterAll(() => sandbox.close());
beforeEach(async () => void (shop = await OfficeOfShop.open(sandbox)));
afterEach(() => shop.close());

const press = (page: Page, test: string): Promise<void> =>
  page.locator(`[data-test="${test}"]`).click();

const noticeOn = (page: Page): Promise<string | null> =>
  page.locator('[data-test="notice"]').getAttribute('data-notice');

it.each(['en', 'ar'])(
  'in %s, a refund with scripts off: typed wrongly, typed well, asked, done',
  async (locale) => {
    await shop.paid('1001');
    const { page } = await reuse({ locale, javaScriptEnabled: false });
    await page.goto(`${shop.url}orders/1001`);
    await page.locator('[data-test="refund-amount"]').fill('900');
    await press(page, 'refund');
    expect(await page.locator('[data-test="mistake"]').isVisible()).toBe(true);
    expect(await page.locator('[data-test="refund-amount"]').inputValue()).toBe('900');
    await page.locator('[data-test="refund-amount"]').fill('20');
    await press(page, 'refund');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('20.00');
    expect(await shop.sent('refund')).toBe(0);
    await press(page, 'cancel');
    await press(page, 'refund');
    await press(page, 'confirm-refund');
    expect(await noticeOn(page)).toBe('operation_pending');
    await page.reload();
    expect(await shop.sent('refund')).toBe(1);
    // All of it is on its way back.
    expect(await page.locator('[data-test="refund-amount"]').count()).toBe(0);
  },
);

it.each(['en', 'ar'])(
  'in %s, the money of an old price is accepted with scripts off, with a reason',
  async (locale) => {
    await shop.paidAtAnOldPrice('1001');
    const { page } = await reuse({ locale, javaScriptEnabled: false });
    await page.goto(`${shop.url}review`);
    await press(page, 'accept');
    expect(await shop.state('1001')).toBe('review');
    await page.locator('[data-test="why"]').fill('العميل يدفع الباقي في المتجر');
    await press(page, 'confirm-accept');
    expect(await noticeOn(page)).toBe('accepted');
    expect(await page.locator('[data-test="review-empty"]').isVisible()).toBe(true);
    await page.goto(`${shop.url}orders/1001`);
    expect(await page.locator('[data-test="order-state"]').getAttribute('data-state')).toBe('paid');
  },
);

/** Every confirmation page, and pages that say what was wrong. */
async function everyQuestion(): Promise<readonly string[]> {
  await shop.close();
  shop = await OfficeOfShop.open(sandbox, { approvals: { refundAbove: '50.00' } });
  await shop.paid('1001');
  await shop.letEventsDie();
  await shop.paidAtAnOldPrice('1002');
  await shop.sold('1003', 'authorize');
  await shop.control.addFault({ operation: 'sale', place: 'after-commit', kind: 'reset' });
  await shop.sold('1004', 'capture');
  await shop.sold('1005', 'capture');
  await shop.link('1006');
  await shop.paid('1007');
  const asked = { amount: '90.00', requestId: 'r-1', by: 'Omar', propose: true };
  await shop.payments.refund('1007', asked);
  const ofMatters = [
    ['1001', 'redeliver'],
    ['1002', 'accept'],
    ['1002', 'refund'],
    ['1002', 'resolve'],
    ['1004', 'happened'],
    ['1004', 'not-happened'],
    ['1007', 'approve'],
    ['1007', 'withdraw'],
  ] as const;
  return [
    'orders/1001',
    'orders/1003',
    'orders/1005',
    'review',
    'orders/1001/refund?amount=20',
    'orders/1001/refund?amount=60',
    'orders/1001/refund?amount=x',
    'orders/1003/capture?amount=50',
    'orders/1003/void',
    'orders/1005/charge?amount=50&period=2026-11',
    'orders/1006/cancel',
    'orders/1001?notice=operation_failed',
    'orders/1001?notice=operation_proposed',
    ...(await Promise.all(ofMatters.map(([order, name]) => shop.matter(order, name)))),
  ];
}

it.each([
  { locale: 'en', colorScheme: 'light', widths: [320, 1280] },
  { locale: 'ar', colorScheme: 'dark', widths: [1280, 320] },
] as const)(
  'in $locale, $colorScheme, axe finds nothing on any question, and none is wider than a phone or a desktop',
  { timeout: patienceMs },
  async ({ widths, ...options }) => {
    const addresses = await everyQuestion();
    const { page } = await reuse(options);
    for (const address of addresses) {
      const answer = await page.goto(shop.url + address);
      expect([address, [200, 422].includes(answer?.status() ?? 0)]).toEqual([address, true]);
      const wider: number[] = [];
      for (const width of widths) wider.push(await overflowAt(page, width));
      expect([address, await axeFindings(page), wider]).toEqual([address, [], [0, 0]]);
    }
  },
);
