import { fixture, html } from '@open-wc/testing-helpers';
import { describe, expect, it } from 'vitest';
import './index.ts';
import { PayButton } from './pay-button.ts';
import { freshOrder, part, payButton } from './testing/pay-button-page.ts';
import { link, script } from './testing/script.ts';

describe('the attributes of <pay-button>', () => {
  it('are read by their types', async () => {
    const page = await fixture(html`<div></div>`);
    const attributes = 'full-width timeout-ms="50" allowed-origins="https://a.example"';
    page.innerHTML = `<pay-button ${attributes}></pay-button>`;
    const element = page.firstElementChild as PayButton;
    const { fullWidth, timeoutMs, allowedOrigins, currency } = element;
    expect([fullWidth, timeoutMs, currency]).toEqual([true, 50, 'SAR']);
    expect(allowedOrigins).toBe('https://a.example');
    element.removeAttribute('full-width');
    element.removeAttribute('allowed-origins');
    expect([element.fullWidth, element.allowedOrigins]).toEqual([false, null]);
  });

  it('follow the properties that a page may style by, except for defaults', async () => {
    const element = await payButton('/x', { variant: 'plain', disabled: true });
    const names = ['variant', 'size', 'disabled', 'data'];
    expect(names.map((name) => element.getAttribute(name))).toEqual(['plain', null, '', null]);
  });

  it('decide whether cookies are sent', async () => {
    document.cookie = 'basket=1; path=/';
    const cookies: unknown[] = [];
    for (const credentials of ['same-origin', 'include', 'omit'] as const) {
      const shop = await script(link);
      await (await payButton(shop.url, { credentials })).pay();
      const status = await script({ body: {} });
      await fixture(html`<pay-status src=${status.url} .credentials=${credentials}></pay-status>`);
      await expect.poll(() => status.requests()).toHaveLength(1);
      for (const { requests } of [shop, status])
        cookies.push((await requests())[0]?.headers['cookie']);
    }
    document.cookie = 'basket=; path=/; max-age=0';
    const sent = expect.stringContaining('basket=1');
    expect(cookies).toEqual([...Array<unknown>(4).fill(sent), undefined, undefined]);
  });

  it('change the shown texts, add them and remove them', async () => {
    const element = await payButton('/x', { amount: '' });
    const textAfter = async (properties: Partial<PayButton>) => {
      await Object.assign(element, properties).updateComplete;
      return part(element, 'button').textContent.trim();
    };
    expect(await textAfter({})).toBe('Pay');
    expect(await textAfter({ amount: '115.00' })).toMatch(/^Pay\s+115\.00$/);
    expect(await textAfter({ currency: 'USD', label: 'Buy' })).toMatch(/^Buy\s+\$115\.00$/);
    expect(await textAfter({ amount: '', label: '' })).toBe('Pay');
    expect(await textAfter({ locale: 'ar' })).toBe('ادفع');
    expect(element.shadowRoot?.querySelector('[part=amount]')).toBe(null);
  });
});

const isOff = (element: PayButton) => part(element, 'button').matches(':disabled');

describe('a disabled <pay-button>', () => {
  it('is one inside a disabled fieldset, until the fieldset is enabled', async () => {
    const shop = await script(link);
    const fieldset = await fixture<HTMLFieldSetElement>(
      html`<fieldset disabled>
        <legend><pay-button id="legend"></pay-button></legend>
        <pay-button id="inside" endpoint=${shop.url} order-id=${freshOrder()}></pay-button>
      </fieldset>`,
    );
    const [legend, inside] = [...fieldset.querySelectorAll('pay-button')] as [PayButton, PayButton];
    expect([isOff(legend), isOff(inside), inside.disabled]).toEqual([false, true, false]);
    part(inside, 'button').click();
    expect(await inside.pay()).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    expect(await shop.requests()).toHaveLength(0);
    fieldset.disabled = false;
    await inside.updateComplete;
    expect(isOff(inside)).toBe(false);
    expect(inside.matches(':enabled')).toBe(true);
  });

  it('follows its attribute and its property', async () => {
    const element = await payButton('/x');
    const changes: readonly (readonly [() => unknown, boolean])[] = [
      [() => (element.disabled = true), true],
      [() => (element.disabled = false), false],
      [() => element.setAttribute('disabled', ''), true],
      [() => Object.assign(element, { disabled: undefined }), false],
      [() => Object.assign(element, { disabled: undefined }), false],
    ];
    for (const [change, isOn] of changes) {
      change();
      await element.updateComplete;
      const seen = [isOff(element), element.disabled, element.hasAttribute('disabled')];
      expect(seen).toEqual([isOn, isOn, isOn]);
    }
  });

  it('is one that the page disabled before its script came', async () => {
    const page = await fixture(html`<div></div>`);
    const late = (attribute: string) => `<pay-button-late ${attribute}></pay-button-late>`;
    page.innerHTML = late('') + late('disabled');
    const [byProperty, byAttribute] = [...page.children] as [PayButton, PayButton];
    byProperty.disabled = true;
    PayButton.define('pay-button-late');
    await Promise.all([byProperty.updateComplete, byAttribute.updateComplete]);
    const seen = [byProperty, byAttribute].flatMap((one) => [isOff(one), one.disabled]);
    expect(seen).toEqual([true, true, true, true]);
  });

  it('adds nothing to the form around it', async () => {
    const form = await fixture<HTMLFormElement>(
      html`<form><pay-button name="pay" endpoint="/x" order-id="1"></pay-button></form>`,
    );
    expect([...new FormData(form)]).toEqual([]);
    expect(form.checkValidity()).toBe(true);
  });
});
