import { afterAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../scripts/use-browser.ts';
import { startShop, startShoppersBrowser } from './testing/real-shop.ts';

const { open, reuse } = useBrowser({}, startShoppersBrowser);
const shop = await startShop();
afterAll(() => shop.close());

/** The elements' lines on the console of a page with the built files. */
async function linesOf(
  html: string,
  presses: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<() => string[]> {
  const { page, complaints } = await reuse();
  const script = (name: string) => `<script type="module" src="/${name}.js"></script>`;
  await page.goto(shop.page(script('pay-button') + script('pay-status') + html, headers));
  for (let press = 0; press < presses; press++) {
    await page.evaluate(() => document.querySelector('pay-button')?.pay());
  }
  return () =>
    complaints
      .filter((complaint) => complaint.startsWith('error: <pay-'))
      .map((complaint) => complaint.slice('error: '.length));
}

describe('the built files on a page that is wired wrongly', () => {
  it('say once that the policy blocks the request and which origin it lacks, or of one that only reports to ask the server', async () => {
    const policy = "default-src 'self'; connect-src 'none'";
    const blocking = { 'content-security-policy': policy };
    const button = '<pay-button endpoint="/checkout" order-id="1"></pay-button>';
    const advice = `the policy needs connect-src ${shop.url}.`;
    const line = `<pay-button> network: no answer from endpoint: ${advice}`;
    await expect.poll(await linesOf(button, 3, blocking)).toEqual([line]);
    const status = '<pay-status src="/status"></pay-status>';
    const blocked = await linesOf(status, 0, blocking);
    await expect.poll(blocked).toEqual([`<pay-status> network: no answer from src: ${advice}`]);
    const reporting = { 'content-security-policy-report-only': policy };
    const foreign = status.replace('/status', `${shop.gatewayUrl}/status`);
    const reported = await linesOf(foreign, 0, reporting);
    const other = 'no answer from src: check the server and its cors.origins.';
    await expect.poll(reported).toEqual([`<pay-status> network: ${other}`]);
  });

  it('load the advice at the first mistake and not before, and pay without that file', async () => {
    const { page, complaints } = await open();
    const file = `${shop.url}/console-advice.js`;
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await page.route(file, (route) => route.abort());
    await page.clock.install();
    const button = '<pay-button endpoint="/checkout" order-id="1" amount="115.00"></pay-button>';
    const script = '<script type="module" src="/pay-button.js" nonce="abc"></script>';
    const policy = { 'content-security-policy': "script-src 'nonce-abc'" };
    await page.goto(shop.page(script + button, policy));
    await page.getByRole('button').waitFor();
    await page.clock.runFor(1_000);
    expect(loaded).not.toContain(file);
    await page.locator('pay-button').evaluate((element) => element.setAttribute('amount', '1,5'));
    await page.clock.runFor(1_000);
    await expect.poll(() => loaded).toContain(file);
    await page.getByRole('button').click();
    await page.waitForURL(shop.gatewayUrl);
    const others = complaints.filter((one) => !one.startsWith('error: Failed to load resource'));
    // A slow browser that is still there tries the file again.
    expect(new Set(others)).toEqual(new Set([`failed: ${file}`]));
  });
});
