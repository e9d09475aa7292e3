import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, firefox } from 'playwright';
import { startBrowser } from '../../../../scripts/browser.ts';
import { chromiumLaunch } from '../../../../scripts/find-chromium.ts';
import { bundleStandalone } from '../../build/standalone.ts';

/** The header fields of an answer. */
type Fields = Readonly<Record<string, string>>;

/**
 * Starts a shop with the built files and the pages of a test, and a gateway of another origin. It
 * serves `/pay-button.js`, `/pay-status.js` and `/reserve.css`. `?held` holds any answer back.
 * `/checkout` answers a script with a link and a form with 303, `/refuse` answers 409, and `/status`
 * answers `paid`.
 */
export async function startShop() {
  const files = await builtFiles();
  const pages = new Map<string, readonly [string, Fields]>();
  const asked: { type: string | undefined; key: string | undefined; body: string }[] = [];
  const held: (() => void)[] = [];
  const gateway = createServer((_, response) => answerHtml(response, '<title>Hosted page</title>'));
  const gatewayUrl = `http://127.0.0.1:${await listen(gateway, '127.0.0.1')}/pay`;

  const answers: Readonly<Record<string, readonly [number, object]>> = {
    '/checkout': [201, { redirectUrl: gatewayUrl }],
    '/refuse': [409, { code: 'already_paid' }],
    '/status': [200, { orderId: '1001', state: 'paid', amount: '115.00', currency: 'SAR' }],
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { 'content-type': type, 'idempotency-key': key } = request.headers;
    if (pathname === '/checkout') asked.push({ type, key: key?.toString(), body });
    if (searchParams.has('held')) await new Promise<void>((resolve) => held.push(resolve));
    const file = files.get(pathname);
    const page = pages.get(pathname);
    if (file) response.writeHead(200, { 'content-type': file[0] }).end(file[1]);
    else if (page) answerHtml(response, ...page);
    else if (pathname === '/checkout' && type !== 'application/json') {
      response.writeHead(303, { location: '/after-form' }).end();
    } else {
      const [status, answer] = answers[pathname] ?? [404, {}];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    }
  };
  const shop = createServer((request, response) => void serve(request, response));
  const url = `http://localhost:${await listen(shop, 'localhost')}`;
  pages.set('/after-form', ['<title>After the form</title>', {}]);
  pages.set('/favicon.ico', ['', {}]);
  return {
    url,
    gatewayUrl,
    /** The requests to `POST /checkout`, in order. */
    asked,
    /** Adds a page to the shop and returns its address. */
    page(html: string, headers: Fields = {}): string {
      const path = `/page-${pages.size}`;
      pages.set(path, [`<!doctype html><meta charset="utf-8"><title>Shop</title>${html}`, headers]);
      return url + path;
    },
    /** Lets go of the oldest answer that `?held` holds back, as soon as there is one. */
    async release(): Promise<void> {
      while (held.length === 0) await wait(5);
      held.shift()?.();
    },
    close(): void {
      for (const server of [shop, gateway]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/**
 * Chromium as shoppers have it: with the back-forward cache, which Playwright turns off. With
 * `WIDGET_FIREFOX` it is the Firefox at that path.
 */
export function startShoppersBrowser(): Promise<Browser> {
  const firefoxPath = process.env['WIDGET_FIREFOX'];
  if (firefoxPath !== undefined) {
    return firefox.launch({
      channel: 'moz-firefox',
      executablePath: firefoxPath,
      // A machine without a mouse says `hover: none`; 6 is a mouse.
      firefoxUserPrefs: { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 },
    });
  }
  return startBrowser();
}

/** Starts a Chromium that keeps a page for Back, as a shopper's does. */
export function startBrowserWithHistory(): Promise<Browser> {
  const launch = chromiumLaunch(true);
  return startBrowser({ ...launch, ignoreDefaultArgs: ['--disable-back-forward-cache'] });
}

/** The files that a merchant copies to the shop, by path: content type and text. */
async function builtFiles(): Promise<Map<string, readonly [string, string]>> {
  const css = await readFile(new URL('../reserve.css', import.meta.url), 'utf8');
  const files = new Map<string, readonly [string, string]>([['/reserve.css', ['text/css', css]]]);
  for (const name of ['pay-button', 'pay-status', 'console-advice'] as const) {
    files.set(`/${name}.js`, ['text/javascript', await bundleStandalone(name)]);
  }
  return files;
}

function answerHtml(response: ServerResponse, html: string, headers: Fields = {}): void {
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(html);
}

/** Listens on a free port. @returns the port. */
function listen(server: Server, host: string): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port));
  });
}
