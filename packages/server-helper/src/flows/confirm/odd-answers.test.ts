import { beforeEach, describe, expect, it } from 'vitest';
import { inA, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { expectProblem, type Shop } from '../../../test-support/shop.ts';
import { manualClock } from '../../doubles/manual-clock.ts';
import type { PaymentEvent } from '../../index.ts';
import { DAY_MS, MINUTE_MS } from '../../../test-support/durations.ts';

// What becomes of an order whose status answer is odd. Which answers are odd is in the tables of
// `gateway/status-answers.test.ts` and `payments/judge.test.ts`.
const ORDER = '1001';
const row = statusRow();
const declined = statusRow({
  transactionId: 'f2d5b7c0-0000-4000-8000-000000000009',
  transactionStatus: 'FAILED',
  paymentStatus: 'DECLINED',
});
/** Money that went back, in a row that says so by its type alone (assumption N13). */
const back = { ...row, transactionId: declined.transactionId.replace('9', 'a'), type: 'Refund' };
const named = { ...row, transactionId: '1001~1' };
const voided = { ...named, type: 'Void' };
const under = (errorCode: unknown, ...rows: readonly unknown[]) => ({
  ...statusAnswer(rows),
  errorCode,
});
/** The gateway sends some rows, and counts others beside them. */
const lacking = (missing: number, ...rows: readonly unknown[]) =>
  inA({ content: rows, totalElements: rows.length + missing });

let shop: Shop;
let session: string;
let handled: PaymentEvent[];

beforeEach(async () => {
  handled = [];
  const note = (event: PaymentEvent): void => void handled.push(event);
  shop = await startShop({ payments: { on: { paid: note, review: note } } });
  ({ session } = await shop.open(ORDER));
});

const checkout = () => shop.checkout({ orderId: ORDER });
const state = async () => (await shop.payments.retrieve(ORDER))?.state;
const resolve = (id = '') => shop.payments.review.resolve(id, 'nothing on the dashboard');

async function pass(milliseconds: number, ticks = 1): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) {
    shop.later(milliseconds / ticks);
    await shop.payments.tick();
  }
}

/** The payment, once the gateway has answered so. */
async function confirmWith(body: unknown, status = 200) {
  shop.gateway.answerStatus(status, body);
  shop.later();
  return shop.payments.confirm(ORDER);
}
const confirmRows = (...rows: readonly unknown[]) => confirmWith(statusAnswer(rows));

