import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';

const ORDER = '1001';
const MINUTE_MS = 60_000;

const around = (data: unknown) => ({ code: 200, message: 'Success', errorCode: null, data });
const under = (errorCode: unknown, ...rows: readonly unknown[]) => ({
  ...statusAnswer(rows),
  errorCode,
});
const row = statusRow();

describe('a paid row in an answer of another form than the specification’s', () => {
  let shop: Shop;
  let paid: number;

  beforeEach(async () => {
    paid = 0;
    const on = { paid: () => void (paid += 1) };
    shop = await Shop.start({ payments: { on } });
    await shop.open(ORDER);
  });
  afterEach(() => shop.close());

  /** What became of the order within five minutes, by the background work alone. */
  async function outcomeOf(status: number, body: unknown) {
    shop.gateway.answerStatus(status, body);
    for (let minute = 0; minute < 5; minute += 1) {
      shop.later(MINUTE_MS);
      await shop.payments.tick();
    }
    const { state, review = [] } = (await shop.payments.retrieve(ORDER)) ?? {};
    return [state, ...review.map(({ reason }) => reason)];
  }

  it.each<[string, unknown]>([
    ['no errorCode', around({ content: [row], totalElements: 1 })],
    ['the errorCode "000"', under('000', row)],
    ['the errorCode "0"', under('0', row)],
    ['the errorCode "null"', under('null', row)],
    ['the errorCode "NONE"', under('NONE', row)],
    ['the errorCode "Success"', under('Success', row)],
    ['a row in place of the list', around({ content: row, totalElements: 1 })],
    ['a row in place of the list, under "00"', { ...under('00'), data: { content: row } }],
  ])('pays the order once: %s', async (_what, body) => {
    expect(await outcomeOf(200, body)).toEqual(['paid']);
    expect(paid).toBe(1);
  });

  it.each<[string, unknown, string]>([
    ['another amount', { amount: '114.99' }, 'amount_mismatch'],
    ['another currency', { currencyCode: '840' }, 'currency_mismatch'],
    ['another order', { merchantOrderId: '2002~1' }, 'order_mismatch'],
  ])('pays nothing where it says %s, under any spelling of success', async (_what, ...given) => {
    const [changes, reason] = given;
    const odd = statusRow(changes as Readonly<Record<string, unknown>>);
    const body = { ...under('000'), data: { content: odd, totalElements: 1 } };
    expect(await outcomeOf(200, body)).toEqual(['review', reason]);
  });

  it.each<[string, unknown, number?]>([
    ['an errorCode that is unknown', under('APPROVED', row)],
    ['an errorCode of zeros and more', under('E000', row)],
    ['an errorCode that is empty', under('', row)],
    ['an errorCode that is a number', under(0, row)],
    ['an errorCode that is false', under(false, row)],
    ['the errorCode of an error', under('500', row)],
    ['the errorCode of a 404', under('404', row)],
    ['a code that is a text', { ...statusAnswer([row]), code: '200' }],
    ['the row as data', around(row)],
    ['a list as data', around([row])],
    ['a list of another name', around({ items: [row] })],
    ['rows by their numbers', around({ content: { 0: row }, totalElements: 1 })],
    ['no envelope', { content: [row], totalElements: 1 }],
    ['a list alone', [row]],
    ['an envelope in the envelope', around(statusAnswer([row]))],
    ['HTTP 201', under('APPROVED', row), 201],
  ])('is before a person within minutes: %s', async (_what, body, status = 200) => {
    expect(await outcomeOf(status, body)).toEqual(['pending', 'unreadable_answer']);
    expect((await shop.checkout({ orderId: ORDER })).status).toBe(409);
    shop.gateway.answerStatus(200, statusAnswer([row]));
    shop.later();
    expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'paid', review: [] });
  });

  it('is before a person within minutes where the gateway counts rows and shows no list', async () => {
    const body = around({ content: null, totalElements: 3 });
    expect(await outcomeOf(200, body)).toEqual(['pending', 'incomplete_answer']);
  });
});
