import fc from 'fast-check';
import { expect, it } from 'vitest';
import { catalog } from './catalog.ts';
import {
  addToBasket,
  basketTotal,
  decodeBasket,
  encodeBasket,
  isQuantity,
  MAX_QUANTITY,
} from './basket.ts';

const sku = fc.constantFrom(...catalog.map((product) => product.sku));
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
        expect(catalog.some((product) => product.sku === line.sku)).toBe(true);
        expect(isQuantity(line.quantity)).toBe(true);
      }
    }),
  );
});

it('holds at most as many pieces of a product as one order may', () => {
  let lines = decodeBasket(`coffee:${MAX_QUANTITY}`);
  lines = addToBasket(lines, 'coffee');
  expect(lines).toEqual([{ sku: 'coffee', quantity: MAX_QUANTITY }]);
});

it('adds up in whole halalas, where floats would not', () => {
  expect(basketTotal(decodeBasket('halala:3.sticker:1.limit-tester:1'))).toBe(990_103);
});
