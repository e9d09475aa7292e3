import { expect, it } from 'vitest';
import { axeFindings, overflowAt } from '../../scripts/browser.ts';
import { useBrowser } from '../../scripts/use-browser.ts';
import { OfficeOfShop, WEBHOOK } from './shop.ts';

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

const { open } = useBrowser({ extraHTTPHeaders: { 'x-actor': 'Noura' } });
const shop = new OfficeOfShop();

it.each([
  { locale: 'en', colorScheme: 'light', javaScriptEnabled: true, widths: [320, 1280] },
  { locale: 'ar', colorScheme: 'dark', javaScriptEnabled: true, widths: [1280, 320] },
  { locale: 'ar', colorScheme: 'light', javaScriptEnabled: false, widths: [1280, 320] },
] as const)(
  'in $locale, scripts $javaScriptEnabled, a key is made by two presses, and axe finds nothing on the way',
  { timeout: patienceMs },
  async ({ widths, ...options }) => {
    await shop.reopen({
      gateway: { apiKey: [shop.tenant.apiKey, 'a-key-that-was-revoked'] },
    });
    const { gateway } = shop;
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