describe('by the background work alone, within five minutes,', () => {
  const [went, unread] = ['refunded_before_confirmed', 'unreadable_answer'];
  const contradicts = 'payment_contradiction';
  /** The state and the reasons of the reviews. */
  async function outcomeOf(body: unknown, status = 200) {
    shop.gateway.answerStatus(status, body);
    await pass(5 * MINUTE_MS, 5);
    const { review = [] } = (await shop.payments.retrieve(ORDER)) ?? {};
    return [await state(), ...review.map(({ reason }) => reason)];
  }
  const changed = (changes: object) => statusAnswer([statusRow({ ...changes })]);

  it.each<[string, unknown, ...string[]]>([
    ['a success in another spelling', under('000', row), 'paid'],
    ['a row in place of the list', inA({ content: row, totalElements: 1 }), 'paid'],
    ['an order’s number of the gateway’s own', changed({ orderId: 'GW-99812' }), 'paid'],
    ['no words about refunds', changed({ totalRefundAmount: 0, refundStatus: null }), 'paid'],
    ['a row beside one that is no money', lacking(0, { ...declined, amount: 115 }, row), 'paid'],
    ['a decline in one word', lacking(0, { ...declined, paymentStatus: null }), 'failed'],
    ['a decline that cannot be read', lacking(0, { ...declined, amount: {} }), 'pending'],
    ['another amount', under('000', statusRow({ amount: '114.99' })), 'review', 'amount_mismatch'],
    ['another currency', changed({ currencyCode: '840' }), 'review', 'currency_mismatch'],
    ['another order', changed({ merchantOrderId: '2002~1' }), 'review', 'order_mismatch'],
    ['a refund beside a decline', statusAnswer([declined, back]), 'pending', 'unreadable_answer'],
    ['a hidden refund', changed({ totalRefundAmount: [] }), 'review', 'refund_contradiction'],
    ['held money', changed({ type: 'Authorization' }), 'review', contradicts],
    ['held money, spelt otherwise', changed({ type: 'PRE-AUTH' }), 'review', contradicts],
    ['money that went back', statusAnswer([row, back]), 'review', went, unread],
    ...[
      { transactionStatus: 'ACCEPTED', paymentStatus: 'REFUNDED' },
      { type: 'Chargeback', transactionStatus: 'OPEN', paymentStatus: 'CHARGEBACK' },
    ].map((words): [string, unknown, ...string[]] => [
      `money that went back in the words ${Object.values(words).join(' ')}`,
      statusAnswer([row, { ...back, ...words }]),
      ...['review', went, unread],
    ]),
    ['a refund that failed', statusAnswer([row, { ...declined, type: 'Refund' }]), 'paid'],
    ['money that went back by its own name', statusAnswer([named, voided]), 'review', contradicts],
    ['two rows of its own name', statusAnswer([named, named]), 'review', contradicts],
    ['a decline, and a row too few', lacking(1, declined), 'pending', 'incomplete_answer'],
    [
      'rows that are counted and not sent',
      inA({ content: null, totalElements: 3 }),
      'pending',
      'incomplete_answer',
    ],
  ])('%s comes to its state and review', async (_what, body, ...outcome) => {
    expect(await outcomeOf(body)).toEqual(outcome);
    expect(handled.map(({ type }) => type)).toEqual(
      outcome[0] === 'paid' ? ['paid'] : outcome.slice(1).map(() => 'review'),
    );
  });

  it.each<[string, unknown, number?]>([
    ['under an unknown errorCode', under('APPROVED', row)],
    ['under an unknown errorCode in HTTP 201', under('APPROVED', row), 201],
    ...[400, 404, 410, 500].map((status): [string, unknown, number] => [
      `in HTTP ${status}`,
      under('404', row),
      status,
    ]),
    ['in no envelope', [row]],
    ['with an unknown word', changed({ paymentStatus: 'SETTLED' })],
    ['with an amount that is an object', changed({ amount: { value: '115.00' } })],
    ['without a transaction', changed({ transactionId: undefined })],
  ])('money %s stops the order for a person, until it can be read', async (_what, body, status) => {
    expect(await outcomeOf(body, status)).toEqual(['pending', 'unreadable_answer']);
    expectProblem(await checkout(), 409, 'in_review');
    expect(await confirmRows(row)).toMatchObject({ state: 'paid', review: [] });
  });
});

