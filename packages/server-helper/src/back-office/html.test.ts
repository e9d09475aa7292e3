import { expect, it } from 'vitest';
import { byLanguage, typedAmount } from './html.ts';

it.each([
  ['115', '115.00'],
  [' 115.5 ', '115.50'],
  ['1,150.55', '1150.55'],
  ['0007.10', '7.10'],
  ['0', '0.00'],
  ['١١٥٫٥٠', '115.50'],
  ['۱۱۵', '115.00'],
  ['١٬١٥٠', '1150.00'],
])('"%s" is read as %s', (typed, amount) => {
  expect(typedAmount(typed)).toBe(amount);
});

const nothing = '|-1|1e3|115.555|1.150,00|11,5|115 SAR|0x10|99999999999999'.split('|');
it.each(nothing)('"%s" is read as nothing, and never rounded', (typed) => {
  expect(typedAmount(typed)).toBeNull();
});

it('a text stays in its language, and what fills its gaps cannot turn it or break it', () => {
  const texts = byLanguage({
    short: ['Order {name}', 'الطلب {name}'],
    long: `Order {name} is paid.
      دُفع الطلب {name}.`,
  });
  const name = '\u2068{name}\u2069\n\u2067x';
  const shown = '\u2068{name}\nx\u2069';
  const english = [texts.en.short({ name }), texts.en.long({ name })];
  expect(english).toEqual([`Order ${shown}`, `Order ${shown} is paid.`]);
  const arabic = [texts.ar.short({ name }), texts.ar.long({ name })];
  expect(arabic).toEqual([`الطلب ${shown}`, `دُفع الطلب ${shown}.`]);
});
