import { describe, expect, it } from 'vitest';
import { amountTag, amountText, riyalSymbol } from '../packages/gateway-sandbox/src/pages/html.ts';
import { formatAmount } from '../packages/server-helper/src/format-amount.ts';
import { methodMarks as ofHostedPage } from '../packages/gateway-sandbox/src/pages/hosted/method-marks.ts';
import { amountTemplate } from '../packages/widget/src/amount.ts';
import { methodMarks as ofButton } from '../packages/widget/src/method-marks.ts';

const amounts = [
  [1, '0.01'],
  [11_500, '115.00'],
  [123_456_789, '1234567.89'],
] as const;

/** The directions, words and signs of an amount, in their order. */
const read = (markup: string): string =>
  markup
    .replaceAll(/<svg role="img" aria-label="([^"]*)".*?<\/svg>/gs, '[sign: $1]')
    .replaceAll(/ class="\w+"/g, '');

describe.each(['en', 'ar'] as const)('in %s the sandbox writes an amount', (language) => {
  it.each(['SAR', 'USD'])('in %s as the shop and its back office do', (currency) => {
    for (const [minor, decimal] of amounts) {
      const { html, text } = formatAmount(decimal, currency, language);
      expect(read(String(amountTag(minor, currency, language)))).toBe(read(html));
      expect(amountText(minor, currency, language)).toBe(text);
    }
  });

  it('with the drawing of the riyal sign and the digits that the button has too', () => {
    const { html } = formatAmount('9909.00', 'SAR', language);
    const path = /<path d="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(path.length).toBeGreaterThan(100);
    expect(String(riyalSymbol)).toContain(`<path d="${path}" />`);
    const button = JSON.stringify(amountTemplate('9909.00', 'SAR', language, 'SAR'));
    for (const drawn of [html, button]) {
      for (const part of [path, '9,909.00']) expect(drawn).toContain(part);
    }
  });
});

it('the button and the hosted page of the sandbox draw the same marks', () => {
  expect([...ofHostedPage.keys()]).toEqual(['mada', 'visa', 'mastercard', 'apple-pay']);
  expect([...ofHostedPage]).toEqual([...ofButton]);
});
