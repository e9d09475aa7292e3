import { type BrowserContext, expect, test as base } from '@playwright/test';
import { ShopProcess } from './shop-process.ts';
import { Shopper } from './shopper.ts';

/** Faults that a browser reports and a shopper may never notice. */
export interface BrowserFaults {
  /** Everything that went wrong on any page so far, one line each. */
  readonly seen: string[];
}

interface Fixtures {
  /** A shop and sandbox of this test's own. */
  readonly shop: ShopProcess;
  /** Someone with a browser in front of that shop. */
  readonly shopper: Shopper;
  /** Fails the test in the end unless it is empty; a test that provokes faults clears it. */
  readonly faults: BrowserFaults;
}

export const test = base.extend<Fixtures>({
  faults: async ({ context }, use) => {
    const faults: BrowserFaults = { seen: [] };
    watch(context, faults);
    await use(faults);
  },
  // Judged before the shop stops: a page that still loads its icon then would find nobody.
  shop: async ({ faults }, use) => {
    const shop = await ShopProcess.start();
    await use(shop);
    expect(faults.seen, 'console errors and failed requests').toEqual([]);
    await shop.stop();
  },
  shopper: async ({ page, shop }, use) => {
    await use(new Shopper(page, shop.url));
  },
});

export { expect };

/** Notes every console error, script error, failed request and refusal of a browser. */
function watch(context: BrowserContext, { seen }: BrowserFaults): void {
  context.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => seen.push(`script: ${error.error().message}`));
  context.on('requestfailed', (request) => {
    // A page that is left drops what it was still asking for.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') seen.push(`request: ${request.url()} ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) seen.push(`answer: ${response.status()} ${response.url()}`);
  });
}
