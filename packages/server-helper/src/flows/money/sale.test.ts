import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  declined,
  salesOf,
  sell as sellAt,
  start,
  undecided,
} from '../../../test-support/attacked-shop.ts';
import { MINUTE_MS } from '../../../test-support/durations.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { inA, sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import type { TransactionShop } from '../../../test-support/transaction-gateway.ts';
import { storeWith } from '../../doubles/faulty-store.ts';
import type { PaymentEvent } from '../../index.ts';
import { memoryStore } from '../../testing.ts';

describe('a sale', () => {
  let at: TransactionShop;
  let shop: Shop;
  let shipped: string[];
  beforeEach(async () => {
    shipped = [];
    const inTransaction = (_tx: unknown, { type, orderId }: PaymentEvent) =>
      void (type === 'paid' && shipped.push(orderId));
    at = await start({}, { asksFor: 'session' }, { payments: { inTransaction } });
    ({ shop } = at);
  });

  const sell = (requestId?: string) => sellAt(at, 'capture', requestId);
  /** The gateway answers a sale so, and its status shows such a row of it. */
  function sells(result: 'SUCCESS' | 'REDIRECT' | 'DECLINED', row: object = {}): string {
    const transactionId = at.sells(result);
    at.shows(transactionId, { transactionId, ...row });
    return transactionId;
  }

  it('pays the order once the status confirms it, and ships once', async () => {
    sells('SUCCESS');
    expect(await sell()).toMatchObject({ result: 'success', state: 'succeeded', amount: '115.00' });
    const { payment } = await shop.record();
    expect(payment).toMatchObject({ state: 'paid', capturedMinorUnits: 11_500 });
    expect(shipped).toEqual(['1001']);
    await expect(sell('s-2')).rejects.toMatchObject({ code: 'already_paid' });
    expect(salesOf(at)).toHaveLength(1);
  });

  it('is paid by nothing but the status', async () => {
    const id = sells('SUCCESS');
    const answersAgain = at.about({ [id]: [503, {}] });
    expect(await sell()).toMatchObject({ result: 'pending', state: 'pending' });
    expect(await at.state()).toBe('pending');
    answersAgain();
    await at.later(20_000);
    expect(await at.state()).toBe('paid');
    expect(await sell()).toMatchObject({ result: 'success' });
  });

  it('behind a challenge is paid after the shopper passed it', async () => {
    const transactionId = sells('REDIRECT', undecided);
    expect(await sell()).toMatchObject({ result: 'redirect', html: '<form></form>' });
    // The challenge is kept nowhere, so only the first answer has it.
    expect(await sell()).toMatchObject({ result: 'pending', html: null });
    await at.later(20_000);
    expect(await at.state()).toBe('pending');
    at.shows(transactionId, { transactionId });
    await at.later(20_000);
    expect(await at.state()).toBe('paid');
    expect(await sell()).toMatchObject({ result: 'success', reason: 'evidence' });
    expect(shipped).toEqual(['1001']);
  });

  it('that is declined fails the payment, and another card may pay', async () => {
    sells('DECLINED');
    expect(await sell()).toMatchObject({ result: 'declined', state: 'failed' });
    expect(await at.state()).toBe('failed');
    sells('SUCCESS');
    expect(await sell()).toMatchObject({ result: 'declined' });
    expect(await sell('s-2')).toMatchObject({ result: 'success' });
  });

  it('whose answer was lost stops the order until a person has looked, and is never sent again', async () => {
    const transactionId = at.sells();
    at.shows(transactionId, { transactionId });
    expect(await sell()).toMatchObject({ result: 'unknown', state: 'unknown' });
    expect(await at.state()).toBe('review');
    await expect(sell('s-2')).rejects.toMatchObject({ code: 'in_review' });
    expect((await shop.checkout({ orderId: '1001' })).json).toMatchObject({ code: 'in_review' });
    expect((await shop.record()).attempts).toMatchObject([{ kind: 'sale', state: 'lost' }]);
    const done = (options?: { transactionId: string }) =>
      shop.payments.resolveOperation('request/s-1', 'succeeded', 'on the dashboard', options);
    const nameless = { code: 'invalid_operation', field: 'transactionId' };
    await expect(done()).rejects.toMatchObject(nameless);
    await done({ transactionId });
    expect(shipped).toEqual([]);
    await at.later(20_000);
    expect(await at.state()).toBe('paid');
    expect(shipped).toEqual(['1001']);
    expect(salesOf(at)).toHaveLength(1);
  });

  it('keeps nothing of the card, in no row, no log entry and no event', async () => {
    sells('SUCCESS');
    await sell();
    await at.later(20_000);
    const all = JSON.stringify([
      await shop.record(),
      await shop.store.history('1001'),
      shop.logged,
    ]);
    expect(all).toContain('request/s-1');
    // A random id or a time may hold the digits of a security code by chance.
    const chance = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<!\d)\d{13}(?!\d)|\.\d{3}Z/g;
    const kept = all.replaceAll(chance, 'by chance');
    for (const secret of [aCard.number, aCard.cvv, aCard.holderName])
      expect(kept).not.toContain(secret);
  });
});

