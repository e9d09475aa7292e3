import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { shopOn } from '../../../test-support/shop-of-test.ts';

const ORDER = '1001';

describe.each(flowStores)('a sale that was sent, in %s,', (name) => {
  let shop: Shop;
  let price: () => string;
  /** Happens while the gateway is at the sale. */
  let meanwhile: () => unknown;
  /** The second word of its answer. */
  let word: string;
  const transactionId = randomUUID();

  beforeEach(async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    price = () => '115.00';
    meanwhile = () => undefined;
    const customer = { phone: '0598765432' };
    const loadOrder = (orderId: string) => ({ orderId, amount: price(), customer });
    shop = await shopOn(name, { loadOrder });
    word = 'SUCCESS';
    shop.gateway.script = async (request, response) => {
      if (!request.path.endsWith('/sale')) return shop.gateway.answerUsually(request, response);
      await meanwhile();
      const data = { result: 'SUCCESS', status: word, transactionId, payment_id: '77' };
      sendJson(response, 200, { code: 200, message: 'ok', errorCode: null, data });
    };
  });
  afterEach(() => vi.restoreAllMocks());

  const sell = (auth: 'authorize' | 'capture') =>
    shop.payments.sale(ORDER, { auth, card: aCard, requestId: 's-1' });
  const fails = (): string => {
    throw new RangeError('the catalogue is away');
  };

  it('is answered by its outcome, and by no error, where it cannot be confirmed yet', async () => {
    meanwhile = () => (price = fails);
    shop.gateway.rows.set(transactionId, [statusRow({ transactionId })]);
    expect(await sell('capture')).toMatchObject({ result: 'pending', transactionId });
    price = () => '115.00';
    shop.later(70_000);
    await shop.payments.tick();
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'paid' });
  });

  it.each(['SUCCESS', 'PENDING'])('holds the amount at once: SUCCESS and %s', async (status) => {
    word = status;
    expect(await sell('authorize')).toMatchObject({ result: 'success' });
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'authorized' });
    // An authorization is PENDING until it is captured, and FAILED once it holds nothing.
    for (const [paymentStatus, transactionStatus, state] of [
      ['PENDING', 'PENDING', 'authorized'],
      ['DECLINED', 'FAILED', 'voided'],
    ] as const) {
      shop.gateway.rows.set(transactionId, [
        statusRow({ transactionId, transactionStatus, paymentStatus }),
      ]);
      shop.later();
      expect(await shop.payments.confirm(ORDER)).toMatchObject({ state });
    }
  });

  it.each([
    ['has changed', () => '1000.00', 'order_changed'],
    ['cannot be said', fails, 'order_missing'],
  ])('holds the amount for a person where the price %s', async (_what, now, reason) => {
    meanwhile = () => (price = now);
    await sell('authorize');
    const view = await shop.payments.retrieve(ORDER);
    expect(view).toMatchObject({ state: 'review', review: [{ reason, transactionId }] });
    price = () => '115.00';
    await shop.payments.review.accept(view?.review[0]?.id ?? '', 'the price is right');
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'authorized', review: [] });
  });

  it('beside money in review can be accepted once that is resolved', async () => {
    const { session } = await shop.open(ORDER);
    meanwhile = async () => {
      shop.gateway.rows.set(session, [statusRow({ amount: '100.00' })]);
      shop.later();
      await shop.payments.confirm(ORDER);
    };
    shop.later();
    await sell('authorize');
    const id = `${ORDER}/paid_in_review/${transactionId}`;
    await shop.payments.review.accept(id, 'the other is refunded');
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'authorized' });
  });
});
