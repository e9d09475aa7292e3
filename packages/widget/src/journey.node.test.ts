import { afterAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../scripts/use-browser.ts';
import type { PayReturnEvent } from './events.ts';
import { startBrowserWithHistory, startShop } from './testing/real-shop.ts';

/** The built files on a real page of a real shop, whose browser really leaves and comes back. */
const policy = [
  "default-src 'none'",
  "script-src 'nonce-abc'",
  "connect-src 'self'",
  "form-action 'self'",
  "style-src 'nonce-abc'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html 'allow-duplicates'",
].join('; ');

const page = `<html lang="en"><script nonce="abc">
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    violations.push(event.violatedDirective + ' ' + event.blockedURI);
  });
</script>
<script type="module" nonce="abc" src="/pay-button.js"></script>
<script type="module" nonce="abc" src="/pay-status.js"></script>
<pay-button endpoint="/checkout" order-id="1001" amount="115.00"></pay-button>
<pay-button endpoint="/checkout" order-id="1002" label="Another order"></pay-button>
<pay-status src="/status"></pay-status>`;

const { open } = useBrowser({}, startBrowserWithHistory);
const shop = await startShop();
afterAll(() => shop.close());
const shopUrl = shop.page(page, { 'content-security-policy': policy });
const { gatewayUrl } = shop;

describe('the built elements on a page with a strict policy', () => {
  it('pay and show the status without a violation, a console error or a foreign request', async () => {
    const { page: tab, complaints } = await open();
    const origins = new Set<string>();
    tab.on('request', (request) => origins.add(new URL(request.url()).origin));
    await tab.goto(shopUrl);
    await tab.getByText('Payment received').waitFor();
    expect(await tab.evaluate('violations')).toEqual([]);
    expect([...origins]).toEqual([new URL(shopUrl).origin]);
    await tab.getByRole('button', { name: 'Pay SAR 115.00' }).click();
    await tab.waitForURL(gatewayUrl);
    expect(complaints).toEqual([]);
  });

  it('are ready and focused after Back, with the same attempt', async () => {
    const { page: tab } = await open();
    await tab.addInitScript(() => {
      window.addEventListener('pageshow', (event) => {
        document.documentElement.dataset['persisted'] = String(event.persisted);
      });
      document.addEventListener('pay-return', (event) => {
        const { orderId } = event as PayReturnEvent;
        const { dataset } = document.documentElement;
        dataset['returned'] = `${dataset['returned'] ?? ''}${orderId}`;
      });
    });
    await tab.goto(shopUrl);
    const button = tab.getByRole('button', { name: 'Pay SAR 115.00' });
    shop.asked.length = 0;
    await button.click();
    await tab.waitForURL(gatewayUrl);
    await tab.goBack({ waitUntil: 'commit' });
    const root = tab.locator('html');
    await expect.poll(() => root.getAttribute('data-persisted')).toBe('true');
    expect(await root.getAttribute('data-returned')).toBe('1001');
    expect(await button.getAttribute('aria-busy')).toBe('false');
    expect(await tab.evaluate('document.activeElement.localName')).toBe('pay-button');
    await button.click();
    await tab.waitForURL(gatewayUrl);
    expect(shop.asked).toHaveLength(2);
    expect(shop.asked[0]?.key).toBe(shop.asked[1]?.key);
    await tab.goto(shopUrl);
    await button.click();
    await tab.waitForURL(gatewayUrl);
    expect(shop.asked[2]?.key).toBe(shop.asked[0]?.key);
  });
});
