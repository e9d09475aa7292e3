import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ended, failed, open, start, undecided } from '../../../test-support/attacked-shop.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { inA, sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { takenOf } from '../../payments/document.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';

const accepted = (action: string) =>
  inA({ result: 'ACCEPTED', action, rrn: null, decline_reason: null });

/** A shop that ships by its events, and whose gateway answers each sale so, with a status that lags. */
async function holding(result: 'REDIRECT' | 'SUCCESS' = 'REDIRECT') {
  const events: string[] = [];
  const inTransaction = (_tx: unknown, { type }: { type: string }) => void events.push(type);
  const at = await start({}, { asksFor: 'session' }, { payments: { inTransaction } });
  const { gateway, payments } = at.shop;
  const ids: string[] = [];
  const shows = (number: number, ...rows: readonly object[]) => {
    const transactionId = ids[number - 1] ?? '';
    gateway.rows.set(
      transactionId,
      rows.map((row) => statusRow({ transactionId, ...row })),
    );
  };
  gateway.answerAt('/sale', (_request, response) => {
    const html = result === 'REDIRECT' ? { html: '<form></form>' } : {};
    shows(ids.push(randomUUID()), undecided);
    const sold = { result, status: result, transactionId: ids.at(-1), payment_id: '7', ...html };
    sendJson(response, 200, inA(sold));
  });
  const voided = accepted('CREDITVOID');
  gateway.answerAt('/void', (_request, response) => sendJson(response, 200, voided));
  const authorize = async (requestId: string) => {
    await payments.sale('1001', { auth: 'authorize', card: aCard, requestId });
    at.shop.later();
  };
  /** What comes of a capture that the gateway accepts after something else, or whose answer is lost. */
  const capture = async (meanwhile?: () => Promise<unknown>, amount = '115.00') => {
    at.shop.later();
    gateway.answerAt('/capture', async (_request, response) => {
      if (meanwhile === undefined) return void response.destroy();
      await meanwhile();
      return sendJson(response, 200, accepted('CAPTURE'));
    });
    const state = await ended(payments.capture('1001', { amount, requestId: 'c-1' }));
    at.shop.later();
    return state;
  };
  await authorize('s-1');
  return { at, payments, events, shows, authorize, capture };
}

it('a card that is declined beside a hold does not release it, whatever is captured meanwhile', async () => {
  const { at, events, shows, authorize, capture } = await holding();
  await authorize('s-2');
  shows(1, { type: 'Authorization' });
  await at.later(5 * MINUTE_MS, 10);
  const declines = async () => {
    shows(2, failed);
    await at.later(MINUTE_MS, 6);
    shows(1, { type: 'Capture' });
  };
  expect(await capture(declines)).toBe('succeeded');
  await at.later(DAY_MS, 12);
  expect(events.filter((type) => type !== 'review')).toEqual(['authorized', 'captured']);
});

it('a hold that was released beside a link is none, although the status goes on to show it', async () => {
  const { at, payments, events, shows } = await holding();
  await at.shop.open();
  at.shop.later();
  expect(await ended(payments.void('1001', { requestId: 'v-1' }))).toBe('succeeded');
  shows(1, { type: 'Authorization' });
  await at.later(5 * MINUTE_MS, 10);
  expect(await at.state()).toBe('pending');
  expect(events).toEqual([]);
});

it('a hold whose sale names the transaction of another order is for a person', async () => {
  const { at, payments } = await holding('SUCCESS');
  const [paid] = at.shop.gateway.rows.keys();
  const sold = { result: 'SUCCESS', status: 'SUCCESS', transactionId: paid };
  at.shop.gateway.answerAt('/sale', (_request, response) => sendJson(response, 200, inA(sold)));
  const sale = { auth: 'authorize', card: aCard, requestId: 's-2' } as const;
  expect(await payments.sale('a@b+c:d', sale)).toMatchObject({
    state: 'unknown',
    reason: 'contradicting_words',
  });
});

it('while a capture is sent, or its outcome unknown, an order takes no other money and is not cancelled', async () => {
  const { at, payments, capture } = await holding();
  const others = async () => [
    (await at.shop.checkout({ orderId: '1001' })).status,
    await ended(payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's-2' })),
    await ended(payments.cancel('1001')),
  ];
  const refused = [409, 'already_paid', 'already_paid'];
  await capture(async () => {
    at.shop.later();
    expect(await others()).toEqual(refused);
  });
  const lost = await holding();
  expect(await lost.capture()).toBe('unknown');
  const { status } = await lost.at.shop.checkout({ orderId: '1001' });
  expect([status, await ended(lost.payments.cancel('1001'))]).toEqual([409, 'already_paid']);
});

