import fc from 'fast-check';
import { beforeEach, describe, it, vi, expect } from 'vitest';
import { attemptKey } from './attempt-key.ts';

let orders = 0;
let order = { orderId: '', amount: '115.00', currency: 'SAR', data: undefined as unknown };

beforeEach(() => void (order = { ...order, orderId: `order-${Date.now()}-${orders++}` }));

describe('attemptKey', () => {
  it('changes when order, amount, currency or data change', () => {
    const keys = [
      order,
      { ...order, orderId: `${order.orderId}-b` },
      { ...order, amount: '115.01' },
      { ...order, currency: 'USD' },
      { ...order, data: { note: 'x' } },
      { ...order, data: { note: 'y' } },
    ].map(attemptKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('stays the same when equal data is set again, in any order of its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const turned = Object.fromEntries(Object.entries(data).toReversed());
        expect(attemptKey({ ...order, data: turned })).toBe(attemptKey({ ...order, data }));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps nothing of the data in the storage', () => {
    attemptKey({ ...order, data: { phone: '+966500000001' } });
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('966500000001');
  });

  it('lasts as long as the page where the browser refuses storage', () => {
    const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const key = attemptKey(order);
    expect(attemptKey(order)).toBe(key);
    refuse.mockRestore();
  });
});
