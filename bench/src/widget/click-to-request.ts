import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { bundle, bundleStandalone } from '../../../packages/widget/build/standalone.ts';
import { startBrowser } from '../../../scripts/browser.ts';
import { median } from '../measured.ts';

/** Median milliseconds from a press until the browser sends the request. */
interface ClickTimes {
  readonly payButton: number;
  readonly plainButton: number;
  readonly presses: number;
  readonly browser: string;
}

const presses = 200;

const page = `<!doctype html><title>Click to request</title>
<script type="module">
  import '/pay-button.js';
  import { payOnClick } from '/plain-button.js';
  payOnClick(document.querySelector('#plain'));
  document.querySelector('pay-button').addEventListener('pay-redirect', (event) => event.preventDefault());
  document.documentElement.dataset.ready = 'yes';
</script>
<button id="plain">Pay</button>
<pay-button endpoint="/checkout" order-id="1"></pay-button>`;

/** Runs in the page: presses both in turn, and reads the browser's own clock of each request. */
async function race(times: number): Promise<{ pay: number[]; plain: number[] }> {
  const plainButton = document.querySelector<HTMLElement>('#plain');
  const payButton = document
    .querySelector('pay-button')
    ?.shadowRoot?.querySelector<HTMLElement>('button');
  if (!plainButton || !payButton) throw new Error('The page is not ready.');
  const press = async (button: HTMLElement) => {
    performance.clearResourceTimings();
    const pressed = performance.now();
    const answered = new Promise<PerformanceResourceTiming>((resolve) => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntriesByType('resource')) {
          observer.disconnect();
          resolve(entry as PerformanceResourceTiming);
        }
      });
      observer.observe({ type: 'resource' });
    });
    button.click();
    const { requestStart } = await answered;
    await new Promise((resolve) => setTimeout(resolve, 5));
    return requestStart - pressed;
  };
  const taken = { pay: [] as number[], plain: [] as number[] };
  for (let time = 0; time < times; time++) {
    taken.plain.push(await press(plainButton));
    taken.pay.push(await press(payButton));
  }
  return taken;
}

/**
 * Measures both buttons on one page, press by press in turn, against a server that answers a POST
 * with a payment link.
 */
export async function measureClicks(): Promise<ClickTimes> {
  const plain = fileURLToPath(new URL('floors/plain-button.ts', import.meta.url));
  const scripts = new Map([
    ['/pay-button.js', await bundleStandalone('pay-button')],
    ['/plain-button.js', await bundle(plain)],
  ]);
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    if (script !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else if (request.method === 'POST') {
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end('{"redirectUrl":"https://pay.example/"}');
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await startBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await tab.locator('html[data-ready]').waitFor();
    await tab.evaluate(race, 20);
    const taken = await tab.evaluate(race, presses);
    return {
      payButton: median(taken.pay),
      plainButton: median(taken.plain),
      presses,
      browser: `Chromium ${browser.version()}`,
    };
  } finally {
    await browser.close();
    server.close();
  }
}
