import { describe, expect, it } from 'vitest';
import type { PayButton } from './pay-button.ts';
import { boxOf, errorOf, part, buttonOf, payButton, phase } from './testing/pay-button-page.ts';
import { problem, script } from './testing/script.ts';

const methods = 'mada visa';
const paid = problem(409, 'already_paid');

/** The heights idle, busy, failed, and idle again. */
async function heights(properties: Partial<PayButton>): Promise<readonly number[]> {
  const { element } = await buttonOf([paid], properties);
  const [, idle] = boxOf(element);
  const failed = errorOf(element);
  await phase(element, 'requesting');
  const [, busy] = boxOf(element);
  await failed;
  const [, after] = boxOf(element);
  element.cancel();
  await element.updateComplete;
  return [idle, busy, after, boxOf(element)[1]];
}

const textOf = (element: PayButton) => part(element, 'message').textContent.trim();

describe('the line below the button', () => {
  it('opens with the press, stays for an error and closes when idle', async () => {
    expect(await heights({})).toEqual([48, 92, 92, 48]);
  });

  it.for([
    ['shows the marks of methods', { methods }],
    ['shows them below an outline', { methods, variant: 'outline' }],
    ['shows them in Arabic, plain', { methods, variant: 'plain', locale: 'ar' }],
    ['is reserved by message="below"', { message: 'below' }],
  ] as const)('is there in every state when it %s', async ([, properties]) => {
    expect(await heights(properties)).toEqual([92, 92, 92, 92]);
  });

  it('is not reserved for methods without a mark', async () => {
    expect(await heights({ methods: 'cash' })).toEqual([48, 92, 92, 48]);
  });

  it('says nothing with message="none", and leaves the marks', async () => {
    expect(await heights({ message: 'none' })).toEqual([48, 48, 48, 48]);
    const { element } = await buttonOf([paid], { message: 'none', methods });
    await errorOf(element);
    expect(textOf(element)).toBe('');
    expect(part(element, 'methods').children).toHaveLength(2);
  });
});

describe('the message of an offline browser', () => {
  const network = (onLine: boolean) => {
    Object.defineProperty(navigator, 'onLine', { value: onLine, configurable: true });
    window.dispatchEvent(new Event(onLine ? 'online' : 'offline'));
    Reflect.deleteProperty(navigator, 'onLine');
  };

  it('ends when the network is back', async () => {
    const element = await payButton('http://127.0.0.1:1/refused');
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    expect(await errorOf(element)).toMatchObject({ code: 'offline', outcome: 'not-sent' });
    expect(element.matches(':state(offline)')).toBe(true);
    expect(textOf(element)).toBe('You are offline. Nothing was sent.');
    network(true);
    await element.updateComplete;
    expect([element.state, textOf(element)]).toEqual(['idle', '']);
    expect(element.matches(':state(offline)')).toBe(false);
  });

  it('is the only one that ends with the network', async () => {
    const element = await payButton((await script(problem(409, 'already_paid'))).url);
    await errorOf(element);
    network(true);
    await element.updateComplete;
    expect(textOf(element)).toBe('This order is already paid.');
  });
});

describe('a busy button', () => {
  it('keeps the amount that it started with until the attempt ends', async () => {
    const element = await payButton((await script({ fault: 'hang' })).url);
    const amount = () => part(element, 'amount').textContent.trim();
    void element.pay();
    await phase(element, 'requesting');
    element.amount = '230.00';
    element.currency = 'USD';
    await element.updateComplete;
    expect(amount()).toBe('115.00');
    element.cancel();
    await element.updateComplete;
    expect(amount()).toBe('$230.00');
  });

  it('shows its amount though it was pressed before it was seen', async () => {
    const element = document.createElement('pay-button');
    const { url: endpoint } = await script({ fault: 'hang' });
    Object.assign(element, { endpoint, orderId: 'early', amount: '115.00' });
    void element.pay();
    document.body.append(element);
    await element.updateComplete;
    expect(part(element, 'amount').textContent.trim()).toBe('115.00');
    element.remove();
  });
});
