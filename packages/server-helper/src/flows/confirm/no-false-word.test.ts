import { describe, expect, it } from 'vitest';
import {
  challenged,
  ended,
  failed,
  minutes,
  open,
  start,
  undecided,
  weeks,
} from '../../../test-support/attacked-shop.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { inA, sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';

// A person is told of money that goes back; of these nobody is to hear a false word, and none is to lose its way.
const B = 'aa0e1040-0000-4000-8000-00000000000b';
const OTHER = 'cc0e1040-0000-4000-8000-00000000000c';

/** Two processes: the second one, whose clock is ahead, has just asked about a link that is paid now. */
async function skewed(ahead = 60_000, row?: object) {
  const payments = { limits: false } as const;
  const first = await startShop({ payments });
  const second = await startShop({ beside: first, payments, leapMs: ahead });
  const link = await first.open();
  if (row !== undefined) first.gateway.rows.set(link.session, [row]);
  first.later(20_000);
  await second.payments.tick();
  expect(first.gateway.statusCalls.length).toBe(1);
  // The shopper pays.
  first.later(Math.min(10_000, ahead / 3));
  first.gateway.rows.set(link.session, [...(row ? [row] : []), statusRow({ transactionId: B })]);
  return { first, second, link };
}

// A newer answer takes the word from an older one that would pay; none of these may be taken so.
describe('at clocks that differ', () => {
  it.each([60_000, 3_000])('a paid order is not cancelled (%i ms)', async (ahead) => {
    const { first } = await skewed(ahead);
    expect(await ended(first.payments.cancel('1001'))).toBe('already_paid');
  });
  it('a paid order gets no second link', async () => {
    const { first } = await skewed();
    first.reprice('120.00');
    const reply = await first.checkout({ orderId: '1001' });
    expect([reply.status, first.gateway.creates.length]).toEqual([409, 1]);
  });
  it('a paid order has no card charged by a sale', async () => {
    const { first } = await skewed();
    const sale = { auth: 'capture', card: aCard, requestId: 's' } as const;
    expect(await ended(first.payments.sale('1001', sale))).toBe('already_paid');
    expect(first.gateway.requestsTo('/payment/s2s/sale')).toEqual([]);
  });
  it('a shopper whose second card paid is not shown a failure', async () => {
    const { first, link } = await skewed(60_000, statusRow({ ...failed }));
    const reply = await first.send(link.success);
    expect(reply.headers.location).toContain('/thanks');
  });
  it('a usual payment is paid at once by a clock that was put back', async () => {
    const { first, link } = await skewed(40 * MINUTE_MS);
    const before = first.gateway.statusCalls.length;
    await first.send(link.success);
    expect((await first.payments.retrieve('1001'))?.state).toBe('paid');
    expect(first.gateway.statusCalls.length - before).toBe(1);
  });
});

describe('money that is held', () => {
  async function held(atHour: number, rows: readonly unknown[]) {
    const at = await start({}, { asksFor: 'session' });
    const { gateway, payments } = at.shop;
    const id = at.sells('SUCCESS');
    gateway.takeCaptures();
    gateway.rows.set(id, rows);
    await payments.sale('1001', { auth: 'authorize', card: aCard, requestId: 's-1' });
    await at.later(atHour * HOUR_MS, atHour);
    expect([await at.state(), await at.reviews()]).toEqual(['authorized', []]);
    await payments.capture('1001', { amount: '115.00', requestId: 'c-1' });
    await at.later(MINUTE_MS, 3);
    gateway.rows.set(id, [statusRow({ transactionId: id, type: 'Capture' })]);
    await at.later(DAY_MS, 24);
    return at;
  }
  it('is not taken back where it is captured after 30 hours, and shown a minute later', async () => {
    const at = await held(30, []);
    expect([await at.state(), await at.reviews()]).toEqual(['captured', []]);
  });
  it('is not taken back where it is captured after 5 days beside a pending row', async () => {
    const at = await held(120, [statusRow({ transactionId: OTHER, ...undecided })]);
    expect([await at.state(), await at.reviews()]).toEqual(['captured', []]);
  });
  it('is captured in part by a row of another id that bears the attempt’s name', async () => {
    const { at } = await challenged({
      transactionId: OTHER,
      amount: '77.00',
      merchantOrderId: '1001~1',
    });
    expect([await at.state(), await at.reviews()]).toEqual(['captured', []]);
  });
  it('is not taken back where it came late, and is left out', async () => {
    const { at, id } = await challenged(undecided);
    await at.shop.payments.cancel('1001');
    at.shop.gateway.rows.set(id, [statusRow({ transactionId: id })]);
    await at.later(HOUR_MS, 6);
    expect([await at.state(), await at.reviews()]).toEqual(['paid_late', [['1001', 'paid_late']]]);
    at.shop.gateway.rows.set(id, []);
    await at.later(46 * HOUR_MS, 46);
    expect(await at.reviews()).toEqual([['1001', 'paid_late']]);
  });
});