describe('money that cannot be read', () => {
  const unreadable = statusRow({ paymentStatus: 'SETTLED' });
  /** Health, but for the words that this process has met lately. */
  const findings = async () => {
    const { json } = await shop.send('/pay/health');
    const health = json as { findings: string[]; backlog: Record<string, number> };
    return { ...health, findings: health.findings.filter((one) => one !== 'unknown_words') };
  };

  it('is in health and stops the order for days, and no more once it is paid', async () => {
    await confirmRows(unreadable);
    expect(await findings()).toMatchObject({
      status: 'degraded',
      findings: ['unreadable_answers'],
      backlog: { unreadableAnswers: 1 },
    });
    await pass(4 * DAY_MS, 4);
    expect(await state()).toBe('pending');
    expectProblem(await checkout(), 409, 'in_review');
    expect(shop.gateway.creates).toHaveLength(1);
    expect((await confirmRows(row))?.state).toBe('paid');
    expect((await findings()).findings).toEqual([]);
  });

  it('lets the order expire when a person has looked after the watch had ended', async () => {
    await confirmRows(unreadable);
    await pass(14 * DAY_MS, 14);
    await resolve((await shop.payments.review.list())[0]?.id);
    await pass(3 * DAY_MS, 3);
    expect(await state()).toBe('expired');
  });

  it('is one in a chargeback beside a refund that is known, also under the attempt’s name', async () => {
    await confirmRows(named);
    expect((await confirmRows(named, { ...voided, type: 'Chargeback' }))?.review).toHaveLength(1);
    await resolveAll();
    const refunded = { ...named, refundStatus: 'PARTIAL', totalRefundAmount: '60.00' };
    const chargeback = { ...back, amount: '55.00', type: 'Chargeback' };
    await confirmRows(refunded, { ...back, amount: '60.00', transactionId: 'r-1' });
    expect(await openAfter(refunded, { ...back, amount: '60.00' }, chargeback)).not.toEqual([]);
  });

  it('is none in a refund’s own row once the payment’s row tells of the refund', async () => {
    await confirmRows(row);
    expect(await confirmRows(row, back)).toMatchObject({ state: 'paid', review: [{}] });
    const refunded = { ...row, refundStatus: 'FULL', totalRefundAmount: '115.00' };
    expect(await confirmRows(refunded, back)).toMatchObject({ state: 'refunded', review: [] });
  });

  it('is quoted in no log and no explanation', async () => {
    await confirmRows(statusRow({ amount: { canary: 'row-canary' }, rrn: 'row-canary' }));
    expect(await shop.payments.review.list()).toHaveLength(1);
    const kept = JSON.stringify([shop.logged, await shop.payments.explain(ORDER)]);
    expect(kept).not.toContain('row-canary');
  });

  /** @returns what the open reviews are about, once the gateway has shown some rows. */
  async function openAfter(...rows: readonly object[]): Promise<readonly string[]> {
    const { review = [] } = (await confirmRows(...rows)) ?? {};
    return review.map((item) => item.transactionId ?? '');
  }
  async function resolveAll(): Promise<void> {
    for (const { id } of await shop.payments.review.list()) await resolve(id);
  }
  const of = (transactionId: string | undefined) =>
    statusRow({ transactionId, amount: { odd: 1 } });

  it('is reviewed by its transaction, each once, and beside the order’s money', async () => {
    expect(await openAfter(of('t-1'))).toEqual(['t-1']);
    await resolveAll();
    expect((await checkout()).status).toBe(201);
    expect(await openAfter(of('t-1'))).toEqual([]);
    expect(await openAfter(of('t-2'))).toEqual(['t-2']);
    expectProblem(await checkout(), 409, 'in_review');
    await resolveAll();
    expect(await openAfter(of('t-2'), of('t-1'))).toEqual([]);
    expect(await openAfter(of('t-1'), of('t-3'))).toEqual(['t-3']);
    expect(await openAfter(of('t-1'), statusRow({ transactionId: 't-3' }))).toEqual([]);
    shop.later(3_600_000);
    expect(await openAfter(statusRow({ transactionId: 't-3' }), of('t-4'))).toEqual(['t-4']);
    expect(await state()).toBe('paid');
  });

  it.each([
    ['without a transaction', () => of(undefined)],
    ['under the session’s id', () => of(session)],
    [
      'of unknown words under the session’s id',
      () => statusRow({ transactionId: session, paymentStatus: 'SETTLED' }),
    ],
  ])('is reviewed by the number of its rows %s, each once', async (_what, odd) => {
    expect(await openAfter(odd())).toEqual(['1001~1']);
    await resolveAll();
    expect(await openAfter(odd())).toEqual([]);
    expect(await openAfter(odd(), odd())).toEqual(['1001~1:2']);
    expectProblem(await checkout(), 409, 'in_review');
    expect(await openAfter(odd(), odd(), odd())).toEqual(['1001~1:2']);
    expect(await openAfter(declined)).toEqual([]);
    expect(await openAfter(odd(), odd())).toEqual(['1001~1:2']);
    await resolveAll();
    expect(await openAfter(odd(), odd())).toEqual([]);
  });
});

