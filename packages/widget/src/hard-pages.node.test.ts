import type { Page } from 'playwright';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { useBrowser } from '../../../scripts/use-browser.ts';
import { startShop, startShoppersBrowser } from './testing/real-shop.ts';

/** The built files on difficult pages. */
const { open, reuse } = useBrowser({}, startShoppersBrowser);
const shop = await startShop();
afterAll(() => shop.close());
let tab: Page;

const script = '<script type="module" src="/pay-button.js"></script>';
const form = `<form method="post" action="/checkout">
  <input type="hidden" name="orderId" value="1"><button>Pay by form</button></form>`;
const payButton = (more = '', inside = form) =>
  `<pay-button endpoint="/checkout" order-id="1" amount="115.00" ${more}>${inside}</pay-button>`;

beforeEach(async () => {
  shop.asked.length = 0;
  ({ page: tab } = await reuse());
});

it.for([
  ['en', 'full-width message="below"'],
  ['ar', 'size="large" methods="mada visa"'],
] as const)('a late script shifts nothing, nor a button that fails (%s)', async ([lang, more]) => {
  const address = shop.page(
    `<link rel="stylesheet" href="/reserve.css">
    <script>
      document.documentElement.lang = '${lang}';
      window.shifts = [];
      new PerformanceObserver((list) => shifts.push(...list.getEntries().map((shift) => shift.value)))
        .observe({ type: 'layout-shift', buffered: true });
    </script>
    <script type="module" src="/pay-button.js?held"></script>
    ${payButton(more)}${payButton('', '')}<p>After the buttons</p>`,
  );
  await tab.goto(address, { waitUntil: 'commit' });
  const after = tab.getByText('After the buttons');
  await tab.getByText('Pay by form').waitFor();
  const before = await after.boundingBox();
  await shop.release();
  const buttons = tab.locator('pay-button').getByRole('button', { name: /^(Pay|ادفع) / });
  await expect.poll(() => buttons.count()).toBe(2);
  await tab.evaluate(() => {
    const [first] = document.querySelectorAll('pay-button');
    first!.endpoint = '/refuse?held';
    Object.assign(window, { outcome: first!.pay() });
  });
  await twoFrames();
  await shop.release();
  await tab.evaluate('outcome');
  await twoFrames();
  expect(await after.boundingBox()).toEqual(before);
  expect(await tab.evaluate('shifts')).toEqual([]);
});

/** Waits until the browser has drawn the page, and what that brought about. */
const twoFrames = () =>
  tab.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  });

it('a page that sets properties before the script comes keeps those properties', async () => {
  await tab.goto(shop.page('<pay-button></pay-button>'));
  await tab.evaluate(() => {
    const early = { endpoint: '/checkout', orderId: '7', label: 'Buy', data: { gift: true } };
    Object.assign(document.querySelector('pay-button')!, early);
  });
  await tab.addScriptTag({ type: 'module', url: '/pay-button.js' });
  await tab.getByRole('button', { name: 'Buy' }).click();
  await tab.waitForURL(shop.gatewayUrl);
  expect(shop.asked.map(({ body }) => JSON.parse(body))).toEqual([{ gift: true, orderId: '7' }]);
});

it('two tabs with one order ask one after the other, and both get to the hosted page', async () => {
  const address = shop.page(script + payButton('', '').replace('/checkout', '/checkout?held'));
  const other = await tab.context().newPage();
  onTestFinished(() => other.close());
  await Promise.all([tab.goto(address), other.goto(address)]);
  await tab.getByRole('button').click();
  await expect.poll(() => shop.asked.length).toBe(1);
  await other.getByRole('button').click();
  await other.getByText('Preparing your payment').waitFor();
  expect(shop.asked).toHaveLength(1);
  await shop.release();
  await tab.waitForURL(shop.gatewayUrl);
  await shop.release();
  await other.waitForURL(shop.gatewayUrl);
  expect(shop.asked).toHaveLength(2);
});

describe('a sandboxed frame that may not leave', () => {
  it('offers the way on by a focused link at once', async () => {
    const inner = shop.page(script + payButton('target="top"', ''));
    // The clock stands still, so the link is not the one that follows a stalled redirect.
    const { page } = await open();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const sandbox = 'sandbox="allow-scripts allow-same-origin"';
    await page.goto(shop.page(`<iframe ${sandbox} src="${inner}"></iframe>`));
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button').click();
    const link = frame.getByRole('link', { name: 'Continue to payment' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(shop.gatewayUrl);
    expect(await link.getAttribute('target')).toBe('_top');
    expect(await link.evaluate((a) => a.matches(':focus'))).toBe(true);
    expect(page.url()).not.toBe(shop.gatewayUrl);
  });

  it('lets a frame that may leave take the whole window along', async () => {
    const inner = shop.page(script + payButton('target="top"', ''));
    await tab.goto(shop.page(`<iframe src="${inner}"></iframe>`));
    await tab.frameLocator('iframe').getByRole('button').click();
    await tab.waitForURL(shop.gatewayUrl);
  });
});

it('two versions of the script on one page work beside each other under two names, with one key for one order', async () => {
  await tab.goto(
    shop.page(`<script type="module">
      import { PayButton as One } from '/pay-button.js?version=1';
      import { PayButton as Two } from '/pay-button.js?version=2';
      Two.define('shop-pay');
      document.documentElement.dataset.apart = String(
        One !== Two && customElements.get('pay-button') === One);
    </script>
    <pay-button endpoint="/checkout" order-id="1" label="One"></pay-button>
    <shop-pay endpoint="/checkout" order-id="1" label="Two"></shop-pay>`),
  );
  await tab.locator('html[data-apart=true]').waitFor();
  await tab.evaluate(() => {
    document.addEventListener('pay-redirect', (event) => event.preventDefault());
  });
  await tab.getByRole('button', { name: 'One' }).click();
  await expect.poll(() => shop.asked.length).toBe(1);
  await tab.getByRole('button', { name: 'Two' }).click();
  await expect.poll(() => shop.asked.length).toBe(2);
  expect(shop.asked[0]?.key).toBe(shop.asked[1]?.key);
});

it('a site that changes its pages without a load gives up the attempt of the page that went, and pays on the one that came', async () => {
  await tab.goto(shop.page(script + payButton().replace('/checkout', '/checkout?held')));
  await tab.getByRole('button', { name: /115/ }).click();
  await expect.poll(() => shop.asked.length).toBe(1);
  const ended = await tab.evaluate(async (html) => {
    const [old] = document.querySelectorAll('pay-button');
    const outcome = old!.pay();
    const kept = document.body.cloneNode(true);
    const next = new DOMParser().parseFromString(html, 'text/html').body;
    document.body.replaceWith(next);
    history.pushState({}, '', '/next');
    document.body.replaceWith(kept);
    return (await outcome).outcome;
  }, payButton());
  expect(ended).toBe('unknown');
  await shop.release();
  // The answer to a later question: a late answer to the first one has arrived by then.
  await tab.evaluate(() => fetch('/status'));
  expect(new URL(tab.url()).pathname).toBe('/next');
  const again = tab.getByRole('button', { name: /115/ });
  expect(await again.getAttribute('aria-busy')).toBe('false');
  expect(await tab.getByText('Pay by form').isVisible()).toBe(false);
  await again.click();
  await shop.release();
  await tab.waitForURL(shop.gatewayUrl);
  expect(shop.asked[1]?.key).toBe(shop.asked[0]?.key);
});
