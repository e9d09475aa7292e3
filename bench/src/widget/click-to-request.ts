import { fileURLToPath } from 'node:url';
import { bundle, bundleStandalone } from '../../../packages/widget/build/standalone.ts';
import { median, onPage } from './page.ts';

/** Median milliseconds from a press until the browser sends the request. */
export interface ClickTimes {
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

/** Measures both buttons on one page, press by press in turn, against one server. */
export async function measureClicks(): Promise<ClickTimes> {
  const plain = fileURLToPath(new URL('floors/plain-button.ts', import.meta.url));
  const files = new Map([
    ['/pay-button.js', await bundleStandalone('pay-button')],
    ['/plain-button.js', await bundle(plain)],
  ]);
  return onPage(page, files, async (tab, browser) => {
    await tab.evaluate(race, 20);
    const taken = await tab.evaluate(race, presses);
    return {
      payButton: median(taken.pay),
      plainButton: median(taken.plain),
      presses,
      browser,
    };
  });
}
