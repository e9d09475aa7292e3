import { describe, it, expect, vi } from 'vitest';
import { PayButton } from './pay-button.ts';

describe('PayButton.define', () => {
  it('registers only once, and does not touch a taken name', () => {
    PayButton.define();
    PayButton.define();
    expect(customElements.get('pay-button')).toBe(PayButton);
    class Other extends HTMLElement {}
    customElements.define('pay-taken', Other);
    PayButton.define('pay-taken');
    expect(customElements.get('pay-taken')).toBe(Other);
  });

  it('registers in a registry of the page too', () => {
    const registry = new CustomElementRegistry();
    PayButton.define(undefined, registry);
    PayButton.define(undefined, registry);
    expect(registry.get('pay-button')).toBe(PayButton);
  });
});

it('two hundred buttons on a page share the listeners of the window, and do not update once they are removed', () => {
  PayButton.define();
  const added = vi.spyOn(window, 'addEventListener');
  const all = Array.from({ length: 200 }, () => new PayButton());
  document.body.append(...all);
  expect(new Set(added.mock.calls.map(([, listener]) => listener)).size).toBe(1);
  vi.restoreAllMocks();
  const updates = all.map((element) => vi.spyOn(element, 'requestUpdate'));
  all.slice(1).forEach((element) => element.remove());
  window.dispatchEvent(new Event('online'));
  expect(updates.map(({ mock }) => mock.calls.length)).toEqual([1, ...all.slice(1).map(() => 0)]);
  all[0]?.remove();
});
