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
const inWords = { ...back, transactionStatus: 'ACCEPTED', paymentStatus: 'REFUNDED' };
const chargedBack = { ...inWords, type: 'Chargeback', transactionStatus: 'OPEN' };
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
let handled: PaymentEvent[];

beforeEach(async () => {
  handled = [];
  const note = (event: PaymentEvent): void => void handled.push(event);
  shop = await startShop({ payments: { on: { paid: note, review: note } } });
  await shop.open(ORDER);
});

const checkout = () => shop.checkout({ orderId: ORDER });
const resolve = (id = '') => shop.payments.review.resolve(id, 'nothing on the dashboard');

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
    await shop.pass(5 * MINUTE_MS, 5);
    const { review = [] } = (await shop.payments.retrieve(ORDER)) ?? {};
    return [await shop.state(), ...review.map(({ reason }) => reason)];
  }
  const changed = (changes: object) => statusAnswer([statusRow({ ...changes })]);
  const unsent = inA({ content: null, totalElements: 3 });

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
    ['money refunded in words', statusAnswer([row, inWords]), 'review', went, unread],
    ['money charged back in words', statusAnswer([row, chargedBack]), 'review', went, unread],
    ['a refund that failed', statusAnswer([row, { ...declined, type: 'Refund' }]), 'paid'],
    ['money that went back by its own name', statusAnswer([named, voided]), 'review', contradicts],
    ['two rows of its own name', statusAnswer([named, named]), 'review', contradicts],
    ['a decline, and a row too few', lacking(1, declined), 'pending', 'incomplete_answer'],
    ['rows that are counted and not sent', unsent, 'pending', 'incomplete_answer'],
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
    await shop.pass(4 * DAY_MS, 4);
    expect(await shop.state()).toBe('pending');
    expectProblem(await checkout(), 409, 'in_review');
    expect(shop.gateway.creates).toHaveLength(1);
    expect((await confirmRows(row))?.state).toBe('paid');
    expect((await findings()).findings).toEqual([]);
  });

  it('is one in a chargeback beside a refund that is known, also under the attempt’s name', async () => {
    await confirmRows(named);
    const went = await confirmRows(named, { ...voided, type: 'Chargeback' });
    expect(went?.review).toHaveLength(1);
    await resolve(went?.review[0]?.id);
    const refunded = { ...named, refundStatus: 'PARTIAL', totalRefundAmount: '60.00' };
    const chargeback = { ...back, amount: '55.00', type: 'Chargeback' };
    await confirmRows(refunded, { ...back, amount: '60.00', transactionId: 'r-1' });
    const last = await confirmRows(refunded, { ...back, amount: '60.00' }, chargeback);
    expect(last?.review).not.toEqual([]);
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
});

const refunded = (totalRefundAmount: string, refundStatus = 'PARTIAL') => [
  { ...row, refundStatus, totalRefundAmount },
];
const failed = [{ ...declined, transactionId: row.transactionId }];

it.each<[string, ...object[][]]>([
  ['more charges under one id', [named], [named, named], [named, named, named]],
  ['money that comes back and fails', [row], failed, [row], failed],
  ['a denial in another word', [row], failed, [{ ...failed[0], paymentStatus: 'CHARGEBACK' }]],
  [
    'more refunds in unknown words',
    [row],
    ...['30.00', '115.00'].map((sum) => refunded(sum, 'PARTIALLY')),
  ],
  [
    'a total that shrinks again',
    ...['20.00', '10.00', '50.00', '30.00'].map((sum) => refunded(sum)),
  ],
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

it('an answer that lacks rows pays by those that say so, and then no person is needed', async () => {
  expect(await confirmWith(lacking(1, declined))).toMatchObject({ review: [{}] });
  const paid = { state: 'paid', review: [] };
  expect(await confirmWith(lacking(1, declined, row))).toMatchObject(paid);
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
