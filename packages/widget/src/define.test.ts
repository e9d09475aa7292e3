import { expect } from '@open-wc/testing';
import { describe, it } from 'vitest';
import { PayButton } from './pay-button.ts';

describe('PayButton.define', () => {
  it('registers only once, and leaves a taken name alone', () => {
    PayButton.define();
    PayButton.define();
    expect(customElements.get('pay-button')).to.equal(PayButton);
    class Other extends HTMLElement {}
    customElements.define('pay-taken', Other);
    PayButton.define('pay-taken');
    expect(customElements.get('pay-taken')).to.equal(Other);
  });

  it('registers under a second name beside the first', async () => {
    PayButton.define();
    PayButton.define('pay-button-v2');
    const element = document.createElement('pay-button-v2') as PayButton;
    document.body.append(element);
    await element.updateComplete;
    expect(element).to.be.instanceOf(PayButton);
    expect(element.shadowRoot?.querySelector('button')).to.not.equal(null);
    element.remove();
  });
});
