import { describe, expect, it } from 'vitest';
import { PaymentsError } from '../../errors.ts';
import type { Order } from '../../options/payments-options.ts';
import { payableOrder } from './load-order.ts';

const order: Order = {
  orderId: '1001',
  amount: '115.00',
  customer: { name: 'Noura', email: 'noura@example.com', phone: '0501234567' },
};

const untyped = (value: unknown): never => value as never;

/** The field at fault, as the shopper's browser is told it. */
function fieldOf(changes: object, asked = '1001'): string | undefined {
  try {
    payableOrder(untyped({ ...order, ...changes }), asked);
  } catch (error) {
    expect(error).toBeInstanceOf(PaymentsError);
    expect(error).toMatchObject({ code: 'invalid_order' });
    if (error instanceof PaymentsError) return error.field;
  }
  return undefined;
}

describe('an order that loadOrder answered', () => {
  it('is taken with its amount in minor units, SAR where it names no currency', () => {
    expect(payableOrder(order, '1001')).toMatchObject({
      orderId: '1001',
      amount: { minorUnits: 11_500, currency: 'SAR' },
      customer: { phone: '0501234567' },
    });
    expect(payableOrder({ ...order, currency: 'USD' }, '1001').amount.currency).toBe('USD');
  });

  it('is taken with its amount in whole minor units', () => {
    const payable = payableOrder({ ...order, amount: { minorUnits: 11_500 } }, '1001');
    expect(payable.amount).toEqual({ minorUnits: 11_500, currency: 'SAR' });
  });

  it.each([
    { minorUnits: 0 },
    { minorUnits: -1 },
    { minorUnits: 1.5 },
    { minorUnits: Number.NaN },
    { minorUnits: 10 ** 15 },
    { minorUnits: '11500' },
    { minorUnits: 11_500n },
    { minorUnits: 11_500, currency: 'USD' },
    {},
    [],
  ])('with the amount %o is refused', (amount) => {
    expect(fieldOf({ amount })).toBe('amount');
  });

  it('of another id than asked for is refused, even when it differs in case only', () => {
    expect(fieldOf({ orderId: '1002' })).toBe('orderId');
    expect(fieldOf({ orderId: 'A1' }, 'a1')).toBe('orderId');
    expect(fieldOf({ orderId: 1001 })).toBe('orderId');
  });

  it.each(['115', '115.0', '0.00', '-1.00', '1e2', '', 115, 115n, undefined, null])(
    'with the amount %s is refused',
    (amount) => {
      expect(fieldOf({ amount })).toBe('amount');
    },
  );

  it.each(['KWD', 'sar', '', 682])('with the currency %s is refused', (currency) => {
    expect(fieldOf({ currency })).toBe('currency');
  });

  it.each(['', ' ', '123', 'none', '+', undefined, null, 501234567])(
    'with the phone %s is refused, since the gateway requires one',
    (phone) => {
      expect(fieldOf({ customer: { phone } })).toBe('customer.phone');
    },
  );

  it('with an endless name or e-mail is refused', () => {
    const customer = order.customer;
    expect(fieldOf({ customer: { ...customer, name: 'x'.repeat(201) } })).toBe('customer.name');
    expect(fieldOf({ customer: { ...customer, email: 'x'.repeat(255) } })).toBe('customer.email');
  });

  it('without a customer is refused for its missing phone', () => {
    expect(fieldOf({ customer: undefined })).toBe('customer.phone');
    expect(fieldOf({ customer: null })).toBe('customer.phone');
  });

  it('with a null name or e-mail, as a database column gives it, is taken without them', () => {
    const customer = { phone: '0501234567', name: null, email: null };
    const { name, email } = payableOrder({ ...order, customer }, '1001').customer;
    expect([name, email]).toEqual([undefined, undefined]);
  });

  it('with a name that is no text is refused', () => {
    expect(fieldOf({ customer: { ...order.customer, name: 7 } })).toBe('customer.name');
  });

  it('without name and e-mail is taken', () => {
    expect(fieldOf({ customer: { phone: '0501234567' } })).toBeUndefined();
  });

  it('is refused without quoting the customer', () => {
    const customer = { name: 'canary', email: 'canary@example.com', phone: 'canary-050-none' };
    try {
      payableOrder({ ...order, customer }, '1001');
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('canary');
    }
  });
});
