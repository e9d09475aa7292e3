import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArguments, findChromium } from '../../../scripts/find-chromium.ts';
import { bundleStandalone } from '../build/standalone.ts';

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

const page = `<!doctype html><html lang="en"><title>Shop</title>
<script nonce="abc">
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    violations.push(event.violatedDirective + ' ' + event.blockedURI);
  });
</script>
<script type="module" nonce="abc" src="/pay-button.js"></script>
<script type="module" nonce="abc" src="/pay-status.js"></script>
<pay-button endpoint="/checkout" order-id="1001" amount="115.00">
  <form method="post" action="/checkout"><input type="hidden" name="orderId" value="1001"><button>Pay by form</button></form>
</pay-button>
<pay-status src="/status"></pay-status>`;

const secondCopy = '<script type="module" nonce="abc" src="/pay-button.js?copy"></script>';

const files = new Map<string, string>();
const asked: { path: string; key: string | undefined; body: string }[] = [];
let browser: Browser;

const shop = createServer((request, response) => void serve(request, response));
const gateway = createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<title>Hosted page</title>');
});
let shopUrl = '';
let gatewayUrl = '';

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query] = (request.url ?? '').split('?');
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const script = files.get(path);
  if (script !== undefined) {
    response.setHeader('content-type', 'text/javascript');
    response.end(script);
  } else if (path === '/checkout') {
    asked.push({ path, key: request.headers['idempotency-key'] as string | undefined, body });
    if (request.headers['content-type'] === 'application/json') {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ redirectUrl: gatewayUrl }));
    } else {
      response.writeHead(303, { location: '/after-form' }).end();
    }
  } else if (path === '/status') {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ orderId: '1001', state: 'paid', amount: '115.00', currency: 'SAR' }),
    );
  } else {
    response.setHeader('content-type', 'text/html');
    if (path === '/') response.setHeader('content-security-policy', policy);
    response.end(
      path === '/' ? page + (query === 'twice' ? secondCopy : '') : '<title>After</title>',
    );
  }
}

beforeAll(async () => {
  for (const name of ['pay-button', 'pay-status'] as const) {
    files.set(`/${name}.js`, await bundleStandalone(name));
  }
  for (const server of [shop, gateway]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}/`;
  gatewayUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/pay`;
  const executablePath = findChromium();
  browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...chromiumArguments],
    // Playwright turns the back-forward cache off, which is what a test of it must not have.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
});

/** A tab that gives up after five seconds, so that a failure names its step. */
async function newTab(): Promise<Page> {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(5_000);
  return tab;
}

afterAll(async () => {
  await browser?.close();
  shop.close();
  gateway.close();
});

describe('the built elements on a page with a strict policy', () => {
  it('pay and show the status without a violation, a console error or a foreign request', async () => {
    const tab = await newTab();
    const errors: string[] = [];
    const origins = new Set<string>();
    tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    tab.on('pageerror', (error) => errors.push(String(error)));
    tab.on('request', (request) => origins.add(new URL(request.url()).origin));
    await tab.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
    await tab.goto(shopUrl);
    await tab.getByText('Payment received').waitFor();
    expect(await tab.evaluate('violations')).toEqual([]);
    expect([...origins]).toEqual([new URL(shopUrl).origin]);
    await tab.getByRole('button', { name: 'Pay SAR 115.00' }).click();
    await tab.waitForURL(gatewayUrl);
    expect(errors).toEqual([]);
    await tab.close();
  });

  it('are ready and focused after Back, with the same attempt', async () => {
    const tab = await newTab();
    await tab.addInitScript(() => {
      window.addEventListener('pageshow', (event) => {
        document.documentElement.dataset['persisted'] = String(event.persisted);
      });
      document.addEventListener('pay-return', () => {
        document.documentElement.dataset['returned'] = 'yes';
      });
    });
    await tab.goto(shopUrl);
    const button = tab.getByRole('button', { name: 'Pay SAR 115.00' });
    asked.length = 0;
    await button.click();
    await tab.waitForURL(gatewayUrl);
    await tab.goBack({ waitUntil: 'commit' });
    const root = tab.locator('html');
    await expect.poll(() => root.getAttribute('data-persisted')).toBe('true');
    expect(await root.getAttribute('data-returned')).toBe('yes');
    expect(await button.getAttribute('aria-busy')).toBe('false');
    expect(await tab.evaluate('document.activeElement.localName')).toBe('pay-button');
    await button.click();
    await tab.waitForURL(gatewayUrl);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.key).toBe(asked[1]?.key);
    await tab.goto(shopUrl);
    await button.click();
    await tab.waitForURL(gatewayUrl);
    expect(asked[2]?.key).toBe(asked[0]?.key);
    await tab.close();
  });

  it('leave the form working where scripts are off', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const tab = await context.newPage();
    await tab.goto(shopUrl);
    asked.length = 0;
    await tab.getByRole('button', { name: 'Pay by form' }).click();
    await tab.waitForURL('**/after-form');
    expect(asked[0]?.body).toBe('orderId=1001');
    await context.close();
  });

  it('are not disturbed by a second copy of their script', async () => {
    const tab = await newTab();
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(String(error)));
    await tab.goto(`${shopUrl}?twice`);
    asked.length = 0;
    await tab.getByRole('button', { name: 'Pay SAR 115.00' }).click();
    await tab.waitForURL(gatewayUrl);
    expect(errors).toEqual([]);
    expect(asked).toHaveLength(1);
    await tab.close();
  });
});
