import axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { chromiumArguments, findChromium } from '../../../scripts/find-chromium.ts';

/** A page in a fresh profile, and everything that went wrong in it so far. */
export interface OpenedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Gives the tests of a file one Chromium; each page has a profile of its own. */
export function useChromium(): (options?: BrowserContextOptions) => Promise<OpenedPage> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = findChromium();
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [...chromiumArguments],
    });
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  afterAll(() => browser?.close());
  return async (options = {}) => {
    if (browser === undefined) throw new Error('The browser was not started.');
    const context = await browser.newContext({
      extraHTTPHeaders: { 'x-actor': 'Noura' },
      ...options,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    return { page, complaints };
  };
}

/** What axe finds on a page, as short lines. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const inPage = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations } = await inPage.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
