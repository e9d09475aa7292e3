import { fixture, html } from '@open-wc/testing-helpers';
import { describe, expect, it } from 'vitest';
import './index.ts';
import type { PayButton } from './pay-button.ts';
import { part, payButton } from './testing/pay-button-page.ts';
import { link, script } from './testing/script.ts';

describe('the attributes of <pay-button>', () => {
  it('are read by their types', async () => {
    const element = await fixture<PayButton>(
      html`<pay-button
        full-width
        timeout-ms="50"
        allowed-origins="https://a.example"
      ></pay-button>`,
    );
    const { fullWidth, timeoutMs, allowedOrigins, currency } = element;
    expect([fullWidth, timeoutMs, currency]).toEqual([true, 50, 'SAR']);
    expect(allowedOrigins).toBe('https://a.example');
    element.removeAttribute('full-width');
    element.removeAttribute('allowed-origins');
    expect([element.fullWidth, element.allowedOrigins]).toEqual([false, null]);
  });

  it('follow the properties that a page may style by, except for defaults', async () => {
    const element = await payButton('/x', { variant: 'plain', disabled: true });
    const written = ['variant', 'size', 'disabled', 'data'].map((name) =>
      element.getAttribute(name),
    );
    expect(written).toEqual(['plain', null, '', null]);
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

  it('render once for many changes', async () => {
    const element = await payButton('/x');
    let renders = 0;
    const observer = new MutationObserver(() => renders++);
    observer.observe(element.shadowRoot!, { subtree: true, childList: true, characterData: true });
    for (const label of ['a', 'b', 'c']) element.label = label;
    await element.updateComplete;
    expect(renders).toBe(1);
  });
});
