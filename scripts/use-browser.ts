import type { Browser, BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type OpenedPage, openPage, startBrowser } from './browser.ts';

type Open = (options?: BrowserContextOptions) => Promise<OpenedPage>;

/**
 * Gives the tests of a file one browser. `open` gives a page in a fresh profile, which ends with the
 * test. `reuse` gives a page that an earlier test of the file is done with, without its cookies: a
 * fresh profile takes longer than most tests do. What else a test sets in its page, it takes back.
 */
export function useBrowser(
  defaults: BrowserContextOptions = {},
  start: () => Promise<Browser> = startBrowser,
): { readonly open: Open; readonly reuse: Open } {
  let browser: Browser | undefined;
  const idle = new Map<string, OpenedPage>();
  beforeAll(async () => {
    browser = await start();
  });
  afterAll(async () => {
    idle.clear();
    await browser?.close();
  });

  const openAnew: Open = (options) => {
    if (browser === undefined) throw new Error('The browser has not started.');
    return openPage(browser, { ...defaults, ...options });
  };
  return {
    open: async (options) => {
      const opened = await openAnew(options);
      onTestFinished(() => opened.page.context().close());
      return opened;
    },
    reuse: async (options = {}) => {
      const key = JSON.stringify(options);
      const opened = idle.get(key) ?? (await openAnew(options));
      idle.delete(key);
      const { page, complaints } = opened;
      const size = page.viewportSize();
      onTestFinished(async () => {
        await page.goto('about:blank');
        await page.context().clearCookies();
        if (size !== null) await page.setViewportSize(size);
        complaints.length = 0;
        idle.set(key, opened);
      });
      return opened;
    },
  };
}
