import { oneEvent } from '@open-wc/testing-helpers';
import { describe, it, expect, vi } from 'vitest';
import type { PayButton } from './pay-button.ts';
import { errorOf, part, buttonOf, payButton, phase } from './testing/pay-button-page.ts';
import { link, script } from './testing/script.ts';

const slow = { ...link, delayMs: 300 };

describe('<pay-button> asking the shop', () => {
  it('posts the order and the page data once, with a key, and gives the address to the page', async () => {
    const shop = await script(link);
    // Browsers block a window that opens after a wait.
    const opened = vi.spyOn(window, 'open');
    const element = await payButton(shop.url, {
      orderId: 'o-1',
      // The page's data never names another order.
      data: { note: 'gift', orderId: 'other' },
    });
    const redirect = oneEvent(element, 'pay-redirect');
    part(element, 'button').click();
    expect((await redirect) as object).toMatchObject(link.body as object);
    await phase(element, 'idle');
    expect(opened).not.toHaveBeenCalled();
    opened.mockRestore();
    const [request, ...more] = await shop.requests();
    expect(more).toEqual([]);
    expect(request?.method).toBe('POST');
    expect(JSON.parse(request?.body ?? '')).toEqual({ orderId: 'o-1', note: 'gift' });
    const { accept, 'content-type': type, 'idempotency-key': key } = request?.headers ?? {};
    expect([accept, type]).toEqual(['application/json', 'application/json']);
    expect(key).toMatch(/^[\d-]{20,}$/);
  });

  it('sends one request for ten presses, and stays busy with the focus on the button', async () => {
    const { element, requests } = await buttonOf([slow]);
    const button = part(element, 'button') as HTMLButtonElement;
    let starts = 0;
    element.addEventListener('pay-start', () => starts++);
    button.focus();
    for (let press = 0; press < 10; press++) button.click();
    const outcomes = Promise.all([element.pay(), element.pay()]);
    await phase(element, 'requesting');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(button.disabled).toBe(false);
    expect(element.matches(':state(busy)')).toBe(true);
    expect(element.shadowRoot?.activeElement).toBe(button);
    expect(part(element, 'message').textContent).toBe('Preparing your payment…');
    expect(await outcomes).toEqual([{ outcome: 'redirected' }, { outcome: 'redirected' }]);
    expect(await requests()).toHaveLength(1);
    expect(starts).toBe(1);
  });

  it('keeps its key over a retry and changes it with the amount', async () => {
    const { element, requests } = await buttonOf([{ status: 500 }, link]);
    await errorOf(element);
    await element.pay();
    element.amount = '116.00';
    await element.pay();
    const keys = (await requests()).map(({ headers }) => headers['idempotency-key']);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('lets the page validate first, and sends nothing when the page says no', async () => {
    const { element, requests } = await buttonOf([link]);
    element.addEventListener('pay-start', (event) => event.preventDefault(), { once: true });
    expect(await element.pay()).toMatchObject({ outcome: 'not-sent', code: 'aborted' });
    element.addEventListener('pay-start', (event) => event.waitUntil(Promise.reject(new Error())), {
      once: true,
    });
    expect(await element.pay()).toMatchObject({ outcome: 'not-sent', code: 'aborted' });
    expect(element.state).toBe('idle');
    expect(await requests()).toEqual([]);
    element.addEventListener('pay-start', (event) => {
      event.waitUntil(Promise.resolve().then(() => (element.data = { checked: true })));
    });
    await element.pay();
    expect((await requests())[0]?.body).toContain('"checked":true');
  });
});

describe('<pay-button> given up', () => {
  async function cancelled(element: PayButton): Promise<string> {
    const event = oneEvent(element, 'pay-error') as Promise<unknown>;
    element.cancel();
    return ((await event) as { outcome: string }).outcome;
  }

  it('is ready at once, and a late answer changes nothing', async () => {
    const { element } = await buttonOf([{ ...link, delayMs: 200 }]);
    let left = 0;
    element.addEventListener('pay-redirect', () => left++);
    const outcome = element.pay();
    await phase(element, 'requesting');
    expect(await cancelled(element)).toBe('unknown');
    expect(element.state).toBe('idle');
    expect(await outcome).toMatchObject({ code: 'aborted', outcome: 'unknown' });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(left).toBe(0);
    expect(await element.pay()).toEqual({ outcome: 'redirected' });
    expect(left).toBe(1);
  });

  it('sent nothing when it was given up while the page still validated', async () => {
    const { element, requests } = await buttonOf([link]);
    element.addEventListener('pay-start', (event) => event.waitUntil(new Promise(() => {})), {
      once: true,
    });
    void element.pay();
    expect(await cancelled(element)).toBe('not-sent');
    expect(await element.pay()).toEqual({ outcome: 'redirected' });
    expect(await requests()).toHaveLength(1);
  });

  it('gives up when it is removed, but not when it is moved', async () => {
    const { element } = await buttonOf([slow]);
    const moved = element.pay();
    await phase(element, 'requesting');
    document.body.append(element);
    expect(await moved).toEqual({ outcome: 'redirected' });
    const removed = element.pay();
    element.remove();
    expect(await removed).toMatchObject({ code: 'aborted' });
  });
});
