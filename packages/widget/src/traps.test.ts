import { fixture, fixtureCleanup, html } from '@open-wc/testing-helpers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import './index.ts';
import { PayButton } from './pay-button.ts';
import { PayStatus } from './pay-status.ts';
import { payButton, phase } from './testing/pay-button-page.ts';
import { link, script, status } from './testing/script.ts';

/** Faults that other payment elements were shipped with, and that no other test here is about. */
afterEach(() => {
  fixtureCleanup();
  vi.restoreAllMocks();
});

describe('the elements', () => {
  it('observe no nonce, which a browser hides from attributes', () => {
    for (const { observedAttributes } of [PayButton, PayStatus]) {
      expect(observedAttributes).not.toContain('nonce');
    }
  });

  it('are there with the first update, which waits for nothing', async () => {
    const asked = vi.spyOn(window, 'fetch');
    const element = document.createElement('pay-button');
    document.body.append(element);
    await element.updateComplete;
    expect(element.offsetHeight).toBeGreaterThanOrEqual(44);
    expect(asked).not.toHaveBeenCalled();
    element.remove();
  });

  it('never open a window, which browsers block after a wait', async () => {
    const opened = vi.spyOn(window, 'open');
    const element = await payButton((await script(link)).url);
    await element.pay();
    await phase(element, 'idle');
    expect(opened).not.toHaveBeenCalled();
  });

  it('believe nothing that the address of the return page says', async () => {
    const before = location.href;
    history.replaceState(null, '', '?status=paid&state=paid&paymentStatus=SUCCESS#paid');
    const { url } = await script(status('pending'));
    const element = await fixture<PayStatus>(html`<pay-status src=${url}></pay-status>`);
    const heading = () => element.shadowRoot?.querySelector('strong')?.textContent;
    expect(heading()).toBe('Confirming your payment');
    while (!element.state) await new Promise(requestAnimationFrame);
    await element.updateComplete;
    history.replaceState(null, '', before);
    expect(element.state).toBe('pending');
    expect(heading()).toBe('Confirming your payment');
  });
});
