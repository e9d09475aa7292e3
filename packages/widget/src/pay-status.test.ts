import { fixture, html, oneEvent } from '@open-wc/testing';
import { afterEach, describe, it, vi, expect } from 'vitest';
import './index.ts';
import type { PaySettledEvent } from './events.ts';
import type { PayStatus } from './pay-status.ts';
import { expectAccessible } from './testing/pay-button-page.ts';
import { type Answer, script } from './testing/script.ts';

function status(state: string): Answer {
  return {
    body: {
      orderId: 'o-1',
      state,
      amount: '115.00',
      currency: 'SAR',
      updatedAt: '2026-01-01T00:00:00Z',
    },
  };
}

async function payStatus(src: string, locale = 'en'): Promise<PayStatus> {
  return fixture<PayStatus>(
    html`<pay-status src=${src} locale=${locale}
      ><p slot="paid">Thanks!</p>
      <button slot="retry">Retry</button></pay-status
    >`,
  );
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 12_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error('It did not happen within twelve seconds.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const text = (element: PayStatus) => element.shadowRoot?.querySelector('strong')?.textContent;

afterEach(() => vi.restoreAllMocks());

describe('<pay-status>', () => {
  it('asks until the payment is settled, says it once, and then asks no more', async () => {
    const shop = await script(status('pending'), status('paid'));
    const element = await payStatus(shop.url);
    expect(text(element)).toBe('Confirming your payment');
    const event = (await oneEvent(element, 'pay-settled')) as unknown as PaySettledEvent;
    expect(event.state).toBe('paid');
    expect(event.orderId).toBe('o-1');
    await element.updateComplete;
    expect(element.state).toBe('paid');
    await new Promise((resolve) => setTimeout(resolve, 1_800));
    expect(await shop.requests()).toHaveLength(2);
  });

  it('says that a payment settled once across reloads', async () => {
    const shop = await script(status('paid'));
    let said = 0;
    const count = () => said++;
    document.addEventListener('pay-settled', count);
    for (let reload = 0; reload < 2; reload++) {
      const element = await payStatus(shop.url);
      await until(() => element.state === 'paid');
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
    await until(() => {
      seen.add(element.state);
      return element.state === 'failed';
    });
    expect([...seen]).toEqual([undefined, 'failed']);
  });

  it('shows the retry slot only when failed', async () => {
    const seen = async (state: string) => {
      const element = await payStatus((await script(status(state))).url);
      await until(() => element.state === state);
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
    await until(() => waits.mock.calls.some(([, wait]) => wait === 7_000));
    expect(element.state).toBeUndefined();
    expect(await shop.requests()).toHaveLength(1);
  });

  it('asks nothing while hidden, and at once when seen again', async () => {
    const shop = await script(status('pending'));
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await payStatus(shop.url);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await shop.requests()).toHaveLength(0);
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(() => shop.requests()).toHaveLength(1);
  });

  it('offers to check again after half an hour', async () => {
    const shop = await script(status('pending'), status('pending'), status('paid'));
    const element = await payStatus(shop.url);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 31 * 60_000);
    await until(() => Boolean(element.shadowRoot?.querySelector('[part=again]')));
    await expectAccessible(element);
    element.shadowRoot?.querySelector<HTMLElement>('[part=again]')?.click();
    await until(() => element.state === 'pending' || element.state === 'paid');
    expect((await shop.requests()).length).toBeGreaterThanOrEqual(2);
  });

  it.for([
    'unpaid',
    'pending',
    'paid',
    'failed',
    'expired',
    'partially_refunded',
    'refunded',
    'paid_late',
    'review',
  ])('is accessible when %s, in both languages', async (state) => {
    for (const locale of ['en', 'ar']) {
      const element = await payStatus((await script(status(state))).url, locale);
      await until(() => element.state === state);
      await element.updateComplete;
      expect(element.shadowRoot?.querySelector('section')?.lang).toBe(locale);
      await expectAccessible(element);
    }
  });
});
