import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import { chromium } from 'playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { chromiumArguments, findChromium } from '../../../../scripts/find-chromium.ts';

let browser: Browser | null = null;
const closing: (() => Promise<void>)[] = [];

/** Gives the tests of a file one real Chromium. */
export function useBrowser(): void {
  beforeAll(async () => {
    const executablePath = findChromium();
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [...chromiumArguments],
    });
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(async () => {
    await browser?.close();
  });
}

/** A page in a fresh profile, and everything that went wrong in it so far. */
export async function openPage(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  if (browser === null) throw new Error('Call useBrowser() in this file first.');
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  closing.push(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  return { page, complaints };
}

/** What axe finds on the page, as short lines. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const inPage = (globalThis as unknown as { axe: typeof axe }).axe;
    const { violations } = await inPage.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/** A shop of another origin, which says by its title which of its pages was reached. */
export async function startShop(): Promise<{ successUrl: string; failureUrl: string }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>shop ${request.url?.split('?')[0]}</title>`,
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    successUrl: `http://localhost:${port}/thanks?order=7&x=%20y#done`,
    failureUrl: `http://localhost:${port}/retry?order=7#again`,
  };
}
