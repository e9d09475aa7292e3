import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Page } from 'playwright';
import { chromiumArguments, findChromium } from '../../../scripts/find-chromium.ts';

/** A shop: scripts, a page, and a payment link as the answer to a POST. */
function serve(html: string, scripts: ReadonlyMap<string, string>) {
  return createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    if (script !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else if (request.method === 'POST') {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end('{"redirectUrl":"https://pay.example/"}');
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    }
  });
}

/** Opens a page with its scripts in a new browser, measures, and closes both. */
export async function onPage<Result>(
  html: string,
  scripts: ReadonlyMap<string, string>,
  measure: (tab: Page, browser: string) => Promise<Result>,
): Promise<Result> {
  const server = serve(html, scripts);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...chromiumArguments],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.locator('html[data-ready]').waitFor();
    return await measure(tab, `Chromium ${browser.version()}`);
  } finally {
    await browser.close();
    server.close();
  }
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
