import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { untyped } from '../test-support/some-options.ts';
import {
  currencyOf,
  decimalOf,
  InvalidMoneyError,
  isCurrency,
  money,
  parseAmount,
  sameMoney,
  toWireNumber,
} from './money.ts';
import { formatAmount } from './format-amount.ts';

const LARGEST = 999_999_999_999_999;
const minorUnits = fc.integer({ min: 0, max: LARGEST });
/** A value of any type as one argument, named by its type and text. */
const anyOf = (values: readonly unknown[]) =>
  values.map((value) => [`${typeof value} ${JSON.stringify(String(value))}`, value] as const);
function faultOf(amount: unknown, currency?: unknown): string {
  try {
    money(untyped(amount), untyped(currency));
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidMoneyError);
    if (error instanceof InvalidMoneyError) return error.field;
  }
  return 'none';
}

describe('an amount', () => {
  const amounts = { '0.01': 1, '115.00': 11_500, '0115.00': 11_500, '9999999999999.99': LARGEST };
  it.each(Object.entries(amounts))('of %s is %i minor units', (text, expected) => {
    expect(parseAmount(text)).toBe(expected);
  });

  const texts =
    '1 1. .50 1.5 1.555 1,00 +1.00 -1.00 1e2 1.0e2 0x64 1_000.00 1,000.00 NaN Infinity ' +
    '١١٥.٠٠ １.００ 99999999999999.00';
  const others = [100, 1.5, 100n, null, undefined, ['1.00'], { toString: () => '1.00' }];
  const wrong = ['', '1.00 ', ' 1.00', '1.00\n', 'SAR 1.00', ...texts.split(' '), ...others];
  it.each(anyOf(wrong))('is not %s', (_name, text) => {
    expect(parseAmount(text)).toBeUndefined();
  });

  it('comes back from its text unchanged, and is whole all the way', () => {
    fc.assert(
      fc.property(minorUnits, (units) => {
        const text = decimalOf(units);
        expect(text).toMatch(/^\d+\.\d{2}$/);
        expect(parseAmount(text)).toBe(units);
        expect(Number.isSafeInteger(parseAmount(text))).toBe(true);
      }),
    );
  });

  it('is exact on the wire: the JSON number has the amount’s own digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LARGEST }), (units) => {
        const wire = JSON.stringify(toWireNumber(money(decimalOf(units))));
        const [whole = '', decimals = ''] = wire.split('.');
        expect(`${whole}.${decimals.padEnd(2, '0')}`).toBe(decimalOf(units));
      }),
    );
  });

  it('of any other text is refused or exactly its two decimals', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        if (parseAmount(text) !== undefined) expect(text).toMatch(/^\d{1,13}\.\d{2}$/);
      }),
    );
  });

  it('is refused with the field at fault and without the whole of a hostile text', () => {
    const hostile = ['1'.repeat(10_000), 115, 115n, Symbol('x'), null, {}, [], () => 1];
    for (const amount of hostile) expect(faultOf(amount)).toBe('amount');
    expect(() => money('1'.repeat(10_000))).toThrow(/^.{0,250}$/);
  });

  it('of nothing is not payable', () => {
    expect(faultOf('0.00')).toBe('amount');
    expect(money('0.01')).toEqual({ minorUnits: 1, currency: 'SAR' });
  });
});

describe('a currency', () => {
  // What two decimals cannot carry, what nobody knows, and what every object has.
  const codes = ['KWD', 'BHD', 'OMR', 'JOD', 'TND', 'JPY', 'sar', 'SA', 'SARR', '', '682', ' SAR'];
  const others = ['constructor', '__proto__', 'hasOwnProperty', 17, null, ['SAR'], 10n];
  it.each(anyOf([...codes, ...others]))('is not %s', (_name, code) => {
    expect(isCurrency(code)).toBe(false);
    expect(faultOf('1.00', code)).toBe('currency');
  });

  const named = { 682: 'SAR', SAR: 'SAR', sar: undefined, '0682': undefined, '': undefined };
  it.each(Object.entries(named))('that %s names is %s', (code, expected) => {
    expect(currencyOf(code)).toBe(expected);
  });
});

it('two amounts are the same only in minor units and currency', () => {
  expect(sameMoney(money('1.00'), money('01.00', 'SAR'))).toBe(true);
  expect(sameMoney(money('1.00'), money('1.01'))).toBe(false);
  expect(sameMoney(money('1.00', 'SAR'), money('1.00', 'USD'))).toBe(false);
});

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
