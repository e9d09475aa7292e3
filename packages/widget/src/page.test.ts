import { describe, it, expect } from 'vitest';
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

  it('registers under a second name beside the first', async () => {
    PayButton.define();
    PayButton.define('pay-button-v2');
    const element = document.createElement('pay-button-v2') as PayButton;
    document.body.append(element);
    await element.updateComplete;
    expect(element).toBeInstanceOf(PayButton);
    expect(element.shadowRoot?.querySelector('button')).not.toBe(null);
    element.remove();
  });

  it('registers in a registry of the page too', () => {
    const registry = new CustomElementRegistry();
    PayButton.define(undefined, registry);
    PayButton.define(undefined, registry);
    expect(registry.get('pay-button')).toBe(PayButton);
  });
});
