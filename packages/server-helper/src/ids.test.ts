import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaymentsError } from './errors.ts';
import { attemptName, checkOrderId } from './ids.ts';

const FIRST = 'ABCXYZabcxyz0189';
const others = fc.array(fc.constantFrom(...`${FIRST}._:@+-`.split('')), { maxLength: 99 });
const orderIds = fc
  .tuple(fc.constantFrom(...FIRST.split('')), others)
  .map(([first, rest]) => first + rest.join(''));

function isRefused(orderId: unknown): boolean {
  try {
    checkOrderId(orderId);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(PaymentsError);
    expect(error).toMatchObject({ code: 'invalid_order', field: 'orderId' });
    return true;
  }
}

describe('an order id', () => {
  const right = ['1', '1001', 'INV-2026.07', 'a@b', 'x:y', 'A+1', 'a..b', 'z'.repeat(100)];
  it.each(right)('may be %s', (orderId) => {
    expect(checkOrderId(orderId)).toBe(orderId);
  });

  const texts = `~ 1001~1 . .. ../x -rf @x a/b a\\b a%2e a?b a#b a"b a'b a;b <a> طلب ａ`.split(' ');
  const blanks = ['', ' ', 'a b', 'a\n', 'a\0', 'z'.repeat(101)];
  const noTexts = [1001, 1001n, null, undefined, ['1001'], { toString: () => '1001' }];
  const wrong: readonly unknown[] = [...blanks, ...texts, ...noTexts];
  const named = wrong.map((value) => [`${typeof value} ${JSON.stringify(String(value))}`, value]);
  it.each(named)('may not be %s', (_name, orderId) => {
    expect(isRefused(orderId)).toBe(true);
  });

  it('that is accepted means the same in an address, a path and a query', () => {
    fc.assert(
      fc.property(orderIds, (orderId) => {
        expect(checkOrderId(orderId)).toBe(orderId);
        const address = new URL(`https://shop.example/orders/${encodeURIComponent(orderId)}/end`);
        expect(decodeURIComponent(address.pathname.split('/')[2] ?? '')).toBe(orderId);
      }),
    );
  });

  it('of any other text is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
        if (!isRefused(text)) expect(text).toMatch(/^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}$/);
      }),
    );
  });
});

describe('an attempt’s name', () => {
  it('belongs to one order and one attempt only', () => {
    const attempts = fc.tuple(orderIds, fc.integer({ min: 1, max: 1_000 }));
    fc.assert(
      fc.property(attempts, attempts, (left, right) => {
        const isSame = left[0] === right[0] && left[1] === right[1];
        expect(attemptName(...left) === attemptName(...right)).toBe(isSame);
      }),
    );
  });

  it('is the order’s id and the number', () => {
    expect(attemptName('1001', 2)).toBe('1001~2');
  });
});
