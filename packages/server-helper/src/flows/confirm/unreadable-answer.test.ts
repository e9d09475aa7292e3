import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { expectProblem, Shop } from '../../../test-support/shop.ts';

const DAY_MS = 24 * 3_600_000;

describe('a status answer that may be money and cannot be understood', () => {
  let shop: Shop;
  let session: string;

  beforeEach(async () => {
    shop = await Shop.start();
    ({ session } = await shop.open());
  });
  afterEach(() => shop.close());

  const answer = (...rows: readonly unknown[]): void => void shop.gateway.rows.set(session, rows);
  async function confirm(): Promise<string | undefined> {
    shop.later();
    return (await shop.payments.confirm('1001'))?.state;
  }
  const checkout = () => shop.checkout({ orderId: '1001' });
  /** Health, but for the words that this process has met lately. */
  const findings = async () => {
    const { json } = await shop.send('/pay/health');
    const health = json as { findings: string[]; backlog: Record<string, number> };
    return { ...health, findings: health.findings.filter((one) => one !== 'unknown_words') };
  };

  it.each([
    ['an unknown payment status', { paymentStatus: 'SETTLED' }],
    ['the payment status in another case', { paymentStatus: 'Approved' }],
    ['both words and an amount that is an object', { amount: { value: '115.00' } }],
    ['both words and no transaction', { transactionId: undefined }],
    ['an unknown word and no transaction', { transactionId: undefined, paymentStatus: 'DONE' }],
    ['the transaction status in another case', { transactionStatus: 'success' }],
    ['both words in another case', { transactionStatus: 'Success', paymentStatus: 'Approved' }],
    ['an unknown transaction status', { transactionStatus: 'COMPLETED' }],
    ['no transaction status', { transactionStatus: undefined }],
  ])('stops the order for a person: %s', async (_what, changes) => {
    answer(statusRow(changes));
    expect(await confirm()).toBe('pending');
    const items = await shop.payments.review.list();
    expect(items).toMatchObject([{ orderId: '1001', reason: 'unreadable_answer' }]);
    expectProblem(await checkout(), 409, 'in_review');
    expect(shop.gateway.creates).toHaveLength(1);
    expect(await findings()).toMatchObject({
      status: 'degraded',
      findings: ['unreadable_answers'],
      backlog: { unreadableAnswers: 1 },
    });
    for (let day = 0; day < 4; day += 1) {
      shop.later(DAY_MS);
      await shop.payments.tick();
    }
    expect((await shop.payments.retrieve('1001'))?.state).toBe('pending');
    expectProblem(await checkout(), 409, 'in_review');
  });

  it('is over once the answer says paid', async () => {
    answer(statusRow({ paymentStatus: 'SETTLED' }));
    await confirm();
    answer(statusRow());
    expect(await confirm()).toBe('paid');
    expect(await shop.payments.review.list()).toEqual([]);
    expect((await findings()).findings).toEqual([]);
    expectProblem(await checkout(), 409, 'already_paid');
  });

  it('is over once the answer says declined, and the link is offered again', async () => {
    answer(statusRow({ paymentStatus: 'SETTLED' }));
    await confirm();
    answer(statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }));
    expect(await confirm()).toBe('failed');
    expect((await checkout()).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('is over once a person has looked', async () => {
    answer(statusRow({ amount: 115 }));
    await confirm();
    const [item] = await shop.payments.review.list();
    await shop.payments.review.resolve(item?.id ?? '', 'nothing on the dashboard');
    expect((await checkout()).status).toBe(201);
    await confirm();
    expect(await shop.payments.review.list()).toEqual([]);
  });

  it('lets the order expire when a person has looked after the watch had ended', async () => {
    answer(statusRow({ paymentStatus: 'SETTLED' }));
    await confirm();
    for (let day = 0; day < 14; day += 1) {
      shop.later(DAY_MS);
      await shop.payments.tick();
    }
    const [item] = await shop.payments.review.list();
    await shop.payments.review.resolve(item?.id ?? '', 'nothing on the dashboard');
    for (let day = 0; day < 3; day += 1) {
      shop.later(DAY_MS);
      await shop.payments.tick();
    }
    expect((await shop.payments.retrieve('1001'))?.state).toBe('expired');
  });

  it.each([
    ['declined', { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }],
    ['still open', { transactionStatus: 'PENDING', paymentStatus: 'PENDING' }],
    ['not paid, by the second word', { paymentStatus: 'DECLINED' }],
  ])('is none in an unreadable row that is %s', async (_what, words) => {
    answer(statusRow({ ...words, amount: { value: 115 } }));
    await confirm();
    expect(await shop.payments.review.list()).toEqual([]);
    expect((await checkout()).status).toBe(201);
  });

  it.each([
    ['an empty errorCode', { errorCode: '' }],
    ['a code that is text', { code: '200' }],
    ['a code of an error', { code: 500 }],
  ])('stops the order for a person: money in an envelope with %s', async (_what, odd) => {
    shop.gateway.answerStatus(200, { ...statusAnswer([statusRow()]), ...odd });
    expect(await confirm()).toBe('pending');
    expect(await shop.payments.review.list()).toMatchObject([{ reason: 'unreadable_answer' }]);
    expectProblem(await checkout(), 409, 'in_review');
    shop.gateway.script = undefined;
    answer(statusRow());
    expect(await confirm()).toBe('paid');
    expect(await shop.payments.review.list()).toEqual([]);
  });

  it('quotes nothing of an unreadable row in the log', async () => {
    const row = statusRow({ amount: { canary: 'row-canary' }, rrn: 'row-canary' });
    shop.gateway.answerStatus(200, statusAnswer([row]));
    await confirm();
    expect(await shop.payments.review.list()).toHaveLength(1);
    const kept = JSON.stringify([shop.logged, await shop.payments.explain('1001')]);
    expect(kept).not.toContain('row-canary');
  });
});

describe.each(flowStores)('money that cannot be read, in %s,', (name) => {
  let fresh: FreshStore;
  let shop: Shop;
  let session: string;

  beforeEach(async () => {
    fresh = await freshStore(name);
    shop = await Shop.start({ payments: { store: fresh.store } });
    ({ session } = await shop.open());
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  /** @returns what the open reviews are about, once the gateway has shown some rows. */
  async function openAfter(...rows: readonly object[]): Promise<readonly string[]> {
    shop.gateway.rows.set(session, rows);
    shop.later();
    const { review = [] } = (await shop.payments.confirm('1001')) ?? {};
    return review.map((item) => item.transactionId ?? '');
  }

  async function resolveAll(): Promise<void> {
    for (const { id } of await shop.payments.review.list()) {
      await shop.payments.review.resolve(id, 'nothing on the dashboard');
    }
  }

  const of = (transactionId: string | undefined) =>
    statusRow({ transactionId, amount: { odd: 1 } });

  it('is reviewed by its transaction, each once', async () => {
    expect(await openAfter(of('t-1'))).toEqual(['t-1']);
    await resolveAll();
    expect(await openAfter(of('t-1'))).toEqual([]);
    expect(await openAfter(of('t-2'))).toEqual(['t-2']);
    expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'in_review');
    await resolveAll();
    expect(await openAfter(of('t-2'), of('t-1'))).toEqual([]);
    expect(await openAfter(of('t-1'), of('t-3'))).toEqual(['t-3']);
    expect(await openAfter(of('t-1'), statusRow({ transactionId: 't-3' }))).toEqual([]);
  });

  it.each([
    ['without a transaction', () => of(undefined)],
    ['under the session’s id', () => of(session)],
    [
      'of unknown words under the session’s id',
      () => statusRow({ transactionId: session, paymentStatus: 'SETTLED' }),
    ],
  ])('is reviewed by the number of its rows %s, each once', async (_what, row) => {
    expect(await openAfter(row())).toEqual(['1001~1']);
    await resolveAll();
    expect(await openAfter(row())).toEqual([]);
    expect(await openAfter(row(), row())).toEqual(['1001~1:2']);
    expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'in_review');
    expect(await openAfter(row(), row(), row())).toEqual(['1001~1:2']);
    const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
    expect(await openAfter(statusRow(declined))).toEqual([]);
    expect(await openAfter(row(), row())).toEqual(['1001~1:2']);
    await resolveAll();
    expect(await openAfter(row(), row())).toEqual([]);
  });

  it('is reviewed beside money that is known', async () => {
    expect(await openAfter(statusRow({ transactionId: 't-1' }))).toEqual([]);
    shop.later(3_600_000);
    expect(await openAfter(statusRow({ transactionId: 't-1' }), of('t-2'))).toEqual(['t-2']);
    expect((await shop.payments.retrieve('1001'))?.state).toBe('paid');
  });
});
