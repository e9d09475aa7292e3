import fc from 'fast-check';
import { expect, it } from 'vitest';
import { phoneVectors } from '../../../contract/vectors.ts';
import {
  basketTotal,
  decodeBasket,
  encodeBasket,
  isQuantity,
  MAX_QUANTITY,
  readPhone,
} from './basket.ts';
import { catalog, includedVat } from './catalog.ts';

const sku = fc.constantFrom(...catalog.keys());
const baskets = fc.uniqueArray(
  fc.record({ sku, quantity: fc.integer({ min: 1, max: MAX_QUANTITY }) }),
  { selector: (line) => line.sku },
);

it('reads back every basket that it wrote', () => {
  fc.assert(
    fc.property(baskets, (lines) => {
      expect(decodeBasket(encodeBasket(lines))).toEqual(lines);
    }),
  );
});

it('reads nothing but products and good quantities out of any text', () => {
  const pieces = fc.oneof(fc.string(), fc.constantFrom('coffee:100', 'coffee:-1', 'coffee:1e1'));
  fc.assert(
    fc.property(fc.array(pieces), (texts) => {
      for (const line of decodeBasket(texts.join('.'))) {
        expect(catalog.has(line.sku)).toBe(true);
        expect(isQuantity(line.quantity)).toBe(true);
      }
    }),
  );
});

it('adds up in whole halalas, where floats would not', () => {
  expect(basketTotal(decodeBasket('halala:3.sticker:1.limit-tester:1'))).toBe(990_103);
});

it('is never further from the true tax than half a halala', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (halalas) => {
      expect(Math.abs(includedVat(halalas) - (halalas * 15) / 115)).toBeLessThanOrEqual(0.5);
    }),
  );
});

it.each(phoneVectors.phones)('reads $given as the gateway does', ({ given, sent }) => {
  expect(readPhone(given) ?? null).toBe(sent);
});
