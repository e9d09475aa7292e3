import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { untyped } from '../../../test-support/some-options.ts';
import type { Shop, ShopOptions } from '../../../test-support/shop.ts';
import type { PaymentEvent } from '../../index.ts';
import { describeEntry } from '../../payments/timeline-text.ts';

const ORDER = '1001';
const why = 'The customer pays the rest in the shop.';
const by = 'Noura';

let shop: Shop;
let session: string;
/** The events inside of the commit, and those of the handlers. */
let committed: string[];
let handled: PaymentEvent[];

type Row = Readonly<Record<string, unknown>>;

/** The transaction of the money, and money that is less than was asked for. */
const transactionId = randomUUID();
const tooLittle = { amount: '100.00' };

const show = (...rows: readonly Row[]): void =>
  shop.shows(session, ...rows.map((row) => ({ transactionId, ...row })));

/** Lets the gateway show money, and asks it. @returns the id of the open review. */
const receive = async (row: Row): Promise<string> =>
  (await shop.finds(session, { transactionId, ...row }))?.review.at(-1)?.id ?? '';

const accept = (id: string) => shop.payments.review.accept(id, why, { by });
const payment = () => shop.payments.retrieve(ORDER);

async function refuses(id: string, code: string): Promise<void> {
  await expect(accept(id)).rejects.toMatchObject({ code });
  expect(committed).not.toContain('paid');
}

async function open(payments: ShopOptions['payments'] = {}): Promise<void> {
  committed = [];
  handled = [];
  shop = await startShop({
    payments: {
      inTransaction: (_tx, { type }) => void committed.push(type),
      on: { paid: (event) => void handled.push(event) },
      ...payments,
    },
  });
  ({ session } = await shop.open(ORDER));
}

