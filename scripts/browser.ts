import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright';
import { chromiumLaunch } from './find-chromium.ts';

/** Starts this machine's Chromium, without a window. */
export const startBrowser = (more: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ ...chromiumLaunch(), ...more });

/** A page in a profile of its own, and everything that went wrong in it so far. */
export type OpenedPage = Awaited<ReturnType<typeof openPage>>;

export async function openPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  return { page, complaints };
}

/** Half as long as `axe.source`, and every page reads it anew. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** What axe finds on a page, the shadow trees of elements included, as short lines. */
export async function axeFindings(page: Page, options: axe.RunOptions = {}) {
  // The browser's debugger evaluates both, so a strict content policy of the page stays as it is.
  await page.evaluate(axeSource);
  return page.evaluate(
    async (runOptions) => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(
        runOptions,
      );
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    { resultTypes: ['violations'], ...options } satisfies axe.RunOptions,
  );
}

/** By how much a page is wider than a window of this width. */
export async function overflowAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 });
  // A page that a form has just opened may not have its first element yet.
  const html = page.locator('html');
  return html.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}
