import { afterEach, describe, expect, it, vi } from 'vitest';
import { untyped } from '../../../test-support/some-options.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import {
  canaries,
  expectProblem,
  type Shop,
  type ShopOptions,
} from '../../../test-support/shop.ts';
import type { Logger } from '../../logger.ts';
import type { Order } from '../../options/payments-options.ts';
import { payableOrder } from './load-order.ts';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const answered = { orderId: '1001', amount: '115.00', customer: { phone: canaries.phone } };

describe('an order that cannot be paid', () => {
  let shop: Shop;
  let lines: Line[];
  afterEach(() => void vi.restoreAllMocks());

  const start = async (answer: unknown, more: ShopOptions['payments'] = {}): Promise<void> => {
    lines = [];
    const at =
      (level: string): Logger['warn'] =>
      (fields, message) =>
        void lines.push({ level, fields, message });
    const logger = { info: at('info'), warn: at('warn'), error: at('error') };
    shop = await startShop({ payments: { logger, loadOrder: () => untyped(answer), ...more } });
  };

  it.each([
    ['amount', { ...answered, amount: 'four euros' }, 'four euros'],
    ['currency', { ...answered, currency: 'doubloons' }, 'doubloons'],
    // Else they would be priced in riyals.
    ['currency', { ...answered, curency: 'USD' }, 'USD'],
    ['currency', { ...answered, currency_code: 'USD' }, 'USD'],
    ['customer.phone', { ...answered, customer: { phone: 'unlisted' } }, 'unlisted'],
    ['customer.name', { ...answered, customer: { ...answered.customer, name: 77_777 } }, '77777'],
    ['orderId', { ...answered, orderId: 'another-order' }, 'another-order'],
    ['orderId', [answered], canaries.phone],
    ['orderId', {}, '{}'],
    ['orderId', 'a plain one', 'a plain one'],
    ['orderId', false, 'false'],
  ])('is reported by its %s and never by a value: %j', async (field, answer, value) => {
    await start(answer);
    const refused = await shop.checkout({ orderId: '1001' });
    expectProblem(refused, 422, 'invalid_order');
    expect(lines).toEqual([
      {
        level: 'warn',
        fields: { code: 'invalid_order', field, orderId: '1001', requestId: expect.any(String) },
        message: expect.stringContaining('docs/errors.md#invalid_order') as string,
      },
    ]);
    const howToMend = String(refused.json['detail']).split('. ').at(-1);
    expect(lines[0]?.message).toContain(`refused for its ${field}. ${howToMend}`);
    const { requestId: _, ...fields } = lines[0]?.fields ?? {};
    expect(JSON.stringify([fields, lines[0]?.message])).not.toContain(value);
  });

  it.each([115, { minorUnits: 1.5 }, '115', '0.00'])('says how to write %j', (amount) => {
    const howToWrite = /0\.01 or more.+"49\.90".+\{ minorUnits: 4990 \}/;
    expect(() => payable({ amount })).toThrow(howToWrite);
  });

  it('is reported once a minute and field, however often a shopper clicks', async () => {
    let answer: unknown = { ...answered, amount: '115' };
    await start(null, { loadOrder: () => untyped(answer) });
    const ask = () => shop.checkout({ orderId: '1001' });
    await Promise.all([ask(), ask(), ask()]);
    expect(lines).toHaveLength(1);
    answer = { ...answered, currency: 'KWD' };
    await ask();
    await ask();
    expect(lines.map(({ fields }) => fields['field'])).toEqual(['amount', 'currency']);
    shop.later(61_000);
    await ask();
    await ask();
    expect(lines.map(({ fields }) => fields['field'])).toEqual(['amount', 'currency', 'currency']);
  });

  it('is reported on the console where the shop gave no logger', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    await start({ ...answered, customer: { phone: 'unlisted' } }, untyped({ logger: undefined }));
    await shop.checkout({ orderId: '1001' });
    await shop.checkout({ orderId: '1001' });
    expect(warn).toHaveBeenCalledTimes(1);
    const line = JSON.stringify(warn.mock.calls[0]);
    expect(line).toMatch(/loadOrder.+invalid_order.+customer\.phone.+1001/);
    expect(line).not.toContain('unlisted');
  });

  it('is reported too when the merchant’s own code asks for its link', async () => {
    await start({ ...answered, amount: '115' });
    await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({ code: 'invalid_order' });
    expect(lines).toMatchObject([{ fields: { field: 'amount', orderId: '1001' } }]);
  });

  it('that loadOrder forgets to return is reported: an answer of undefined is a 404', async () => {
    await start(undefined);
    expectProblem(await shop.checkout({ orderId: '1001' }), 404, 'order_not_found');
    const message = expect.stringMatching(/undefined.+return.+null/) as string;
    const fields = { code: 'order_not_found', orderId: '1001' };
    expect(lines).toMatchObject([{ fields, message }]);
  });

  it('is not reported when there is no such order, or a shopper asks for what is no order id', async () => {
    await start(null);
    expectProblem(await shop.checkout({ orderId: '1001' }), 404, 'order_not_found');
    expectProblem(await shop.checkout({ orderId: '../1001' }), 422, 'invalid_order');
    expect(lines).toEqual([]);
  });
});

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
