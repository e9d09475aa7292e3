import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
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
const paidBack = { ...tooLittle, refundStatus: 'FULL', totalRefundAmount: '100.00' };

const show = (row: Row): void =>
  void shop.gateway.rows.set(session, [statusRow({ transactionId, ...row })]);

/** Lets the gateway show money, and asks it. @returns the id of the open review. */
async function receive(row: Row): Promise<string> {
  show(row);
  shop.later();
  return (await shop.payments.confirm(ORDER))?.review.at(-1)?.id ?? '';
}

const accept = (id: string) => shop.payments.review.accept(id, why, { by });
const payment = () => shop.payments.retrieve(ORDER);

async function refuses(id: string, code: string): Promise<void> {
  await expect(accept(id)).rejects.toMatchObject({ code });
  expect(committed).not.toContain('paid');
}

async function open(payments: ShopOptions['payments'] = {}): Promise<void> {
  committed = [];
  handled = [];
  const note = (event: PaymentEvent): void => void handled.push(event);
  shop = await startShop({
    payments: {
      inTransaction: (_tx, { type }) => void committed.push(type),
      on: { paid: note, paidLate: note, review: note, refunded: note },
      ...payments,
    },
  });
  ({ session } = await shop.open(ORDER));
}

describe('money that a person accepts,', () => {
  beforeEach(() => open());

  it('is watched from then on, without any hint', async () => {
    await accept(await receive(tooLittle));
    show(paidBack);
    for (let hours = 0; hours < 2; hours += 1) {
      shop.later(3_600_000);
      await shop.payments.tick();
    }
    expect(await payment()).toMatchObject({ state: 'refunded' });
  });

  it('pays the order by the amount that came, through hook, event and ledger', async () => {
    const id = await receive(tooLittle);
    expect(committed).toEqual(['review']);
    await accept(id);
    expect(committed).toEqual(['review', 'paid']);
    await shop.payments.tick();
    expect(handled.at(-1)).toMatchObject({ type: 'paid', amount: '100.00', transactionId });
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

  it.each([
    ['has changed', () => shop.reprice('200.00'), 'order_changed'],
    ['was not found', () => shop.orders.delete(ORDER), 'order_missing'],
  ])('pays an order that %s, by the decision of the person', async (_, change, reason) => {
    change();
    const id = await receive({});
    expect(id).toBe(`${ORDER}/${reason}/${transactionId}`);
    await accept(id);
    expect(await payment()).toMatchObject({ state: 'paid', amount: '115.00' });
    expect(committed).toEqual(['review', 'paid']);
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

  it.each<readonly Row[]>([
    [{ amount: '40.00' }],
    [{ ...tooLittle, type: 'Authorization' }],
    [{ ...tooLittle, refundStatus: 'REFUNDED', totalRefundAmount: '100.00' }],
    [tooLittle, { ...tooLittle, type: 'Chargeback' }],
  ])('is looked at again where the gateway says something else by now (%j)', async (...rows) => {
    const id = await receive(tooLittle);
    const shown = rows.map((row) => statusRow({ transactionId, ...row }));
    shop.gateway.rows.set(session, shown);
    shop.later();
    await refuses(id, 'in_review');
    expect((await payment())?.state).toBe('review');
  });

  it('is not ended by the kit’s own word for what the gateway has ended', async () => {
    const id = await receive(tooLittle);
    const ended = shop.payments.review.resolve(id, 'evidence');
    await expect(ended).rejects.toMatchObject({ code: 'invalid_operation', field: 'why' });
  });

  it('may be late money, and the order is not cancelled any more', async () => {
    await shop.payments.cancel(ORDER);
    const id = await receive({});
    expect(id).toContain('/paid_late/');
    await accept(id);
    expect(await payment()).toMatchObject({ state: 'paid', cancelled: false, review: [] });
    expect(committed).toEqual(['paidLate', 'paid']);
  });

  it('keeps what was refunded of it before', async () => {
    const id = await receive({ refundStatus: 'PARTIAL', totalRefundAmount: '15.00' });
    expect(id).toContain('/refunded_before_confirmed/');
    await accept(id);
    const refunded = { state: 'partially_refunded', refunded: '15.00' };
    expect(await payment()).toMatchObject(refunded);
    expect(committed).toEqual(['review', 'paid', 'refunded']);
  });

  it.each([
    ['is another order’s', { merchantOrderId: '1002~1' }],
    ['has another currency', { currencyCode: '840' }],
    ['has an unreadable amount', { amount: '1e2' }],
    ['was refunded in full', { refundStatus: 'FULL', totalRefundAmount: '115.00' }],
  ])('is never money that %s', async (_, row) => {
    await refuses(await receive(row), 'wrong_state');
    expect(committed).toEqual(['review']);
    expect(await payment()).toMatchObject({ state: 'review' });
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

  it('needs a reason, a name of at most 200 characters, and an open review of money', async () => {
    const id = await receive(tooLittle);
    const { review } = shop.payments;
    for (const silent of [review.accept(id, ' '), review.resolve(id, ' ')]) {
      await expect(silent).rejects.toMatchObject({ code: 'invalid_operation' });
    }
    for (const odd of ['', ' ', 'n'.repeat(201)]) {
      const refused = { code: 'invalid_operation', field: 'by' };
      await expect(review.accept(id, why, { by: odd })).rejects.toMatchObject(refused);
    }
    await review.resolve(id, 'refunded by hand', { by });
    for (const none of [id, 'nothing', untyped(5), untyped(undefined)])
      await refuses(none, 'not_found_in_store');
    expect((await shop.payments.explain(ORDER))?.reviews).toMatchObject([{ resolvedBy: by }]);
  });

  /** A refund of the money, which the gateway takes on or never answers. */
  async function refund(amount: string, isAnswered: boolean) {
    if (isAnswered) shop.gateway.takeRefunds();
    else shop.gateway.answerAt('/refund', (_request, response) => void response.destroy());
    shop.later();
    return shop.payments.refund(ORDER, { amount, requestId: 'r-1', transactionId });
  }

  it.each([
    ['under way', true, 'pending'],
    ['unknown', false, 'unknown'],
  ])('is not accepted while its refund is %s', async (_what, isAnswered, state) => {
    const id = await receive(tooLittle);
    expect(await refund('100.00', isAnswered)).toMatchObject({ state });
    await refuses(id, 'operation_in_progress');
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

  it('is not accepted after its refund, which no status shows yet', async () => {
    const id = await receive(tooLittle);
    const { operationId } = await refund('100.00', false);
    await shop.payments.resolveOperation(operationId, 'succeeded', 'seen on the dashboard');
    await refuses(id, 'wrong_state');
  });

  it.each([
    ['was refunded', paidBack],
    ['was refunded by an unreadable total', { ...paidBack, totalRefundAmount: null }],
    ['failed after all', { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }],
  ])('is not accepted when the gateway says by now that it %s', async (_what, change) => {
    const id = await receive(tooLittle);
    show({ ...tooLittle, ...change });
    await refuses(id, 'wrong_state');
  });

  it.each([
    ['of a discrepancy', tooLittle, false],
    ['that came late', {}, true],
    ['that came so', {}, false],
  ])(
    'is not accepted where a row of its own says that it went back: money %s',
    async (...given) => {
      const [, money, isLate] = given;
      const back = { ...money, transactionId: randomUUID(), type: 'Refund' };
      const both = [statusRow({ transactionId, ...money }), statusRow(back)];
      show({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });
      if (isLate) await shop.payments.cancel(ORDER);
      if (isLate || money === tooLittle) await receive(money);
      shop.gateway.rows.set(session, both);
      shop.later();
      await shop.payments.confirm(ORDER);
      const of = (one: { readonly id: string }): boolean => one.id.endsWith(transactionId);
      const { id = '' } = (await shop.payments.review.list()).find(of) ?? {};
      shop.later();
      await refuses(id, 'wrong_state');
    },
  );

  it('is not accepted where it is only held, or was released', async () => {
    const id = await receive({ type: 'Authorization' });
    await refuses(id, 'wrong_state');
  });

  it('is reviewed again when the gateway gives another amount after it was accepted', async () => {
    await accept(await receive(tooLittle));
    expect(await receive({})).toContain('/payment_contradiction/');
    expect(await payment()).toMatchObject({ state: 'paid', ...tooLittle });
  });

  it('waits for a gateway that shows it', async () => {
    const id = await receive(tooLittle);
    shop.gateway.rows.set(session, []);
    await refuses(id, 'not_confirmed');
    shop.gateway.script = (_request, response) => sendJson(response, 503, {});
    await refuses(id, 'not_confirmed');
    shop.gateway.script = undefined;
    show(tooLittle);
    await accept(id);
    expect(committed).toEqual(['review', 'paid']);
  });
});

describe('an order with two open reviews,', () => {
  const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()];
  const idOf = (transaction: string): string => `${ORDER}/amount_mismatch/${transaction}`;
  const oddRow = (id: string, changes: Row = tooLittle) =>
    statusRow({ transactionId: id, ...changes });
  const resolve = (id: string, options?: { readonly reopen?: boolean; readonly by?: string }) =>
    shop.payments.review.resolve(idOf(id), 'Refunded, ticket 88.', options);
  const state = async () => (await payment())?.state;

  beforeEach(async () => {
    await open();
    await showRows(oddRow(one), oddRow(other));
  });

  function showRows(...rows: readonly unknown[]) {
    shop.gateway.rows.set(session, rows);
    shop.later();
    return shop.payments.confirm(ORDER);
  }

  it.each([
    ['first', true, false],
    ['last', false, true],
  ])('is reopened at the end of the last, where that was asked %s', async (_when, ...asked) => {
    await resolve(one, { reopen: asked[0] });
    expect(await state()).toBe('review');
    await resolve(other, { reopen: asked[1] });
    expect(await state()).toBe('failed');
  });

  it('is reopened where evidence ends the last', async () => {
    await resolve(one, { reopen: true });
    const ended = { state: 'failed', review: [] };
    expect(await showRows(oddRow(one), oddRow(other, paidBack))).toMatchObject(ended);
  });

  it('stays stopped by what came after that was asked', async () => {
    await resolve(one, { reopen: true });
    await showRows(oddRow(one), oddRow(other), oddRow(third));
    await resolve(other);
    await resolve(third);
    expect(await state()).toBe('review');
  });

  it('is not reopened a second time by what was asked before', async () => {
    await resolve(one, { reopen: true });
    await resolve(other);
    await showRows(oddRow(one), oddRow(other), oddRow(third));
    expect(await state()).toBe('review');
    await resolve(third);
    expect(await state()).toBe('review');
  });

  it('can be reopened where nobody asked for that in time', async () => {
    const again = () => shop.payments.review.resolve(idOf(one), 'Paid back.', { reopen: true, by });
    await resolve(one);
    await expect(again()).rejects.toMatchObject({ code: 'not_found_in_store' });
    await resolve(other);
    expect(await state()).toBe('review');
    await expect(resolve(one)).rejects.toMatchObject({ code: 'not_found_in_store' });
    await again();
    expect(await state()).toBe('failed');
    expect((await shop.payments.explain(ORDER))?.reviews).toContainEqual(
      expect.objectContaining({ resolution: 'Paid back.', resolvedBy: by }),
    );
    await expect(again()).rejects.toMatchObject({ code: 'not_found_in_store' });
  });
});

it('the timeline names who cancelled the order, once, and not who asked again', async () => {
  shop = await startShop();
  const nameless = { code: 'invalid_operation', field: 'by' };
  await expect(shop.payments.cancel('1001', { by: ' ' })).rejects.toMatchObject(nameless);
  expect(await shop.payments.retrieve('1001')).toBeNull();
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

it.each([0, -1, 1.5, 1_001, Number.NaN])('the review list is no list of %s', async (limit) => {
  shop = await startShop();
  const refused = { code: 'invalid_operation', field: 'limit' };
  await expect(shop.payments.review.list({ limit })).rejects.toMatchObject(refused);
});