it('a challenge that is passed after a person called its sale failed pays the order', async () => {
  const { at, payments, events, shows } = await holding();
  await payments.resolveOperation('request/s-1', 'failed', 'Not on the dashboard.');
  await at.later(MINUTE_MS, 4);
  shows(1, {});
  await at.later(HOUR_MS, 20);
  expect(events).toContain('authorized');
});

it('an authorization behind a challenge is not captured at the price of before', async () => {
  const { at, payments, events, capture } = await holding();
  at.shop.reprice('1000.00');
  await at.later(20_000);
  expect(await capture(async () => undefined)).toBe('wrong_state');
  expect(at.shop.gateway.requestsTo('/payment/s2s/capture')).toEqual([]);
  expect(events).not.toContain('captured');
  expect(await ended(payments.void('1001', { requestId: 'v-1' }))).toBe('succeeded');
});

it.each(['Authorization', undefined])(
  'an authorization beside the payment, of the type %s, has taken nothing, and is released',
  async (type) => {
    const { at, link } = await open();
    const { gateway, payments, store } = at.shop;
    const id = at.sells('REDIRECT');
    gateway.answerAt('/void', (_, response) => sendJson(response, 200, accepted('CREDITVOID')));
    at.shop.later();
    await payments.sale('1001', { auth: 'authorize', card: aCard, requestId: 's-1' });
    /** The payment once a row is shown, and what each of its transactions has taken. */
    const shows = async (row: object, by = id) => {
      gateway.rows.set(by, [statusRow({ transactionId: by, ...row })]);
      await at.later(3 * DAY_MS, 24);
      const record = await store.load('1001');
      const taken = record?.ledger.map((one) => takenOf(record.payment, one));
      return { ...(await payments.retrieve('1001')), taken };
    };
    await shows({}, link.session);
    const hold = { state: 'paid', review: [{ reason: 'duplicate_charge', transactionId: id }] };
    expect(await shows({ type })).toMatchObject({ ...hold, taken: [11_500, 0] });
    const voided = { state: 'succeeded', transactionId: id };
    expect(await payments.void('1001', { requestId: 'v-1' })).toMatchObject(voided);
    expect(await shows({ type })).toMatchObject({ state: 'paid', review: [] });
    const again = payments.void('1001', { requestId: 'v-2' });
    await expect(again).rejects.toMatchObject({ code: 'wrong_state' });
    // A gateway may take it all the same.
    expect(await shows({ type: 'Capture' })).toMatchObject({ ...hold, taken: [11_500, 11_500] });
  },
);

const wentBack = { amount: '20.00', type: 'Refund' };
const byItsOwnId = { ...wentBack, transactionId: 'f2d5b7c0-0000-4000-8000-00000000000f' };
const taken = { type: 'Capture', amount: '20.00' };
const inFull = { refundStatus: 'FULL', totalRefundAmount: '20.00' };

it.each([
  ['20.00', [{ ...taken, ...inFull }]],
  ['20.00', [{ ...taken, refundStatus: 'FULL', totalRefundAmount: 'n/a' }]],
  ['115.00', [{ type: 'Capture', refundStatus: 'FULL', totalRefundAmount: '115.00' }]],
  ['20.00', [{}, wentBack]],
  ['20.00', [{}, byItsOwnId]],
  ['20.00', [{ type: 'Authorization' }, taken, byItsOwnId]],
])(
  'a lost capture of %s ships nothing where all went back before a person calls it made, whom the review has (%j)',
  async (amount, rows) => {
    for (const isResolved of [false, true]) {
      const { at, payments, events, shows, capture } = await holding('SUCCESS');
      expect(await capture(undefined, amount)).toBe('unknown');
      shows(1, ...rows);
      await at.later(2 * DAY_MS, 40);
      const told = (await payments.review.list()).filter(({ kind }) => kind === 'payment');
      const others = told.filter((one) => !('about' in one) || one.reason !== 'unknown_outcome');
      expect(others).not.toEqual([]);
      if (isResolved) for (const { id } of others) await payments.review.resolve(id, 'Seen.');
      const why = 'On the dashboard it was captured.';
      const resolved = await payments.resolveOperation('request/c-1', 'succeeded', why);
      expect(resolved).toMatchObject({ state: 'succeeded' });
      await at.later(HOUR_MS, 20);
      expect(events).not.toContain('captured');
      expect(await at.state()).toBe('refunded');
      const again = payments.capture('1001', { amount, requestId: 'c-2' });
      expect(await ended(again)).toBe('wrong_state');
    }
  },
);

it('a capture ships nothing whose acceptance comes after all of it was shown refunded', async () => {
  const { at, events, shows, capture } = await holding('SUCCESS');
  const state = await capture(async () => {
    shows(1, { type: 'Capture', refundStatus: 'FULL', totalRefundAmount: '115.00' });
    await at.later(5 * MINUTE_MS, 10);
  });
  expect([state, events]).toEqual(['unknown', expect.not.arrayContaining(['captured'])]);
});

