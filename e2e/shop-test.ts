import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { type ControlClient, createControlClient } from '@pay-button/gateway-sandbox';
import { axeFindings } from '../scripts/browser.ts';
import { Admin } from './admin.ts';
import { ShopProcess } from './shop-process.ts';
import { Shopper } from './shopper.ts';

interface Shared {
  /** A shop with its sandbox, shared by the tests of one worker: each is another visitor. */
  readonly sharedShop: ShopProcess;
}

interface Fixtures {
  /** Whether the test gets a shop of its own, because it kills it. @defaultValue `false` */
  readonly killsShop: boolean;
  /** The shop that the test is about. */
  readonly shop: ShopProcess;
  /** The sandbox's control. What a test has turned there is turned back after it. */
  readonly control: ControlClient;
  /** A shopper's browser at that shop. */
  readonly shopper: Shopper;
  /** The shop's operator, in the same browser. */
  readonly admin: Admin;
  /** Fails the test in the end unless it is empty; a test that provokes faults clears it. */
  readonly faults: BrowserFaults;
}

export const test = base.extend<Fixtures, Shared>({
  killsShop: [false, { option: true }],
  sharedShop: [
    async ({ browser: _browser }, use) => {
      const shop = await ShopProcess.start();
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker' },
  ],
  faults: async ({ context }, use) => {
    const faults = watchFaults(context);
    await use(faults);
    expect(faults.seen, 'console errors and failed requests').toEqual([]);
  },
  shop: async ({ killsShop, sharedShop }, use, testInfo) => {
    const shop = killsShop ? await ShopProcess.start() : sharedShop;
    shop.takeLog();
    await use(shop);
    const body = shop.takeLog();
    if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('shop.log', { body });
    if (killsShop) await shop.stop();
  },
  control: async ({ shop }, use) => {
    await use(createControlClient(shop.sandboxUrl));
    const emptied = await fetch(`${shop.url}/qa/reset`, { method: 'POST', redirect: 'manual' });
    expect(emptied.headers.get('location')).toContain('qa=emptied');
  },
  // Faults are judged while the shop is still there: a page may be loading its icon.
  shopper: async ({ page, shop, faults: _faults }, use) => {
    await use(new Shopper(page, shop.url));
  },
  admin: async ({ page, shop, faults: _faults }, use) => {
    await use(new Admin(page, shop));
  },
});

/** Expects that axe finds nothing against the open page, the elements' shadow trees included. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page), page.url()).toEqual([]);
}

/** How many payment links the gateway was asked for, of one order. */
export async function countPaymentLinks(control: Pick<ControlClient, 'requests'>, orderId: string) {
  const requests = await control.requests({ operation: 'createPaymentLink' });
  return requests.filter(({ merchantOrderId }) => merchantOrderId?.startsWith(`${orderId}~`))
    .length;
}

/** Faults that a browser reports and a shopper may never notice. */
interface BrowserFaults {
  /** Everything that went wrong on any page so far, one line each. */
  readonly seen: string[];
}

/** Notes every console error, script error, failed request and refusal of a browser. */
function watchFaults(context: BrowserContext): BrowserFaults {
  const seen: string[] = [];
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
  return { seen };
}

export { expect };
