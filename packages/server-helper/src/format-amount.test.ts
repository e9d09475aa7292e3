import { expect, it } from 'vitest';
import { formatAmount } from './format-amount.ts';

it.each([
  ['115.00', 'SAR', 'en', 'SAR 115.00'],
  ['115.00', 'SAR', 'ar', '115.00 ريال'],
  ['9007199254740993.00', 'SAR', 'en', 'SAR 9,007,199,254,740,993.00'],
  ['-1150.50', 'SAR', 'ar', '-1,150.50 ريال'],
  ['20.00', 'USD', 'ar', 'USD 20.00'],
] as const)('writes %s %s in %s as “%s”', (amount, currency, language, text) => {
  expect(formatAmount(amount, currency, language).text.replaceAll('\u00A0', ' ')).toBe(text);
});

it.each(['en', 'ar'] as const)('says in %s by the drawn sign what the text says', (language) => {
  const { html, text } = formatAmount('1150.00', 'SAR', language);
  const spoken = html.replaceAll(/<svg role="img" aria-label="([^"]+)".*?<\/svg>/g, '$1');
  expect(spoken.replaceAll(/<[^>]+>/g, '')).toBe(text);
});

it('needs no style of the page, which a strict content policy would forbid', () => {
  expect(formatAmount('1.00', 'SAR', 'ar').html).not.toMatch(/style|<script|href/);
});

it('shows words that are no amount as they are, and never as markup', () => {
  expect(formatAmount('<b>1e2', 'SAR', 'en').html).toContain('\u00A0&lt;b&gt;1e2</bdi>');
  expect(formatAmount('1.00', '<b>', 'en').html).toContain('&lt;b&gt;');
});