describe('an id without a false word about its order:', () => {
  it.each(['transaction', 'either'] as const)(
    'a signed webhook of a part refund of its own (%s)',
    async (asksFor) => {
      const { at, link } = await open({}, { asksFor }, signed);
      const id = at.own(link, {}, B);
      await at.webhook(link.merchantOrderId, id, { status: 'Approved', type: 'Purchase' });
      await at.comesBack(link);
      await minutes(at);
      expect(await at.state()).toBe('paid');
      await at.later(HOUR_MS, 5);
      const rows = at.shop.gateway.rows;
      const told = statusRow({
        transactionId: B,
        merchantOrderId: link.merchantOrderId,
        refundStatus: 'PARTIAL',
        totalRefundAmount: '15.00',
      });
      rows.set(B, [told]);
      if (asksFor === 'either') rows.set(link.session, [told]);
      rows.set(OTHER, [statusRow({ transactionId: OTHER, amount: '15.00' })]);
      await at.webhook(link.merchantOrderId, OTHER, {
        status: 'Approved',
        type: 'Refund',
        amount: 15,
      });
      await at.later(DAY_MS, 24);
      expect([await at.state(), await at.reviews()]).toEqual(['partially_refunded', []]);
    },
  );

  it.each([1, 3, 5])(
    '%i declined tries whose webhooks bear numbers that the gateway answers (either)',
    async (tries) => {
      const { at, link } = await open({}, { asksFor: 'either' }, signed);
      const rows = at.shop.gateway.rows;
      const shown: object[] = [];
      for (let one = 1; one <= tries; one += 1) {
        const row = statusRow({
          ...failed,
          transactionId: B.replace('b', '').slice(0, -1) + `0${one}`,
        });
        shown.push(row);
        rows.set(link.session, [...shown]);
        rows.set(`77441${one}`, [row]);
        await at.webhook(link.merchantOrderId, `77441${one}`, { status: 'Declined' });
        await minutes(at);
      }
      await at.later(60 * HOUR_MS, 120);
      const then = await at.state();
      await at.later(12 * DAY_MS, 120);
      expect([then, await at.state(), await at.reviews(), await at.checkout('120.00')]).toEqual([
        'expired',
        'expired',
        [],
        201,
      ]);
    },
  );

  it.each([4, 7])(
    '%i declined tries whose webhooks bear numbers that the gateway answers (transaction)',
    async (tries) => {
      const { at, link } = await open({}, { asksFor: 'transaction' }, signed);
      const rows = at.shop.gateway.rows;
      for (let one = 1; one <= tries; one += 1) {
        rows.set(`77441${one}`, [
          statusRow({ ...failed, transactionId: B.slice(0, -1) + `${one}` }),
        ]);
        await at.webhook(link.merchantOrderId, `77441${one}`, { status: 'Declined' });
        await minutes(at);
      }
      await at.later(12 * DAY_MS, 120);
      expect([await at.state(), await at.reviews(), await at.checkout('120.00')]).toEqual([
        'expired',
        [],
        201,
      ]);
    },
  );

  it.each(['transaction', 'either'] as const)(
    'a signed webhook of another shop with the same account (%s)',
    async (asksFor) => {
      const { at, link } = await open({}, { asksFor }, signed);
      at.shop.gateway.rows.set(B, [statusRow({ transactionId: B, merchantOrderId: '1001~2' })]);
      await at.webhook('1001~2', B, { status: 'Approved' });
      if (asksFor === 'either') at.shop.gateway.rows.set(link.session, []);
      await at.later(DAY_MS, 24);
      expect([await at.state(), await at.reviews()]).toEqual(['pending', []]);
    },
  );

  it('a signed webhook of a charge that names the order of its token leaves the other order payable', async () => {
    const { at, link } = await open({}, { asksFor: 'transaction' }, signed);
    at.own(link, {}, B);
    await at.webhook(link.merchantOrderId, B, { status: 'Approved' });
    await minutes(at);
    expect(await at.state()).toBe('paid');
    at.addOrder('1002');
    const other = await at.shop.open('1002');
    at.own(other, {}, OTHER);
    await at.webhook(link.merchantOrderId, OTHER, { status: 'Approved' });
    await minutes(at);
    await at.comesBack(other, `?transactionId=${OTHER}`);
    await minutes(at);
    expect([await at.state('1002'), await at.reviews()]).toEqual(['paid', []]);
  });

  it.each([
    ['transaction', 5],
    ['either', 5],
  ] as const)('returns of declined tries with numbers (%s, %i)', async (asksFor, tries) => {
    const { at, link } = await open({}, { asksFor }, { payments: { limits: false } });
    const rows = at.shop.gateway.rows;
    const shown: object[] = [];
    for (let one = 1; one <= tries; one += 1) {
      const row = statusRow({ ...failed, transactionId: B.slice(0, -1) + `${one}` });
      shown.push(row);
      if (asksFor === 'either') rows.set(link.session, [...shown]);
      rows.set(`77441${one}`, [row]);
      await at.shop.send(`${link.failure}?trans_id=77441${one}`);
      await minutes(at);
    }
    await at.later(12 * DAY_MS, 120);
    expect([await at.state(), await at.reviews(), await at.checkout('120.00')]).toEqual([
      'expired',
      [],
      201,
    ]);
  });

  it('a signed webhook of a recurring charge that names the first order', async () => {
    const { at, link } = await open({}, { asksFor: 'transaction' }, signed);
    at.own(link, {}, B);
    await at.webhook(link.merchantOrderId, B, { status: 'Approved' });
    await minutes(at);
    expect(await at.state()).toBe('paid');
    await at.later(30 * DAY_MS, 60);
    at.shop.gateway.rows.set(OTHER, [
      statusRow({ transactionId: OTHER, amount: '50.00', merchantOrderId: '1001~r-2026-11' }),
    ]);
    await at.webhook(link.merchantOrderId, OTHER, { status: 'Approved' });
    await at.later(DAY_MS, 48);
    await at.webhook(link.merchantOrderId, OTHER, { status: 'Approved' });
    await at.later(DAY_MS, 48);
    expect([await at.state(), await at.reviews()]).toEqual(['paid', []]);
  });

  it('a signed webhook of a card verification of 1.00 before the payment', async () => {
    const { at, link } = await open({}, { asksFor: 'transaction' }, signed);
    at.shop.gateway.rows.set(OTHER, [statusRow({ transactionId: OTHER, amount: '1.00' })]);
    await at.webhook(link.merchantOrderId, OTHER, { status: 'Approved', type: 'Authorization' });
    await at.later(20 * MINUTE_MS, 10);
    at.shop.gateway.rows.set(B, [statusRow({ transactionId: B })]);
    await at.comesBack(link, `?transactionId=${B}`);
    await minutes(at);
    expect([await at.state(), await at.reviews()]).toEqual(['paid', []]);
  });

  it('6 forged ids of declined sessions (transaction)', async () => {
    const { at, link } = await open({}, { asksFor: 'transaction' });
    const rows = at.shop.gateway.rows;
    for (let one = 1; one <= 7; one += 1) {
      rows.set(`se55000${one}`, [statusRow({ ...failed, transactionId: `dec0000${one}` })]);
      await at.shop.notify({
        merchantOrderId: link.merchantOrderId,
        transactionId: `se55000${one}`,
        status: 'Declined',
      });
      await minutes(at);
    }
    await at.later(12 * DAY_MS, 120);
    expect([await at.state(), await at.reviews()]).toEqual(['expired', []]);
  });
});