it.each(['refund', 'sale'] as const)(
  'a %s is not sent by a process that has stood still since the commit: it may have been asked for anew',
  async (kind) => {
    const inner = memoryStore();
    const save: typeof inner.save = async (change, hook) => {
      const saved = await inner.save(change, hook);
      if (change.record.operations.some(({ state }) => state === 'sending')) shop.later(20_000);
      return saved;
    };
    const shop = await startShop({ payments: { store: storeWith(inner, { save }) } });
    const asked = {
      refund: async () => {
        const { session } = await shop.open('1001');
        await shop.finds(session, {});
        return shop.payments.refund('1001', { amount: '50.00', requestId: 'r-1' });
      },
      sale: () => shop.payments.sale('1001', { auth: 'capture', card: aCard, requestId: 'r-1' }),
    };
    expect(await asked[kind]()).toMatchObject({ state: 'failed', reason: 'interrupted' });
    expect(shop.gateway.requestsTo(`/payment/s2s/${kind}`)).toEqual([]);
  },
);

describe('a sale that was sent', () => {
  let shop: Shop;
  let price: () => string;
  /** Happens while the gateway is at the sale. */
  let meanwhile: () => unknown;
  /** The second word of its answer. */
  let word: string;
  /** The order that its answer names. */
  let order: string;
  const transactionId = randomUUID();

  beforeEach(async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    price = () => '115.00';
    meanwhile = () => undefined;
    const customer = { phone: '0598765432' };
    const loadOrder = (orderId: string) => ({ orderId, amount: price(), customer });
    shop = await startShop({ payments: { loadOrder } });
    word = 'SUCCESS';
    order = '1001';
    shop.gateway.answerAt('/sale', async (_request, response) => {
      await meanwhile();
      const data = { result: 'SUCCESS', status: word, transactionId, payment_id: '77' };
      sendJson(response, 200, inA({ ...data, order_id: order }));
    });
  });
  afterEach(() => vi.restoreAllMocks());

  const sellAnd = (auth: 'authorize' | 'capture') =>
    shop.payments.sale('1001', { auth, card: aCard, requestId: 's-1' });
  const fails = (): string => {
    throw new RangeError('the catalogue is away');
  };

  it('is answered by its outcome, and by no error, where it cannot be confirmed yet', async () => {
    meanwhile = () => (price = fails);
    shop.shows(transactionId, { transactionId });
    expect(await sellAnd('capture')).toMatchObject({ result: 'pending', transactionId });
    price = () => '115.00';
    shop.later(70_000);
    await shop.payments.tick();
    expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'paid' });
  });

  it('has an unknown outcome where its answer names another order', async () => {
    order = '2002~1';
    const result = { result: 'unknown', reason: 'contradicting_words' };
    expect(await sellAnd('authorize')).toMatchObject(result);
    expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'review' });
  });

  it.each(['capture', 'void'] as const)(
    'holds an amount whose %s is unknown where the answer names another order',
    async (verb) => {
      await sellAnd('authorize');
      const action = verb === 'void' ? 'CREDITVOID' : 'CAPTURE';
      const answer = inA({ result: 'ACCEPTED', action, order_id: '2002~1' });
      shop.gateway.answerAt(`/${verb}`, (_request, response) => sendJson(response, 200, answer));
      const asked = { ...(verb === 'capture' && { amount: '115.00' }), requestId: 'm-1' };
      const unclear = { state: 'unknown', reason: 'contradicting_words' };
      expect(await shop.payments[verb]('1001', asked as never)).toMatchObject(unclear);
      expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'authorized' });
    },
  );

  it.each(['SUCCESS', 'PENDING'])('holds the amount at once: SUCCESS and %s', async (status) => {
    word = status;
    expect(await sellAnd('authorize')).toMatchObject({ result: 'success' });
    expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'authorized' });
    // An authorization is PENDING until it is captured, and FAILED once it holds nothing.
    for (const [paymentStatus, transactionStatus, state] of [
      ['PENDING', 'PENDING', 'authorized'],
      ['DECLINED', 'FAILED', 'voided'],
    ] as const) {
      shop.gateway.rows.set(transactionId, [
        statusRow({ transactionId, transactionStatus, paymentStatus }),
      ]);
      shop.later();
      expect(await shop.payments.confirm('1001')).toMatchObject({ state });
    }
  });

  it.each([
    ['has changed', () => '1000.00', 'order_changed'],
    ['cannot be said', fails, 'order_missing'],
  ])('holds the amount for a person where the price %s', async (_what, now, reason) => {
    meanwhile = () => (price = now);
    await sellAnd('authorize');
    const view = await shop.payments.retrieve('1001');
    expect(view).toMatchObject({ state: 'review', review: [{ reason, transactionId }] });
    price = () => '115.00';
    await shop.payments.review.accept(view?.review[0]?.id ?? '', 'the price is right');
    expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'authorized', review: [] });
  });

  it('and whose answer is unknown is not settled by money that has a review of its own', async () => {
    const { session } = await shop.open('1001');
    await shop.finds(session, { transactionId, amount: '100.00' });
    await shop.payments.review.resolve(`1001/amount_mismatch/${transactionId}`, 'a gift', {
      reopen: true,
    });
    word = 'DECLINED';
    expect(await sellAnd('capture')).toMatchObject({ result: 'unknown' });
    const named = { transactionId: transactionId.toUpperCase() };
    const done = shop.payments.resolveOperation('request/s-1', 'succeeded', 'seen', named);
    await expect(done).rejects.toMatchObject({ code: 'invalid_operation', field: 'transactionId' });
  });
});