const refundOf = (totalRefundAmount: string) => [
  { ...row, refundStatus: 'PARTIAL', totalRefundAmount },
];
const inUnknownWords = (total: string) => [
  { ...row, refundStatus: 'PARTIALLY', totalRefundAmount: total },
];
const failed = [{ ...declined, transactionId: row.transactionId }];

it.each<[string, ...object[][]]>([
  ['more charges under one id', [named], [named, named], [named, named, named]],
  ['money that comes back and fails', [row], failed, [row], failed],
  ['a denial in another word', [row], failed, [{ ...failed[0], paymentStatus: 'CHARGEBACK' }]],
  ['more refunds in unknown words', [row], inUnknownWords('30.00'), inUnknownWords('115.00')],
  ['a total that shrinks again', ...['20.00', '10.00', '50.00', '30.00'].map(refundOf)],
])('news of a matter that a person resolved are for a person: %s', async (_what, ...answers) => {
  const [before = [], problem = [], ...later] = answers;
  await confirmRows(before[0] === named ? named : row);
  await confirmRows(...before);
  const opened = await confirmRows(...problem);
  expect(opened).toMatchObject({ review: [{}] });
  await resolve(opened?.review[0]?.id);
  expect(await confirmRows(...problem)).toMatchObject({ review: [] });
  let last;
  for (const rows of later) last = await confirmRows(...rows);
  expect(last).toMatchObject({ review: [{}] });
});

