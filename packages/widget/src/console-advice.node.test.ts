import { afterAll, describe, expect, it } from 'vitest';
import { useBrowser } from '../../../scripts/use-browser.ts';
import { startShop, startShoppersBrowser } from './testing/real-shop.ts';

const { reuse } = useBrowser({}, startShoppersBrowser);
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
  it('say once that the policy blocks the request, and which origin it lacks', async () => {
    const html = '<pay-button endpoint="/checkout" order-id="1"></pay-button>';
    const policy = { 'content-security-policy': "default-src 'self'; connect-src 'none'" };
    const lines = await linesOf(html, 3, policy);
    const advice = `no answer from endpoint: the policy needs connect-src ${shop.url}.`;
    await expect.poll(lines).toEqual([`<pay-button> network: ${advice}`]);
  });

  it('say so of the status too, and nothing of a policy that only reports', async () => {
    const html = '<pay-status src="/status"></pay-status>';
    const policy = "default-src 'self'; connect-src 'none'";
    const blocked = await linesOf(html, 0, { 'content-security-policy': policy });
    const advice = `no answer from src: the policy needs connect-src ${shop.url}.`;
    await expect.poll(blocked).toEqual([`<pay-status> network: ${advice}`]);
    const reported = await linesOf(html.replace('/status', `${shop.gatewayUrl}/status`), 0, {
      'content-security-policy-report-only': policy,
    });
    const other = `no answer from src: the server needs cors.origins ${shop.url}.`;
    await expect.poll(reported).toEqual([`<pay-status> network: ${other}`]);
  });

  it('say which origin the server of another origin has to list', async () => {
    const html = `<pay-button endpoint="${shop.gatewayUrl}/checkout" order-id="1"></pay-button>`;
    const lines = await linesOf(html, 2);
    const advice = `no answer from endpoint: the server needs cors.origins ${shop.url}.`;
    await expect.poll(lines).toEqual([`<pay-button> network: ${advice}`]);
  });
});
