import { describe, expect, it } from 'vitest';
import type { Order } from '../../options/payments-options.ts';
import { payableOrder } from './load-order.ts';

const customer = { name: 'Noura', email: 'noura@example.com', phone: '0501234567' };
const order: Order = { orderId: '1001', amount: '115.00', customer };

const payable = (changes: object = {}, asked = '1001') =>
  payableOrder({ ...order, ...changes }, asked);

describe('an order that loadOrder answered', () => {
  it('is taken with its amount in minor units, SAR where it names no currency', () => {
    const amount = { minorUnits: 11_500, currency: 'SAR' };
    expect(payable()).toMatchObject({ orderId: '1001', amount, customer: { phone: '0501234567' } });
    expect(payable({ amount: { minorUnits: 11_500 } }).amount).toEqual(amount);
    expect(payable({ currency: 'USD' }).amount.currency).toBe('USD');
  });

  it.each([
    ['absent', {}],
    ['null, as a database column gives them', { name: null, email: null }],
  ])('is taken where name and e-mail are %s', (_what, given) => {
    const { name, email } = payable({ customer: { phone: '0501234567', ...given } }).customer;
    expect([name, email]).toEqual([undefined, undefined]);
  });

  const amounts = [
    '115',
    '115.0',
    '0.00',
    '-1.00',
    '1e2',
    '',
    115,
    115n,
    undefined,
    null,
    {},
    [],
    ...[0, -1, 1.5, Number.NaN, 10 ** 15, '11500', 11_500n].map((minorUnits) => ({ minorUnits })),
    { minorUnits: 11_500, currency: 'USD' },
  ].map((amount): [string, object] => ['amount', { amount }]);
  // The gateway requires a phone.
  const phones = ['', ' ', '123', 'none', '+', undefined, null, 501_234_567].map(
    (phone): [string, object] => ['customer.phone', { customer: { phone } }],
  );

  it.each<[field: string, changes: object, asked?: string]>([
    ...amounts,
    ...phones,
    ...['KWD', 'sar', '', 682].map((currency): [string, object] => ['currency', { currency }]),
    ['orderId', { orderId: '1002' }],
    ['orderId', { orderId: 'A1' }, 'a1'],
    ['orderId', { orderId: 1001 }],
    ['customer.phone', { customer: undefined }],
    ['customer.phone', { customer: null }],
    ['customer.name', { customer: { ...customer, name: 'x'.repeat(201) } }],
    ['customer.name', { customer: { ...customer, name: 7 } }],
    ['customer.email', { customer: { ...customer, email: 'x'.repeat(255) } }],
  ])('is refused by the name of its %s (case %#)', (field, changes, asked) => {
    const refused = { name: 'PaymentsError', code: 'invalid_order', field };
    expect(() => payable(changes, asked)).toThrow(expect.objectContaining(refused));
  });

  it('is refused without quoting the customer', () => {
    const canary = { name: 'canary', email: 'canary@example.com', phone: 'canary-050-none' };
    expect(() => payable({ customer: canary })).toThrow(/^(?!.*canary)/s);
  });
});
