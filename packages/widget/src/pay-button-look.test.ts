/// <reference types="vite/client" />
import { fixture, html } from '@open-wc/testing-helpers';
import { describe, it, expect } from 'vitest';
import './index.ts';
import type { PayButton } from './pay-button.ts';
import reserve from './reserve.css?inline';
import { boxOf, errorOf, part, payButton, phase } from './testing/pay-button-page.ts';
import { link, problem, script } from './testing/script.ts';

describe.for(['en', 'ar'])('<pay-button> in %s', (locale) => {
  const codes = ['already_paid', 'invalid_order', 'untrusted_redirect'];
  it.for(codes)('keeps the text of %s within the space of a narrow button', async (code) => {
    const element = await payButton((await script(problem(409, code))).url, { locale });
    element.style.setProperty('--pay-button-width', '15rem');
    await errorOf(element);
    const text = part(element, 'message').getBoundingClientRect();
    expect(text.bottom).toBeLessThanOrEqual(element.getBoundingClientRect().bottom);
  });

  it('does not call it silence when the gateway refused', async () => {
    const said = async (code: string) => {
      const element = await payButton((await script(problem(502, code))).url, { locale });
      await errorOf(element);
      return part(element, 'message').textContent;
    };
    expect(await said('gateway_rejected')).toMatch(/contact the shop|تواصل مع المتجر/);
    const silent = /did not answer as it should|لم يستجب المتجر/;
    expect(await said('gateway_unreachable')).toMatch(silent);
  });

  it('is as wide as its container at most, and all of it with full-width', async () => {
    const narrow = await fixture<HTMLElement>(html`<div style="width: 200px"></div>`);
    const element = await payButton('/x', { locale });
    narrow.append(element);
    expect(element.offsetWidth).toBe(200);
    narrow.style.width = '600px';
    element.fullWidth = true;
    await element.updateComplete;
    expect(element.offsetWidth).toBe(600);
  });
});

it('<pay-button> in Arabic takes language and direction from the page, though the page has no dir', async () => {
  document.documentElement.lang = 'ar-SA';
  const element = await payButton('/x');
  document.documentElement.lang = 'en';
  const button = part(element, 'button');
  expect(getComputedStyle(button).direction).toBe('rtl');
  expect(button.closest('[lang]')?.getAttribute('lang')).toBe('ar');
  expect(button.innerText.replace(/\s+/g, ' ').trim()).toBe('ادفع 115.00');
  expect(button.querySelector('svg[role=img]')?.getAttribute('aria-label')).toBe('ر.س');
});

describe('<pay-button> with a text of the page', () => {
  it('prefers its children to `label`, and `label` to the language', async () => {
    const element = await payButton('/x');
    const text = () => part(element, 'button').innerText.replace(/\s+/g, ' ').trim();
    expect(text()).toBe('Pay 115.00');
    element.label = 'Donate';
    await element.updateComplete;
    expect(text()).toBe('Donate 115.00');
    element.append('Buy now');
    await new Promise((resolve) => setTimeout(resolve));
    await element.updateComplete;
    expect(text()).not.toContain('Donate');
    const slot = element.shadowRoot?.querySelector<HTMLSlotElement>('slot:not([name])');
    expect(slot?.assignedNodes().map(({ textContent }) => textContent)).toContain('Buy now');
  });

  it('shows its own text when there is but white space inside', async () => {
    const element = await fixture<PayButton>(
      html`<pay-button endpoint="/x" order-id="1"> <!-- a remark --> </pay-button>`,
    );
    expect(part(element, 'label').textContent?.trim()).toBe('Pay');
  });
});

describe('the form inside <pay-button>', () => {
  const form = html`<form method="post" action="/pay/checkout">
    <input type="hidden" name="orderId" value="1" /><button id="plain">Pay</button>
  </form>`;
  const seen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  it('stays while the element cannot work, gives way when it can, and comes back when it no longer can', async () => {
    const element = await fixture<PayButton>(html`<pay-button>${form}</pay-button>`);
    const inside = element.querySelector('form')!;
    expect([seen(inside), seen(part(element, 'button'))]).toEqual([true, false]);
    element.endpoint = '/x';
    element.orderId = '1';
    await element.updateComplete;
    expect([seen(inside), seen(part(element, 'button'))]).toEqual([false, true]);
    expect(part(element, 'label').textContent?.trim()).toBe('Pay');
    element.endpoint = '';
    await element.updateComplete;
    expect([seen(inside), seen(part(element, 'button'))]).toEqual([true, false]);
  });

  it('hands the focus on when its own button had it', async () => {
    const element = await fixture<PayButton>(html`<pay-button>${form}</pay-button>`);
    element.querySelector<HTMLElement>('#plain')?.focus();
    element.endpoint = '/x';
    element.orderId = '1';
    await element.updateComplete;
    expect(element.shadowRoot?.activeElement).toBe(part(element, 'button'));
  });

  it('is not hidden by reserve.css, which reserves the box of the upgraded element', async () => {
    const style = document.createElement('style');
    style.textContent = reserve.replaceAll('pay-button', 'pay-button-later');
    document.head.append(style);
    const sized = ['', 'size="small"', 'size="large" methods="visa"', 'full-width methods=""'];
    const told = ['message="below"', 'message="none" methods="mada visa"'];
    for (const attribute of [...sized, ...told]) {
      const page = await fixture(html`<div></div>`);
      page.innerHTML = `<pay-button-later endpoint="/x" order-id="1" ${attribute}>
        <form><button>Pay</button></form></pay-button-later>`;
      const later = page.firstElementChild as HTMLElement;
      expect(seen(later.querySelector('form')!)).toBe(true);
      const reserved = boxOf(later);
      page.innerHTML = page.innerHTML.replaceAll('pay-button-later', 'pay-button');
      const element = page.firstElementChild as PayButton;
      await element.updateComplete;
      expect(boxOf(element), attribute).toEqual(reserved);
    }
    style.remove();
  });
});

it('a shop that is slow turns a spinner in the padlock place and leaves the label seen', async () => {
  const element = await payButton((await script({ ...link, delayMs: 200 })).url);
  const label = part(element, 'label').getBoundingClientRect();
  const paid = element.pay();
  await phase(element, 'requesting');
  expect(getComputedStyle(part(element, 'spinner')).opacity).toBe('1');
  expect(getComputedStyle(part(element, 'label')).visibility).toBe('visible');
  expect(part(element, 'label').getBoundingClientRect().x).toBe(label.x);
  await paid;
  await element.updateComplete;
  expect(getComputedStyle(part(element, 'spinner')).opacity).toBe('0');
});