describe('an answer that lacks rows', () => {
  const confirmLacking = (missing: number, ...rows: readonly unknown[]) =>
    confirmWith(lacking(missing, ...rows));
  const reported = async () => {
    await shop.payments.tick();
    return handled.filter(({ type }) => type === 'review');
  };

  it('needs a person at once, and once, gives no order up, and offers the link', async () => {
    const review = [{ reason: 'incomplete_answer', transactionId: '1001~1' }];
    expect(await confirmLacking(1, declined)).toMatchObject({ state: 'pending', review });
    expect(await confirmLacking(2)).toMatchObject({ state: 'pending', review });
    expect(await reported()).toMatchObject([{ reason: 'incomplete_answer' }]);
    shop.later();
    await expect(shop.payments.cancel(ORDER)).rejects.toMatchObject({ code: 'not_confirmed' });
    expect((await checkout()).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('is no matter any more after a whole answer, and is one again', async () => {
    await confirmLacking(1, declined);
    expect(await confirmLacking(0, declined)).toMatchObject({ state: 'failed', review: [] });
    expect(await confirmLacking(1, declined)).toMatchObject({ review: [{}] });
    expect(await reported()).toHaveLength(2);
  });

  it('pays by the rows that say so, and then no person is needed', async () => {
    await confirmLacking(1, declined);
    expect(await confirmLacking(1, declined, row)).toMatchObject({ state: 'paid', review: [] });
  });

  it('is on the list again, once, when more rows are missing than a person has seen to', async () => {
    await resolve((await confirmLacking(1))?.review[0]?.id);
    expect(await confirmLacking(1)).toMatchObject({ state: 'pending', review: [] });
    const more = await confirmLacking(2);
    expect(more).toMatchObject({ state: 'pending', review: [{ reason: 'incomplete_answer' }] });
    await resolve(more?.review[0]?.id);
    expect(await confirmLacking(2)).toMatchObject({ review: [] });
    expect(await confirmLacking(1)).toMatchObject({ review: [] });
    await confirmLacking(3);
    expect(await confirmLacking(0, declined)).toMatchObject({ state: 'failed', review: [] });
    expect(await reported()).toHaveLength(3);
  });
});

describe.each<[string, unknown]>([
  ['an empty list', statusAnswer([])],
  ['data that is null', inA(null)],
  ['a list that is null', inA({ content: null, totalElements: 0 })],
])('a session without a payment, of which the gateway says %s,', (_what, nothing) => {
  beforeEach(() => shop.gateway.answerStatus(200, nothing));

  it('gives a new link for a new price, and lets an order be cancelled', async () => {
    shop.reprice('120.00');
    expect((await checkout()).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(2);
    shop.later();
    await shop.payments.cancel(ORDER);
    expect((await shop.payments.retrieve(ORDER))?.cancelled).toBe(true);
  });

  it('lets an abandoned order expire, gives its shopper a new link, and needs no person', async () => {
    await pass(2 * DAY_MS, 8);
    expect((await checkout()).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(2);
    await pass(3 * DAY_MS, 3);
    expect(await state()).toBe('expired');
    await pass(9 * DAY_MS, 9);
    expect(await shop.payments.review.list()).toEqual([]);
  });
});

describe('a session that the gateway does not know', () => {
  const unknown = () =>
    confirmWith({ code: 404, message: 'none', errorCode: '404', data: null }, 404);
  const open = async () => {
    shop.gateway.script = undefined;
    shop.later();
    return (await shop.open(ORDER)).session;
  };

  it('is offered on while its link lives, so that an order has one payable link', async () => {
    for (let clicks = 0; clicks < 3; clicks += 1) {
      expect((await unknown())?.state).toBe('pending');
      expect(await open()).toBe(session);
    }
    expect(shop.gateway.creates).toHaveLength(1);
    expect((await confirmRows(row))?.state).toBe('paid');
  });

  it('is not offered any more when the gateway knew its tries before, and stays watched', async () => {
    expect((await confirmRows(declined))?.state).toBe('failed');
    expect((await unknown())?.state).toBe('failed');
    expect(await open()).not.toBe(session);
    shop.gateway.rows.set(session, [row]);
    // Each of the two links has its turn.
    for (const wait of [300_000, 6_000]) await pass(wait);
    expect(await state()).toBe('paid');
  });

  it('is offered on when a person has opened its order again, since no try of it failed', async () => {
    shop.orders.set('1002', {
      orderId: '1002',
      amount: '115.00',
      customer: { phone: '0501234567' },
    });
    await shop.open('1002');
    shop.gateway.answerStatus(200, statusAnswer([row]));
    await shop.payments.confirm('1002');
    // The same transaction, which is the other order's.
    expect((await confirmRows(row))?.state).toBe('review');
    const [item] = await shop.payments.review.list();
    await shop.payments.review.resolve(item?.id ?? '', 'Refunded.', { reopen: true });
    expect((await unknown())?.state).toBe('failed');
    expect(await open()).toBe(session);
  });
});

it('an order with several open links is asked about once in five seconds, each link in its turn', async () => {
  const clock = manualClock();
  shop = await startShop({ payments: { clock } });
  const first = await shop.open();
  shop.reprice('99.50');
  await clock.advance(10_000);
  const second = await shop.open();
  const before = shop.gateway.statusCalls.length;
  const asked = () => shop.gateway.statusCalls.slice(before).map(({ query }) => query.get('id'));
  await clock.advance(10_000);
  await Promise.all(Array.from({ length: 20 }, () => shop.payments.tick()));
  await Promise.all(Array.from({ length: 5 }, () => shop.send(second.status)));
  expect(asked()).toHaveLength(1);
  await clock.advance(300_000);
  await shop.payments.tick();
  expect(asked()).toHaveLength(2);
  await clock.advance(6_000);
  await shop.payments.tick();
  expect(asked()).toHaveLength(3);
  expect(new Set(asked().slice(1))).toEqual(new Set([first.session, second.session]));
});
