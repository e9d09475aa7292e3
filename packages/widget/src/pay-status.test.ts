import { fixture, html, oneEvent } from '@open-wc/testing-helpers';
import { afterEach, describe, it, vi, expect } from 'vitest';
import './index.ts';
import reserve from './reserve.css?inline';
import type { PaySettledEvent } from './events.ts';
import type { PayStatus } from './pay-status.ts';
import { delayMs } from './status-poller.ts';
import { expectAccessible } from './testing/pay-button-page.ts';
import { script, status } from './testing/script.ts';

async function payStatus(src: string, locale = 'en'): Promise<PayStatus> {
  return fixture<PayStatus>(
    html`<pay-status src=${src} locale=${locale}
      ><p slot="paid">Thanks!</p>
      <button slot="retry">Retry</button></pay-status
    >`,
  );
}

const text = (element: PayStatus) => element.shadowRoot?.querySelector('strong')?.textContent;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Lets time pass for the element only when the test says so. */
const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

/** The longest first wait of the element. */
const firstWaitMs = 1_200;

describe('<pay-status>', () => {
  it('says by reserve.css nothing of how a payment ended before it knows', async () => {
    const style = document.createElement('style');
    style.textContent = reserve.replaceAll('pay-status', 'pay-status-later');
    document.head.append(style);
    const page = await fixture<HTMLElement>(html`<div></div>`);
    page.innerHTML = `<pay-status-later><p>Checking</p><p slot="pending">Soon</p>
      <p slot="paid">Thanks!</p><p slot="refunded">Sorry</p></pay-status-later>`;
    expect(page.innerText.split(/\s+/)).toEqual(['Checking', 'Soon']);
    page.innerHTML = page.innerHTML.replaceAll('pay-status-later', 'pay-status');
    await (page.firstElementChild as PayStatus).updateComplete;
    expect(page.innerText.split(/\s+/)).toEqual(['Soon']);
    style.remove();
  });

  it('asks until the payment is settled, says it once, and then asks no more', async () => {
    const shop = await script(status('pending'), status('paid'));
    stopTimers();
    // What the address of the return page says is not believed.
    const before = location.href;
    history.replaceState(null, '', '?status=paid&state=paid&paymentStatus=SUCCESS#paid');
    const element = await payStatus(shop.url);
    expect(text(element)).toBe('Confirming your payment');
    await expect.poll(() => element.state).toBe('pending');
    await element.updateComplete;
    expect(text(element)).toBe('Confirming your payment');
    history.replaceState(null, '', before);
    const settled = oneEvent(element, 'pay-settled');
    vi.advanceTimersByTime(firstWaitMs);
    const event = (await settled) as unknown as PaySettledEvent;
    expect(event.state).toBe('paid');
    expect(event.orderId).toBe('o-1');
    await element.updateComplete;
    expect(element.state).toBe('paid');
    vi.advanceTimersByTime(3_600_000);
    expect(await shop.requests()).toHaveLength(2);
  });

  it('says that a payment settled once across reloads', async () => {
    const shop = await script(status('paid'));
    let said = 0;
    const count = () => said++;
    document.addEventListener('pay-settled', count);
    for (let reload = 0; reload < 2; reload++) {
      const element = await payStatus(shop.url);
      await expect.poll(() => element.state).toBe('paid');
    }
    document.removeEventListener('pay-settled', count);
    expect(said).toBe(1);
  });

  it('believes no error, HTML, cut answer or unknown state', async () => {
    const shop = await script(
      { ...status('paid'), status: 500 },
      { body: '<h1>paid</h1>' },
      { ...status('paid'), fault: 'cut-body' },
      status('constructor'),
      { body: 'null' },
      status('failed'),
    );
    vi.spyOn(Math, 'random').mockReturnValue(-1.99);
    const element = await payStatus(shop.url);
    const seen = new Set([element.state]);
    await expect
      .poll(() => {
        seen.add(element.state);
        return element.state;
      })
      .toBe('failed');
    expect([...seen]).toEqual([undefined, 'failed']);
  });

  it('shows the retry slot only when failed', async () => {
    const seen = async (state: string) => {
      const element = await payStatus((await script(status(state))).url);
      await expect.poll(() => element.state).toBe(state);
      await element.updateComplete;
      return element.querySelector('button')?.checkVisibility();
    };
    expect(await seen('failed')).toBe(true);
    expect(await seen('paid')).toBe(false);
    expect(await seen('expired')).toBe(false);
    expect(await seen('review')).toBe(false);
  });

  it('asks again no sooner than a busy server wants', async () => {
    const waits = vi.spyOn(window, 'setTimeout');
    const shop = await script({ status: 503, headers: { 'retry-after': '7' }, body: {} });
    const element = await payStatus(shop.url);
    await expect.poll(() => waits.mock.calls.map(([, wait]) => wait)).toContain(7_000);
    expect(element.state).toBeUndefined();
    expect(await shop.requests()).toHaveLength(1);
  });

  it('asks nothing while hidden, and at once when seen again', async () => {
    const shop = await script(status('pending'));
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const element = await payStatus(shop.url);
    await element.updateComplete;
    expect(await shop.requests()).toHaveLength(0);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(() => shop.requests()).toHaveLength(1);
  });

  it('offers to check again after half an hour', async () => {
    const shop = await script(status('pending'), status('pending'), status('paid'));
    stopTimers();
    const element = await payStatus(shop.url);
    await expect.poll(() => element.state).toBe('pending');
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 31 * 60_000);
    vi.advanceTimersByTime(firstWaitMs);
    const again = () => element.shadowRoot?.querySelector<HTMLElement>('[part=again]');
    await expect.poll(again).toBeTruthy();
    vi.useRealTimers();
    await expectAccessible(element);
    again()?.click();
    await expect.poll(() => element.state).toBe('paid');
    expect(await shop.requests()).toHaveLength(3);
  });
});

it('the wait between two questions grows from a second to half a minute, with a fifth of jitter', () => {
  expect(delayMs(0, 0.5)).toBe(1_000);
  expect(delayMs(0, 0)).toBe(800);
  expect(delayMs(0, 1)).toBeCloseTo(1_200);
  expect(delayMs(2, 0.5)).toBe(2_250);
  expect(delayMs(99, 1)).toBeCloseTo(36_000);
});
