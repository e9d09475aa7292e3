import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { declined } from '../../../test-support/attacked-shop.ts';
import { MINUTE_MS } from '../../../test-support/durations.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { inA, sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop, startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { storeWith } from '../../doubles/faulty-store.ts';
import { memoryStore } from '../../testing.ts';

let play: ScriptedShop;
const sell = (requestId = 's-1') =>
  play.money().sale('a', { auth: 'capture', card: aCard, requestId });

describe('a sale', () => {
  beforeEach(async () => void (play = await scriptedShop()));

  it('pays the order once the status confirms it, and ships once', async () => {
    expect(await sell()).toMatchObject({ result: 'success', state: 'succeeded', amount: '115.00' });
    expect(await play.payment()).toMatchObject({ state: 'paid', capturedMinorUnits: 11_500 });
    expect(play.shipped).toEqual(['a']);
    await expect(sell('s-2')).rejects.toMatchObject({ code: 'already_paid' });
    expect(play.sent('sale')).toBe(1);
  });

  it('is paid by nothing but the status', async () => {
    play.gateway.mood = 'status-unreachable';
    expect(await sell()).toMatchObject({ result: 'pending', state: 'pending' });
    expect((await play.payment()).state).toBe('pending');
    play.gateway.mood = 'well';
    await play.later();
    expect((await play.payment()).state).toBe('paid');
    expect(await sell()).toMatchObject({ result: 'success' });
  });

  it('behind a challenge is paid after the shopper passed it', async () => {
    play.gateway.saleEnd = 'redirect';
    expect(await sell()).toMatchObject({ result: 'redirect', html: '<form></form>' });
    // The challenge is kept nowhere, so only the first answer has it.
    expect(await sell()).toMatchObject({ result: 'pending', html: null });
    await play.later();
    expect((await play.payment()).state).toBe('pending');
    await play.steps({ kind: 'pay', orderId: 'a', pick: 0, isApproved: true });
    await play.later();
    expect((await play.payment()).state).toBe('paid');
    expect(await sell()).toMatchObject({ result: 'success', reason: 'evidence' });
    expect(play.shipped).toEqual(['a']);
  });

  it('that is declined fails the payment, and another card may pay', async () => {
    play.gateway.saleEnd = 'declined';
    expect(await sell()).toMatchObject({ result: 'declined', state: 'failed' });
    expect((await play.payment()).state).toBe('failed');
    play.gateway.saleEnd = 'success';
    expect(await sell()).toMatchObject({ result: 'declined' });
    expect(await sell('s-2')).toMatchObject({ result: 'success' });
  });

  it('whose answer was lost stops the order until a person has looked, and is never sent again', async () => {
    play.transactions.mood = 'answer-lost';
    expect(await sell()).toMatchObject({ result: 'unknown', state: 'unknown' });
    play.transactions.mood = 'well';
    expect((await play.payment()).state).toBe('review');
    await expect(sell('s-2')).rejects.toMatchObject({ code: 'in_review' });
    await play.steps({ kind: 'want-to-pay', orderId: 'a' });
    expect((await play.record()).attempts).toMatchObject([{ kind: 'sale', state: 'lost' }]);
    const done = (options?: { transactionId: string }) =>
      play.money().resolveOperation('request/s-1', 'succeeded', 'it is on the dashboard', options);
    const nameless = { code: 'invalid_operation', field: 'transactionId' };
    await expect(done()).rejects.toMatchObject(nameless);
    const [session] = play.gateway.sessions.values();
    await done({ transactionId: session?.transactions[0]?.id ?? '' });
    expect(play.shipped).toEqual([]);
    await play.later();
    expect((await play.payment()).state).toBe('paid');
    expect(play.shipped).toEqual(['a']);
    expect(play.sent('sale')).toBe(1);
  });

  it('keeps nothing of the card, in no row, no log entry and no event', async () => {
    await sell();
    await play.later();
    const all = JSON.stringify([await play.record(), await play.history('a')]);
    expect(all).toContain('request/s-1');
    // A random id may hold the digits of a security code by chance.
    const kept = all.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id');
    for (const secret of [aCard.number, aCard.cvv, aCard.holderName]) {
      expect(kept).not.toContain(secret);
    }
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
