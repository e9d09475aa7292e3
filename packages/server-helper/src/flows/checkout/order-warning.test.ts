import { afterEach, describe, expect, it, vi } from 'vitest';
import { canaries, expectProblem, Shop, type ShopOptions } from '../../../test-support/shop.ts';
import type { Logger } from '../../logger.ts';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const untyped = (value: unknown): never => value as never;

const order = { orderId: '1001', amount: '115.00', customer: { phone: canaries.phone } };

describe('an order that cannot be paid', () => {
  let shop: Shop;
  let lines: Line[];
  afterEach(async () => {
    await shop.close();
    vi.restoreAllMocks();
  });

  const start = async (answer: unknown, more: ShopOptions['payments'] = {}): Promise<void> => {
    lines = [];
    const at =
      (level: string): Logger['warn'] =>
      (fields, message) =>
        void lines.push({ level, fields, message });
    const logger = { info: at('info'), warn: at('warn'), error: at('error') };
    shop = await Shop.start({
      payments: { logger, loadOrder: () => untyped(answer), ...more },
    });
  };

  it.each([
    ['amount', { ...order, amount: 'four euros' }, 'four euros'],
    ['currency', { ...order, currency: 'doubloons' }, 'doubloons'],
    ['customer.phone', { ...order, customer: { phone: 'unlisted' } }, 'unlisted'],
    ['customer.name', { ...order, customer: { ...order.customer, name: 77_777 } }, '77777'],
    ['orderId', { ...order, orderId: 'another-order' }, 'another-order'],
    ['orderId', [order], canaries.phone],
    ['orderId', {}, '{}'],
    ['orderId', 'a text', 'a text'],
    ['orderId', false, 'false'],
  ])('is reported by its %s and never by a value: %j', async (field, answer, value) => {
    await start(answer);
    expectProblem(await shop.checkout({ orderId: '1001' }), 422, 'invalid_order');
    expect(lines).toEqual([
      {
        level: 'warn',
        fields: { code: 'invalid_order', field, orderId: '1001', requestId: expect.any(String) },
        message: expect.stringContaining('docs/errors.md#invalid_order') as string,
      },
    ]);
    if (field !== 'amount') expect(lines[0]?.message).toContain(`Mend ${field}`);
    const { requestId: _, ...fields } = lines[0]?.fields ?? {};
    expect(JSON.stringify([fields, lines[0]?.message])).not.toContain(value);
  });

  it.each([115, { minorUnits: 1.5 }, '115', '0.00'])(
    'says how to write its amount %j',
    async (amount) => {
      await start({ ...order, amount });
      const { json } = await shop.checkout({ orderId: '1001' });
      const howToWrite = /0\.01 or more.+"49\.90".+\{ minorUnits: 4990 \}/;
      expect(lines[0]?.message).toMatch(howToWrite);
      expect(json['detail']).toMatch(howToWrite);
    },
  );

  it('is reported once a minute and field, however often a shopper clicks', async () => {
    let answer: unknown = { ...order, amount: '115' };
    await start(null, { loadOrder: () => untyped(answer) });
    const ask = () => shop.checkout({ orderId: '1001' });
    await Promise.all([ask(), ask(), ask()]);
    expect(lines).toHaveLength(1);
    answer = { ...order, currency: 'KWD' };
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
    await start({ ...order, customer: { phone: 'unlisted' } }, untyped({ logger: undefined }));
    await shop.checkout({ orderId: '1001' });
    await shop.checkout({ orderId: '1001' });
    expect(warn).toHaveBeenCalledTimes(1);
    const line = JSON.stringify(warn.mock.calls[0]);
    expect(line).toMatch(/loadOrder.+invalid_order.+customer\.phone.+1001/);
    expect(line).not.toContain('unlisted');
  });

  it('is reported too when the merchant’s own code asks for its link', async () => {
    await start({ ...order, amount: '115' });
    await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({ code: 'invalid_order' });
    expect(lines).toMatchObject([{ fields: { field: 'amount', orderId: '1001' } }]);
  });

  it('that loadOrder forgets to return is reported: an answer of undefined is a 404', async () => {
    await start(undefined);
    expectProblem(await shop.checkout({ orderId: '1001' }), 404, 'order_not_found');
    expect(lines).toMatchObject([
      {
        fields: { code: 'order_not_found', orderId: '1001' },
        message: expect.stringMatching(/undefined.+return.+null/) as string,
      },
    ]);
  });

  it('is not reported when there is no such order, or a shopper asks for what is no order id', async () => {
    await start(null);
    expectProblem(await shop.checkout({ orderId: '1001' }), 404, 'order_not_found');
    expectProblem(await shop.checkout({ orderId: '../1001' }), 422, 'invalid_order');
    expect(lines).toEqual([]);
  });
});