describe('money that a person accepts,', () => {
  beforeEach(() => open());

  it('pays the order by the amount that came, through hook, event and ledger', async () => {
    const id = await receive(tooLittle);
    expect(committed).toEqual(['review']);
    await accept(id);
    expect(committed).toEqual(['review', 'paid']);
    await shop.payments.tick();
    expect(handled).toMatchObject([{ type: 'paid', amount: '100.00', transactionId }]);
    const explanation = await shop.payments.explain(ORDER);
    expect(explanation).toMatchObject({
      payment: { state: 'paid', amount: '100.00', review: [] },
      attempts: [{ state: 'succeeded' }],
      transactions: [{ transactionId, kind: 'payment', amount: '100.00' }],
      reviews: [{ id, resolution: why, resolvedBy: by }],
    });
    expect(explanation?.timeline.map((entry) => describeEntry(entry))).toEqual(
      expect.arrayContaining([
        `Transaction ${transactionId} of attempt 1 pays the order.`,
        `The review of ${transactionId} is over (${why}, by Noura): the gateway took an amount other than the order’s.`,
        'The payment of 100.00 SAR is paid.',
      ]),
    );
    const tooMuch = shop.payments.refund(ORDER, { amount: '100.01', requestId: 'r-1' });
    await expect(tooMuch).rejects.toMatchObject({ code: 'amount_too_large' });
  });

  it('pays once, however often and at how many places it is accepted', async () => {
    const id = await receive(tooLittle);
    await Promise.all([1, 2, 3].map(() => accept(id)));
    await shop.payments.review.accept(id, 'again', { by: 'Omar' });
    expect(committed).toEqual(['review', 'paid']);
    expect((await shop.payments.explain(ORDER))?.reviews).toMatchObject([
      { resolution: why, resolvedBy: by },
    ]);
  });

  it('waits for a second decision where the order changed after the first review', async () => {
    const id = await receive(tooLittle);
    shop.reprice('200.00');
    await refuses(id, 'in_review');
    expect(committed).toEqual(['review', 'review']);
    expect(await payment()).toMatchObject({ state: 'review' });
    await accept(`${ORDER}/order_changed/${transactionId}`);
    expect(await payment()).toMatchObject({ state: 'paid', ...tooLittle, review: [] });
  });

  it('can be in the currency that was asked for, whatever the order costs by now', async () => {
    shop.reprice('30.00', 'USD');
    const id = await receive({});
    await accept(id);
    expect(await payment()).toMatchObject({ state: 'paid', amount: '115.00', currency: 'SAR' });
  });

  it('can be in the currency that the order has again by now, and in no other', async () => {
    shop.reprice('30.00', 'USD');
    shop.later();
    await shop.open(ORDER);
    const id = await receive({});
    await refuses(id, 'wrong_state');
    shop.reprice('115.00');
    await refuses(id, 'in_review');
    await accept(id);
    expect(await payment()).toMatchObject({ state: 'paid', amount: '115.00', currency: 'SAR' });
  });

  it.each<Row>([
    { amount: '40.00' },
    { ...tooLittle, type: 'Authorization' },
    { ...tooLittle, refundStatus: 'REFUNDED', totalRefundAmount: '100.00' },
  ])('is looked at again where the gateway says something else by now (%j)', async (row) => {
    const id = await receive(tooLittle);
    show(row);
    shop.later();
    await refuses(id, 'in_review');
    expect(await shop.state()).toBe('review');
  });

  it('is not accepted, seen or not, where a row of its own id says that it went back', async () => {
    const id = await receive(tooLittle);
    show(tooLittle, { ...tooLittle, type: 'Chargeback' });
    for (const reviews of [2, 2]) {
      shop.later();
      await refuses(id, 'wrong_state');
      expect((await payment())?.review).toHaveLength(reviews);
    }
  });

  it('is not recorded where the merchant’s own code throws', async () => {
    let fails = true;
    await open({
      inTransaction: (_tx, { type }) => {
        if (fails && type === 'paid') throw new TypeError('no stock');
        committed.push(type);
      },
    });
    const id = await receive(tooLittle);
    await refuses(id, 'hook_failed');
    expect(await payment()).toMatchObject({ state: 'review' });
    fails = false;
    await accept(id);
    expect(committed).toEqual(['review', 'paid']);
  });

  it('is accepted while its review is open, and not after that', async () => {
    const id = await receive(tooLittle);
    await shop.payments.review.resolve(id, 'refunded by hand', { by });
    for (const none of [id, 'nothing', untyped(5), untyped(undefined)])
      await refuses(none, 'not_found_in_store');
    expect((await shop.payments.explain(ORDER))?.reviews).toMatchObject([{ resolvedBy: by }]);
  });

  it('is not accepted where the gateway takes it back while the shop says the price', async () => {
    let meanwhile = async (): Promise<unknown> => undefined;
    const loadOrder = async (orderId: string) => {
      await meanwhile();
      return { orderId, amount: '115.00', customer: { phone: '0598765432' } };
    };
    await open({ loadOrder });
    show({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });
    await shop.payments.cancel(ORDER);
    const id = await receive({});
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await receive({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });
    };
    await refuses(id, 'in_review');
    expect((await payment())?.review).toHaveLength(2);
  });

  it('is for a person where its refund is answered with another amount', async () => {
    await receive({});
    shop.gateway.takeRefunds('100.00');
    const asked = { amount: '10.00', requestId: 'r-1' };
    const refused = await shop.payments.refund(ORDER, asked);
    expect(refused).toMatchObject({ state: 'unknown', reason: 'contradicting_words' });
  });

  it('is reviewed again when the gateway gives another amount after it was accepted', async () => {
    await accept(await receive(tooLittle));
    expect(await receive({})).toContain('/payment_contradiction/');
    expect(await payment()).toMatchObject({ state: 'paid', ...tooLittle });
  });

  it('waits for a gateway that shows it', async () => {
    const id = await receive(tooLittle);
    shop.shows(session);
    await refuses(id, 'not_confirmed');
    shop.gateway.script = (_request, response) => sendJson(response, 503, {});
    await refuses(id, 'not_confirmed');
    shop.gateway.script = undefined;
    show(tooLittle);
    await accept(id);
    expect(committed).toEqual(['review', 'paid']);
  });
});

it('the timeline names who cancelled the order, once, and not who asked again', async () => {
  shop = await startShop();
  for (const name of [' Noura ', 'Omar', undefined]) {
    expect(await shop.payments.cancel('1001', { by: name })).toMatchObject({ cancelled: true });
  }
  const { timeline = [] } = (await shop.payments.explain('1001')) ?? {};
  expect(timeline.map((entry) => describeEntry(entry))).toContain(
    'The merchant cancelled the order, asked for by Noura.',
  );
  expect(JSON.stringify(timeline)).not.toContain('Omar');
});

it('an unknown operation on the review list is settled, and not resolved', async () => {
  await open();
  await receive({});
  shop.gateway.answer({ '/refund': 'hang up' });
  const request = { amount: '20.00', requestId: 'r-1' };
  const { operationId } = await shop.payments.refund('1001', request);
  const [matter] = await shop.payments.review.list();
  expect(matter).toMatchObject({ reason: 'unknown_outcome', about: operationId });
  const resolved = shop.payments.review.resolve(matter?.id ?? '', 'looked');
  await expect(resolved).rejects.toMatchObject({ code: 'invalid_operation' });
  await shop.payments.resolveOperation(operationId, 'failed', 'not there');
  expect(await shop.payments.review.list()).toEqual([]);
});
