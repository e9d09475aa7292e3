import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings } from '../../../scripts/browser.ts';
import { htmlFindings } from '../../../scripts/html-findings.ts';
import { useBrowser } from '../../../scripts/use-browser.ts';

const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

// The pictures of the documents have two pixels for each, so that their words are sharp.
const { open } = useBrowser({ viewport: { width: 1100, height: 800 }, deviceScaleFactor: 2 });
const root = fileURLToPath(new URL('../playground/', import.meta.url));
// Of port 0 Vite makes one that another process may take before it listens; from any other it goes on.
const port = 20_000 + Math.floor(10_000 * Math.random());
const playground = await createServer({ root, logLevel: 'warn', server: { port } });
await playground.listen();
afterAll(() => playground.close());
let tab: Page;

beforeEach(async () => {
  ({ page: tab } = await open());
  await tab.goto(playground.resolvedUrls?.local[0] ?? '');
  await tab.locator('html[data-ready]').waitFor();
});

/** Waits until every state is there, the link after three seconds too. */
async function everyState(): Promise<void> {
  await tab.locator('#gallery pay-button [part=link]').waitFor();
  await expect
    .poll(() =>
      tab.evaluate(() => [...document.querySelectorAll('pay-status')].every((e) => e.state)),
    )
    .toBe(true);
}

describe('the playground', { timeout: 60_000 }, () => {
  it.for([
    ['en', 'light', 'pay-button-states'],
    ['en', 'dark', 'pay-button-states-dark'],
    ['ar', 'dark', 'pay-button-states-arabic'],
  ] as const)('shows every state accessibly (%s, %s)', async ([language, scheme, picture]) => {
    if (language === 'ar') await tab.locator('#language').click();
    await tab.emulateMedia({ colorScheme: scheme });
    expect(await tab.getAttribute('html', 'lang')).toBe(language);
    await everyState();
    expect(await axeFindings(tab)).toEqual([]);
    expect(await htmlFindings(await tab.content())).toEqual([]);
    if (process.env['UPDATE_SCREENSHOTS'] !== '1') return;
    const gallery = tab.locator('section.wide');
    await gallery.screenshot({ path: `${images}${picture}.png`, animations: 'disabled' });
  });

  it('applies its controls to the button, and copies the HTML and the CSS that it prints', async () => {
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.locator('#control-variant').selectOption('outline');
    await tab.locator('#control---pay-button-radius').fill('999px');
    const button = tab.locator('#live').getByRole('button');
    const radius = await button.evaluate((element) => getComputedStyle(element).borderRadius);
    expect(radius).toBe('999px');
    const printed = { html: 'variant="outline"', css: '--pay-button-radius: 999px' };
    for (const [name, text] of Object.entries(printed)) {
      await tab.locator(`#copy-${name}`).click();
      await tab.locator(`#copied-${name}`).getByText('Copied').waitFor();
      const copied = await tab.evaluate(() => navigator.clipboard.readText());
      expect(copied).toBe(await tab.textContent(`#${name}`));
      expect(copied).toContain(text);
    }
  });

  it('logs every event with its fields', async () => {
    await tab.locator('#answer').selectOption('paid');
    await tab.locator('#live').getByRole('button').click();
    await tab.locator('#live').getByText('This order is already paid.').waitFor();
    const lines = await tab.locator('#log li').allTextContents();
    const error = 'pay-error {"code":"already_paid","outcome":"refused","retryable":false}';
    expect(lines[0]).toBe(error);
    expect(lines.some((line) => line.startsWith('pay-start {"orderId":"1001"}'))).toBe(true);
  });
});
