import { render } from 'lit';
import { describe, it, expect } from 'vitest';
import { amountTemplate } from './amount.ts';

function shown(amount: string, currency: string, locale: string): HTMLElement {
  const box = document.createElement('div');
  render(amountTemplate(amount, currency, locale, 'SAR-name'), box);
  return box;
}

describe('amountTemplate', () => {
  it('shows riyals by their sign, with a spoken name, left of the number', () => {
    for (const locale of ['en', 'ar', 'ar-SA']) {
      const bdi = shown('1234.50', 'SAR', locale).querySelector('bdi')!;
      expect(bdi.textContent.trim()).toMatch(/^1.234.50$/);
      expect(bdi.dir).toBe('ltr');
      expect(bdi.querySelector('svg')!.getAttribute('aria-label')).toBe('SAR-name');
    }
  });

  it('writes Latin digits unless the locale asks for others', () => {
    expect(shown('115.00', 'SAR', 'ar-SA').textContent).toContain('115.00');
    expect(shown('115.00', 'SAR', 'ar-SA-u-nu-arab').textContent).toContain('١١٥');
  });

  it('keeps every digit of a long amount', () => {
    const { textContent: text } = shown('9007199254740993.00', 'SAR', 'en');
    expect(text).toContain('9,007,199,254,740,993.00');
  });

  it('writes other currencies as the locale does', () => {
    expect(shown('20', 'USD', 'en').textContent.trim()).toBe('$20.00');
    expect(shown('20', 'JPY', 'en').textContent.trim()).toBe('¥20');
  });

  it('shows nothing for what is no amount, no currency or no locale', () => {
    for (const amount of ['', 'abc', '1e2', '-5', ' 1', '0x64', '1,5', 'NaN']) {
      expect(amountTemplate(amount, 'SAR', 'en', ''), amount).toBe(undefined);
    }
    expect(amountTemplate('1', 'riyal', 'en', '')).toBe(undefined);
    expect(amountTemplate('1', 'USD', 'not a locale', '')).toBe(undefined);
  });
});