describe('a return', () => {
  it('to the link that paid, hours later, makes no review of another link', async () => {
    const { at, link } = await open({}, { asksFor: 'session' });
    at.shop.reprice('120.00');
    at.shop.later();
    const second = await at.shop.open();
    at.shop.gateway.rows.set(link.session, []);
    await at.shop.notify({ merchantOrderId: link.merchantOrderId });
    await minutes(at);
    at.shop.gateway.rows.set(second.session, [statusRow({ amount: '120.00' })]);
    await minutes(at);
    expect(await at.state()).toBe('paid');
    await at.later(3 * HOUR_MS, 30);
    expect(await at.reviews()).toEqual([]);
    await at.comesBack(second);
    await at.later(30 * HOUR_MS, 60);
    expect(await at.reviews()).toEqual([]);
  });
});

describe('answers that may lack the money’s row take nothing back:', () => {
  it('every row bears the session id, and the money row cannot be read later beside a decline', async () => {
    const { at, link } = await open({}, { asksFor: 'session' });
    const id = { transactionId: link.session };
    at.shop.gateway.rows.set(link.session, [statusRow({ ...id, ...failed }), statusRow(id)]);
    await at.comesBack(link);
    await minutes(at);
    expect(await at.state()).toBe('paid');
    at.shop.gateway.rows.set(link.session, [
      statusRow({ ...id, ...failed }),
      statusRow({ ...id, amount: null }),
    ]);
    await weeks(at);
    expect(await at.reviews()).toEqual([]);
  });
  it('every row bears the session id, pages of one row, newest last', async () => {
    const { at, link } = await open({}, { asksFor: 'session' });
    const id = { transactionId: link.session };
    at.shop.gateway.rows.set(link.session, [statusRow({ ...id, ...failed }), statusRow(id)]);
    await at.comesBack(link);
    await minutes(at);
    expect(await at.state()).toBe('paid');
    at.lacksRow(statusRow({ ...id, ...failed }));
    await weeks(at);
    expect(await at.reviews()).toEqual([]);
  });
  it('pages of one row, newest first, after a part refund', async () => {
    const { at, link } = await open({}, { asksFor: 'session' });
    at.shop.gateway.rows.set(link.session, [statusRow()]);
    await at.comesBack(link);
    await minutes(at);
    expect(await at.state()).toBe('paid');
    at.lacksRow(statusRow({ type: 'Refund', amount: '15.00' }));
    await weeks(at);
    expect(await at.reviews()).toEqual([]);
  });
});

