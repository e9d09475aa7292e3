import { describe, it, expect } from 'vitest';
import { buttonLabels, registerLabels } from './labels.ts';
import { statusLabels } from './status-labels.ts';
import { part, payButton } from './testing/pay-button-page.ts';

describe('registerLabels', () => {
  it('changes elements that are on the page already, and falls back to English', async () => {
    const element = await payButton('/x', { locale: 'fr-CA' });
    const text = () => part(element, 'label').textContent?.trim();
    expect(text()).toBe('Pay');
    registerLabels('fr', { pay: 'Payer' });
    await element.updateComplete;
    expect(text()).toBe('Payer');
    expect(buttonLabels.find('fr').preparing).toBe(buttonLabels.find('en').preparing);
    expect(buttonLabels.find('fr').language).toBe('fr');
  });

  it('takes the missing texts of a region from its language', () => {
    registerLabels('ar-EG', { pay: 'ادفع الآن' });
    const { pay, preparing, direction, language } = buttonLabels.find('ar-EG');
    expect([pay, direction, language]).toEqual(['ادفع الآن', 'rtl', 'ar-eg']);
    expect(preparing).toBe(buttonLabels.find('ar').preparing);
  });

  it('finds the nearest language, and English for an unknown one', () => {
    expect(buttonLabels.find('AR-sa').language).toBe('ar');
    expect(buttonLabels.find('xx').language).toBe('en');
    expect(buttonLabels.find('constructor').language).toBe('en');
  });
});

it('the language of an element is the nearest one around it, of a shadow root too, and follows the page', async () => {
  const element = await payButton('/x');
  const textAfter = async () => {
    await new Promise((resolve) => setTimeout(resolve));
    await element.updateComplete;
    return part(element, 'label').textContent?.trim();
  };
  for (const [lang, label] of Object.entries({ ar: 'ادفع', en: 'Pay' })) {
    document.documentElement.lang = lang!;
    expect(await textAfter()).toBe(label);
  }
  const host = document.createElement('div');
  host.lang = 'ar-SA';
  host.attachShadow({ mode: 'open' }).append(element);
  document.body.append(host);
  element.requestUpdate();
  expect(await textAfter()).toBe('ادفع');
  host.remove();
});

it('the built-in texts say the same things in both languages', () => {
  for (const registry of [buttonLabels, statusLabels]) {
    const [en, ar] = [registry.find('en'), registry.find('ar')];
    expect(Object.keys(ar)).toEqual(Object.keys(en));
    expect(ar.direction).toBe('rtl');
    for (const [key, text] of Object.entries(ar)) {
      if (!['language', 'direction'].includes(key)) expect(text).toMatch(/[\u0600-\u06ff]/);
    }
  }
});
