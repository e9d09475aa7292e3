import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { axeFindings, overflowAt } from '../../scripts/browser.ts';
import { useBrowser } from '../../scripts/use-browser.ts';
import { OfficeOfShop, WEBHOOK } from './shop.ts';

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

const { open, reuse } = useBrowser({ extraHTTPHeaders: { 'x-actor': 'Noura' } });
const shop = new OfficeOfShop();

const press = (page: Page, test: string): Promise<void> =>
  page.locator(`[data-test="${test}"]`).click();

const noticeOn = (page: Page): Promise<string | null> =>
  page.locator('[data-test="notice"]').getAttribute('data-notice');

it('in Arabic, the money of an old price is accepted with scripts off, with a reason', async () => {
  await shop.paidAtAnOldPrice('1001');
  const { page } = await reuse({ locale: 'ar', javaScriptEnabled: false });
  await page.goto(`${shop.url}review`);
  await press(page, 'accept');
  expect(await shop.state('1001')).toBe('review');
  await page.locator('[data-test="why"]').fill('العميل يدفع الباقي في المتجر');
  await press(page, 'confirm-accept');
  expect(await noticeOn(page)).toBe('accepted');
  expect(await page.locator('[data-test="review-empty"]').isVisible()).toBe(true);
  await page.goto(`${shop.url}orders/1001`);
  expect(await page.locator('[data-test="order-state"]').getAttribute('data-state')).toBe('paid');
});

it.each([
  { locale: 'en', colorScheme: 'light', javaScriptEnabled: true, widths: [320, 1280] },
  { locale: 'ar', colorScheme: 'dark', javaScriptEnabled: true, widths: [1280, 320] },
  { locale: 'ar', colorScheme: 'light', javaScriptEnabled: false, widths: [1280, 320] },
] as const)(
  'in $locale, scripts $javaScriptEnabled, a key is made by two presses, and axe finds nothing on the way',
  { timeout: patienceMs },
  async ({ widths, ...options }) => {
    await shop.reopen({ gateway: { apiKey: [shop.tenant.apiKey, 'a-key-that-was-revoked'] } });
    const { gateway } = shop.payments;
    await gateway.createWebhook({ url: WEBHOOK });
    await gateway.createSdkToken({ name: 'Till 3' });
    const { page } = await open(options);
    const look = async (): Promise<void> => {
      const wider: number[] = [];
      for (const width of widths) wider.push(await overflowAt(page, width));
      // axe itself is a script.
      const findings = options.javaScriptEnabled ? await axeFindings(page) : [];
      expect([page.url(), findings, wider]).toEqual([page.url(), [], [0, 0]]);
    };
    await page.goto(`${shop.url}gateway`);
    await page.locator('summary').first().click();
    await look();
    await page.locator('[data-test="key-rotate"]').click();
    await look();
    await page.locator('[data-test="confirm-rotate-key"]').click();
    const secret = (await page.locator('[data-test="secret"]').textContent()) ?? '';
    expect(secret.trim()).toMatch(/^sandbox_staging_\w{32}$/);
    expect(page.url()).not.toContain(secret.trim());
    await look();
  },
);