describe('while a later question shows a try that is pending, a slow answer that says paid', () => {
  async function overlapping(
    act: (shop: Awaited<ReturnType<typeof startShop>>) => Promise<unknown>,
  ) {
    const payments = { limits: false } as const;
    const first = await startShop({ payments });
    const second = await startShop({ beside: first, payments });
    const link = await first.open();
    const answers: ((row: unknown) => void)[] = [];
    first.gateway.answerAt('/status', (_request, response) => {
      answers.push((row) => sendJson(response, 200, statusAnswer([row])));
      if (answers.length === 2) answers[1]?.(statusRow(undecided));
      if (answers.length > 2) answers.at(-1)?.(statusRow());
    });
    first.later();
    const acting = act(first).then(
      (x) => x,
      (e: unknown) => (e as { code: string }).code,
    );
    await expect.poll(() => answers.length).toBe(1);
    first.later(8_000);
    await second.send(link.status);
    expect([answers.length, link.merchantOrderId]).toEqual([2, '1001~1']);
    answers[0]?.(statusRow());
    return acting;
  }
  it('cancels no order', async () => {
    const result = await overlapping((shop) =>
      shop.payments.cancel('1001').then(({ cancelled }) => cancelled),
    );
    expect(result).not.toBe(true);
  });
  it('lets no sale charge a card', async () => {
    let sales = 0;
    await overlapping((shop) => {
      shop.gateway.answerAt('/sale', (_q, response) => {
        sales += 1;
        sendJson(
          response,
          200,
          inA({ result: 'SUCCESS', status: 'SUCCESS', transactionId: OTHER, payment_id: '7' }),
        );
      });
      return shop.payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's' });
    });
    expect(sales).toBe(0);
  });
  it('gives no second link', async () => {
    const result = await overlapping((shop) => {
      shop.reprice('120.00');
      return shop
        .checkout({ orderId: '1001' })
        .then(({ status }) => [status, shop.gateway.creates.length]);
    });
    expect(result).toEqual([409, 1]);
  });
});
