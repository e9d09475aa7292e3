import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal, includedVat } from './catalog.ts';

it.each([
  [1, '0.01'],
  [99, '0.99'],
  [100, '1.00'],
  [11_500, '115.00'],
  [990_909, '9909.09'],
])('writes %i halalas as %s', (halalas, text) => {
  expect(decimal(halalas)).toBe(text);
});

it('finds exactly the tax that was added to a net price of whole riyals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (riyals) => {
      expect(includedVat(riyals * 115)).toBe(riyals * 15);
    }),
  );
});

it('is never further from the true tax than half a halala', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (halalas) => {
      expect(Math.abs(includedVat(halalas) - (halalas * 15) / 115)).toBeLessThanOrEqual(0.5);
    }),
  );
});
