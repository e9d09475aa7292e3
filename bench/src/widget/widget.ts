import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { bundle, bundleStandalone } from '../../../packages/widget/build/standalone.ts';
import { startBrowser } from '../../../scripts/browser.ts';
import { describeMachine, judged, type Measured, median, table } from '../measured.ts';
import type { Tell } from '../parameters.ts';

/** The design's budgets. Sizes are exact; times may exceed theirs by the noise. */
const budgets = { button: 10_000, status: 2_816, click: 1.5, noise: 1.15 } as const;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(2)} kB`;

/** Sizes and click to request, beside floors of the same run, as Markdown. */
export async function measureWidget(tell: Tell): Promise<Measured> {
  tell('building and weighing');
  const sizes = await measureSizes();
  tell('pressing buttons');
  const { payButton, plainButton, browser } = await measureClicks();
  const weight = (start: string): number =>
    sizes.find(({ name }) => name.startsWith(start))?.brotli ?? Number.NaN;
  const added = weight('pay-elements.js') - weight('pay-button.js');
  const ratio = payButton / plainButton;
  const sizeRow = (about: string, most: number, is: number) => {
    return { cells: [about, kilobytes(most), kilobytes(is)], isMet: is <= most };
  };
  return judged(
    ['budget', 'at most:', 'measured:'],
    [
      sizeRow('pay-button.js, brotli', budgets.button, weight('pay-button.js')),
      sizeRow('what pay-status adds to it, brotli', budgets.status, added),
      {
        cells: ['click to request ÷ plain button', budgets.click.toFixed(2), ratio.toFixed(2)],
        isMet: ratio <= budgets.click,
        isClearlyMissed: ratio > budgets.click * budgets.noise,
      },
    ],
    ...table(
      ['file', 'minified:', 'brotli:'],
      sizes.map(({ name, plain, brotli }) => [name, kilobytes(plain), kilobytes(brotli)]),
    ),
    ...table(
      [`click to request, median of ${presses}`, 'ms:', 'ratio:'],
      [
        ['plain button with fetch', plainButton.toFixed(2), '1.00'],
        ['pay-button', payButton.toFixed(2), ratio.toFixed(2)],
      ],
    ),
    describeMachine(`, ${browser}`),
  );
}

/** The sizes of the elements and floors in bytes, all bundled by the same tool in this run. */
async function measureSizes() {
  const own = (name: string) => bundle(fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
  const files: readonly (readonly [string, string])[] = [
    ['pay-button.js', await bundleStandalone('pay-button')],
    ['pay-status.js', await bundleStandalone('pay-status')],
    ['pay-elements.js (both)', await bundleStandalone('pay-elements')],
    ['console-advice.js, at a mistake', await bundleStandalone('console-advice')],
    ['floor: Lit alone', await own('floors/lit-alone')],
    ['floor: plain button with fetch', await own('floors/plain-button')],
  ];
  return files.map(([name, code]) => ({
    name,
    plain: Buffer.byteLength(code),
    brotli: brotliCompressSync(code).length,
  }));
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
 * The median milliseconds from a press until the browser sends the request, of both buttons on one page,
 * press by press in turn, against a server that answers a POST with a payment link.
 */
async function measureClicks() {
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
      browser: `Chromium ${browser.version()}`,
    };
  } finally {
    await browser.close();
    server.close();
  }
}
