import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DrivenBrowser, startWebKit } from './testing/webkit.ts';
import { startShop } from './testing/real-shop.ts';

/** The most important behaviours of the built files in Safari’s engine. Firefox runs the whole suite. */
const shop = await startShop();
afterAll(() => shop.close());

const script = '<script type="module" src="/pay-button.js"></script>';
const button = (more: string) =>
  `<pay-button endpoint="/checkout" order-id="1" amount="115.00" ${more}>
    <form method="post" action="/checkout"><button id="plain">Form</button></form></pay-button>`;
const inButton = "const root = document.querySelector('pay-button').shadowRoot;";

describe('in WebKit', { timeout: 90_000 }, () => {
  let browser: DrivenBrowser | undefined;
  beforeAll(async () => void (browser = await startWebKit()), 90_000);
  beforeEach(() => void (shop.asked.length = 0));
  afterAll(() => browser?.close());

  /** Waits until a script in the page gives what is expected. */
  const becomes = (body: string, expected: unknown) =>
    expect.poll(() => browser?.run(body), { timeout: 20_000 }).toEqual(expected);
  const address = (expected: string) =>
    expect.poll(() => browser?.url(), { timeout: 20_000 }).toBe(expected);

  it('ten presses send one request, the page leaves, and is ready again after Back', async () => {
    const page = shop.page(script + button(''));
    await browser?.open(page);
    await becomes(`${inButton} return Boolean(root?.querySelector('[part=button]'))`, true);
    await browser?.run(`${inButton}
      for (let press = 0; press < 10; press++) root.querySelector('[part=button]').click();`);
    await address(shop.gatewayUrl);
    expect(shop.asked).toHaveLength(1);
    await browser?.back();
    await address(page);
    await becomes("return document.querySelector('pay-button').state", 'idle');
    await browser?.run(`${inButton} root.querySelector('[part=button]').click()`);
    await address(shop.gatewayUrl);
    expect(shop.asked[1]?.key).toBe(shop.asked[0]?.key);
  });

  it('the button replaces the form, is in Arabic, and shows the refusal', async () => {
    const arabic = button('locale="ar"').replace('/checkout', '/refuse');
    await browser?.open(shop.page(script + arabic));
    const direction = "getComputedStyle(root.querySelector('[part=button]')).direction";
    await becomes(`${inButton} return root && ${direction}`, 'rtl');
    expect(await browser?.run("return document.querySelector('#plain').offsetHeight")).toBe(0);
    await browser?.run(`${inButton} root.querySelector('[part=button]').click()`);
    const message = `${inButton} return root.querySelector('[part=message]').textContent`;
    await becomes(message, 'هذا الطلب مدفوع مسبقًا.');
  });

  it('the button has floors in pixels, and a fieldset disables it', async () => {
    const small = '<style>:root { font-size: 8px }</style>';
    const fieldset = `<fieldset disabled>${button('')}</fieldset>`;
    await browser?.open(shop.page(script + small + fieldset));
    const inner = "const inner = root?.querySelector('[part=button]');";
    await becomes(`${inButton} ${inner} return inner?.matches(':disabled')`, true);
    const sizes = '[inner.offsetHeight, getComputedStyle(inner).fontSize]';
    expect(await browser?.run(`${inButton} ${inner} return ${sizes}`)).toEqual([44, '16px']);
    await browser?.run("document.querySelector('fieldset').disabled = false");
    await becomes(`${inButton} ${inner} return inner.matches(':disabled')`, false);
  });

  it('the form sells where the script is blocked', async () => {
    const headers = { 'content-security-policy': "script-src 'none'" };
    await browser?.open(shop.page(script + button(''), headers));
    await browser?.run("document.querySelector('#plain').click()");
    await expect.poll(() => browser?.url(), { timeout: 20_000 }).toContain('/after-form');
  });

  it('the status of a payment is shown', async () => {
    const status = '<script type="module" src="/pay-status.js"></script>';
    await browser?.open(shop.page(`${status}<pay-status src="/status"></pay-status>`));
    await becomes(
      "return document.querySelector('pay-status').shadowRoot?.querySelector('strong').textContent",
      'Payment received',
    );
  });
});