it('a sale that a person calls failed lets its order be paid, once a link’s silence is over too', async () => {
  const shop = await startShop();
  const { success, session } = await shop.open();
  shop.gateway.answer({ '/sale': 'hang up' });
  await shop.payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's-1' });
  shop.gateway.answerStatus(404, { code: 404, message: 'not found' });
  shop.later();
  await shop.send(success);
  await shop.pass(30 * MINUTE_MS, 5);
  await shop.payments.resolveOperation('request/s-1', 'failed', 'not on the dashboard');
  const waiting = { state: 'review', review: [{ reason: 'no_evidence' }] };
  expect(await shop.payments.retrieve('1001')).toMatchObject(waiting);
  shop.gateway.script = undefined;
  shop.gateway.rows.set(session, [declined]);
  await shop.pass(160 * MINUTE_MS, 8);
  expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'failed', review: [] });
});

it('the answer to a sale is recorded after a failover of the database', async () => {
  let failures = 6;
  const shop = await startShop({
    onStoreCall: () => {
      if (shop.gateway.requestsTo('/payment/s2s/sale').length === 0 || failures === 0) return;
      failures -= 1;
      throw new Error('no server leads');
    },
  });
  const sold = { result: 'SUCCESS', status: 'SETTLED', transactionId: randomUUID() };
  shop.gateway.answerAt('/sale', (_request, response) => sendJson(response, 200, inA(sold)));
  const sale = shop.payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's-1' });
  expect(await sale).toMatchObject({ result: 'pending', transactionId: sold.transactionId });
});
