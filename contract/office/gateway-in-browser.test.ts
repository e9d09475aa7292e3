import { expect, it } from 'vitest';
import {
  axeFindings,
  useChromium,
} from '../../packages/server-helper/test-support/office-browser.ts';
import { OfficeAtSandbox, WEBHOOK } from './at-sandbox.ts';

const open = useChromium();
const at = new OfficeAtSandbox();

it.each([
  { locale: 'en', colorScheme: 'dark', javaScriptEnabled: true },
  { locale: 'ar', colorScheme: 'light', javaScriptEnabled: true },
  { locale: 'ar', colorScheme: 'dark', javaScriptEnabled: false },
] as const)(
  'in $locale, scripts $javaScriptEnabled, a key is made by two presses, and axe finds nothing on the way',
  { timeout: 60_000 },
  async (options) => {
    await at.start({
      apiKey: [at.sandbox.apiKey, 'a-key-that-was-revoked'],
      profile: { operations: { createSdkToken: { path: '/nowhere' } } },
    });
    const { gateway } = at.shop.payments;
    await gateway.createWebhook({ url: WEBHOOK });
    await gateway.createSdkToken({ name: 'Till 3' }).catch(() => undefined);
    const { page } = await open(options);
    const look = async (): Promise<void> => {
      await page.setViewportSize({ width: 320, height: 800 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      // axe itself is a script.
      const findings = options.javaScriptEnabled ? await axeFindings(page) : [];
      expect([page.url(), width, findings]).toEqual([page.url(), 320, []]);
    };
    await page.goto(`${at.shop.url}gateway`);
    expect(await page.locator('[data-test="drift"]').count()).toBe(1);
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