it('a lost capture that a person calls made ships nothing where an older answer hides that it went back', async () => {
  const { at, payments, events, shows, capture } = await holding('SUCCESS');
  await capture(undefined, '20.00');
  shows(1, { ...taken, ...inFull });
  await at.later(HOUR_MS, 20);
  shows(1, { type: 'Authorization' });
  await payments.resolveOperation('request/c-1', 'succeeded', 'On the dashboard.');
  expect(events).not.toContain('captured');
});

it.each(['on the dashboard', 'by us, without an answer'])(
  'a part that was captured %s and went back is no capture of the whole, which the status shows',
  async (where) => {
    const { at, events, shows, capture } = await holding('SUCCESS');
    if (where !== 'on the dashboard') expect(await capture(undefined, '20.00')).toBe('unknown');
    shows(1, { refundStatus: 'PARTIAL', totalRefundAmount: '20.00' });
    await at.later(4 * DAY_MS, 40);
    expect(events).not.toContain('captured');
    expect(await at.reviews()).toContainEqual(['1001', 'refund_contradiction']);
  },
);

it('a lost capture of which a part went back is made: of the whole by evidence, else by a person', async () => {
  const whole = await holding('SUCCESS');
  expect(await whole.capture()).toBe('unknown');
  whole.shows(1, { refundStatus: 'PARTIAL', totalRefundAmount: '20.00' });
  await whole.at.later(HOUR_MS, 20);
  expect(await whole.at.outcome()).toEqual(['partially_refunded', []]);
  const part = await holding('SUCCESS');
  expect(await part.capture(undefined, '50.00')).toBe('unknown');
  part.shows(1, { refundStatus: 'PARTIAL', totalRefundAmount: '20.00' });
  await part.at.later(HOUR_MS, 20);
  await part.payments.resolveOperation(
    'request/c-1',
    'succeeded',
    'On the dashboard it was captured.',
  );
  expect(part.events).toContain('captured');
});

it.each([
  [{ refundStatus: 'FULL' }, true],
  [{ refundStatus: 'FULL' }, false],
  [{ totalRefundAmount: 'n/a' }, true],
])(
  'a capture ships though a refund’s word was wrong once (%j), looked at by a person: %s',
  async (...given) => {
    const [glitch, isResolved] = given;
    const { at, events, shows, capture } = await holding('SUCCESS');
    shows(1, glitch);
    await at.later(DAY_MS, 12);
    if (isResolved) await at.resolve();
    shows(1, {});
    await at.later(DAY_MS, 12);
    expect(await capture(async () => undefined)).toBe('succeeded');
    expect(events).toContain('captured');
  },
);

it('our capture of a part that was shown before its answer may be shown as the whole later', async () => {
  const { at, payments, shows, capture } = await holding('SUCCESS');
  shows(1, {});
  const show = async () => {
    shows(1, { amount: '50.00' });
    at.shop.later();
    await payments.confirm('1001');
  };
  expect(await capture(show, '50.00')).toBe('succeeded');
  shows(1, {});
  await at.later(4 * DAY_MS, 40);
  expect(await at.outcome()).toEqual(['captured', []]);
});

it('a hold that is approved again after it was called failed is for a person, beside a lost void too', async () => {
  const { at, payments, shows } = await holding('SUCCESS');
  at.shop.gateway.answerAt('/void', (_request, response) => void response.destroy());
  expect(await ended(payments.void('1001', { requestId: 'v-1' }))).toBe('unknown');
  shows(1, failed);
  await at.later(2 * DAY_MS, 40);
  expect(await at.state()).toBe('voided');
  shows(1, {});
  await at.later(20 * DAY_MS, 80);
  expect(await at.outcome()).toEqual(['voided', [['1001', 'payment_contradiction']]]);
});

it.each(['on the dashboard', 'by a capture that a person called failed'])(
  'a late hold that a person let run out is for a person again once it is taken %s',
  async (how) => {
    const { at, payments, shows, capture } = await holding();
    const late = ['paid_late', [['1001', 'paid_late']]];
    const runsOut = async () => {
      await payments.cancel('1001');
      shows(1, { type: 'Authorization' });
      await at.later(HOUR_MS, 20);
      expect(await at.outcome()).toEqual(late);
      await at.resolve();
    };
    const fails = async () => {
      await at.later(10 * MINUTE_MS, 20);
      await payments.resolveOperation('request/c-1', 'failed', 'Not on the dashboard.');
      await runsOut();
    };
    await (how === 'on the dashboard' ? runsOut() : capture(fails, '95.00'));
    shows(1, { type: 'Capture', amount: '95.00' });
    await at.later(5 * DAY_MS, 40);
    expect(await at.outcome()).toEqual(late);
  },
);
