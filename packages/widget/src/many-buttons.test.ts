import { describe, expect, it, vi } from 'vitest';
import './index.ts';
import type { PayButton } from './pay-button.ts';
import { freshOrder, part, phase } from './testing/pay-button-page.ts';
import { link, script } from './testing/script.ts';

const count = 200;

/** A list of orders, each with its button, as a back office shows them. */
async function buttons(endpoint: string, orderOf: () => string): Promise<PayButton[]> {
  const list = document.createElement('div');
  for (let index = 0; index < count; index++) {
    const element = document.createElement('pay-button');
    Object.assign(element, { endpoint, orderId: orderOf(), amount: '1.00' });
    element.addEventListener('pay-redirect', (event) => event.preventDefault());
    list.append(element);
  }
  document.body.append(list);
  const all = [...list.querySelectorAll('pay-button')];
  await Promise.all(all.map((element) => element.updateComplete));
  return all;
}

describe('two hundred buttons on a page', () => {
  it('are each on their own: one press, one request, one busy button', async () => {
    const shop = await script({ ...link, delayMs: 200 });
    const all = await buttons(shop.url, freshOrder);
    const pressed = all[100]!;
    part(pressed, 'button').click();
    await phase(pressed, 'requesting');
    expect(all.filter((element) => element.matches(':state(busy)'))).toEqual([pressed]);
    await phase(pressed, 'idle');
    expect(await shop.requests()).toHaveLength(1);
    all[0]!.parentElement!.remove();
  });

  it('of one order send one request, though all are pressed', async () => {
    const shop = await script({ ...link, delayMs: 100 });
    const order = freshOrder();
    const all = await buttons(shop.url, () => order);
    const outcomes = await Promise.all(all.map((element) => element.pay()));
    expect(outcomes.every(({ outcome }) => outcome === 'redirected')).toBe(true);
    expect(await shop.requests()).toHaveLength(1);
    all[0]!.parentElement!.remove();
  });

  it('share the listeners of the window, and do not update once they are removed', async () => {
    const added = vi.spyOn(window, 'addEventListener');
    const all = await buttons('/x', freshOrder);
    const listeners = new Set(added.mock.calls.map(([, listener]) => listener));
    expect(listeners.size).toBe(1);
    vi.restoreAllMocks();
    const updates = all.map((element) => vi.spyOn(element, 'requestUpdate'));
    all.slice(1).forEach((element) => element.remove());
    window.dispatchEvent(new Event('online'));
    expect(updates.map(({ mock }) => mock.calls.length)).toEqual([1, ...all.slice(1).map(() => 0)]);
    all[0]!.parentElement!.remove();
  });
});
