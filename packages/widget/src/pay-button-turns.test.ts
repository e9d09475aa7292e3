import { afterEach, describe, it, expect, vi } from 'vitest';
import {
  boxOf,
  freshOrder,
  part,
  buttonOf,
  payButton,
  phase,
  stayingButton,
} from './testing/pay-button-page.ts';
import { link, script } from './testing/script.ts';

const slow = { ...link, delayMs: 150 };

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('two buttons of one order', () => {
  it('send one request: the second follows the first', async () => {
    const shop = await script(slow);
    const orderId = freshOrder();
    const first = await payButton(shop.url, { orderId });
    const second = await payButton(shop.url, { orderId });
    let left = 0;
    for (const element of [first, second]) element.addEventListener('pay-redirect', () => left++);
    const outcomes = await Promise.all([first.pay(), second.pay()]);
    expect(outcomes).toEqual([{ outcome: 'redirected' }, { outcome: 'redirected' }]);
    expect(left).toBe(1);
    expect(await shop.requests()).toHaveLength(1);
    expect([first.state, second.state]).toEqual(['idle', 'idle']);
  });

  it('let the second try when the first failed', async () => {
    const shop = await script({ status: 500, delayMs: 100 }, link);
    const orderId = freshOrder();
    const first = await payButton(shop.url, { orderId });
    const second = await payButton(shop.url, { orderId });
    const [a, b] = await Promise.all([first.pay(), second.pay()]);
    expect(a).toMatchObject({ code: 'invalid_response' });
    expect(b).toEqual({ outcome: 'redirected' });
    expect(await shop.requests()).toHaveLength(2);
  });

  it('do not wait for each other when the orders differ', async () => {
    const shop = await script(slow);
    const buttons = await Promise.all([payButton(shop.url), payButton(shop.url)]);
    await Promise.all(buttons.map((element) => element.pay()));
    expect(await shop.requests()).toHaveLength(2);
  });
});

/** Does what another tab does while it asks: marks the order, and holds its lock. */
async function anotherTabAsks(orderId: string): Promise<() => void> {
  const name = `pay-button:${orderId}`;
  localStorage.setItem(name, '');
  return new Promise((granted) => {
    const hold = () => new Promise<void>((release) => granted(() => release()));
    void navigator.locks.request(name, hold);
  });
}

describe('a lock that another tab holds', () => {
  it('is not waited for without end: a suspended tab must not stop a payment', async () => {
    const { element } = await buttonOf([link], { timeoutMs: 20_000 });
    const release = await anotherTabAsks(element.orderId);
    const wait = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(wait.signal);
    const outcome = element.pay();
    expect([element.state, timeout.mock.calls]).toEqual(['starting', [[20_000]]]);
    wait.abort(new DOMException('The wait is over.', 'TimeoutError'));
    expect(await outcome).toEqual({ outcome: 'redirected' });
    release();
  });

  it('is not waited for when a tab that crashed has left its mark behind', async () => {
    const { element } = await buttonOf([link]);
    localStorage.setItem(`pay-button:${element.orderId}`, '');
    expect(await element.pay()).toEqual({ outcome: 'redirected' });
    expect(localStorage.getItem(`pay-button:${element.orderId}`)).toBe(null);
  });

  it('is free again when the page may leave', async () => {
    const element = await payButton((await script(link)).url);
    let query: Promise<LockManagerSnapshot> | undefined;
    element.addEventListener('pay-redirect', (event) => {
      event.preventDefault();
      query = navigator.locks.query();
    });
    await element.pay();
    const held = (await query)?.held?.map(({ name }) => name);
    expect(held).toBeDefined();
    expect(held).not.toContain(`pay-button:${element.orderId}`);
  });
});

it.for([{ methods: 'visa' }, { message: 'none' }] as const)(
  'a redirect that the browser swallows leaves a focused link after three seconds, and the button can be pressed again (%j)',
  async (properties) => {
    const { element, redirectUrl, requests } = await stayingButton(properties);
    const [, height] = boxOf(element);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await element.pay();
    vi.advanceTimersByTime(2_999);
    expect(element.state).toBe('redirecting');
    vi.advanceTimersByTime(1);
    await phase(element, 'stalled');
    const continueLink = part(element, 'link') as HTMLAnchorElement;
    expect(continueLink.href).toBe(redirectUrl);
    expect(continueLink.textContent?.trim()).toBe('Continue to payment');
    expect(element.shadowRoot?.activeElement).toBe(continueLink);
    // The line of the marks has room for the link; otherwise the line opens.
    expect(boxOf(element)[1]).toBe('methods' in properties ? height : 92);
    await element.pay();
    expect(await requests()).toHaveLength(2);
  },
);
