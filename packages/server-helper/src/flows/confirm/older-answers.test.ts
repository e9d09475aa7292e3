import { expect, it } from 'vitest';
import { failed, start, undecided } from '../../../test-support/attacked-shop.ts';
import { HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';

// Questions of several processes overlap: what an older answer shows may have gone back since.
const B = 'aa0e1040-0000-4000-8000-00000000000b';

/** A shop of several processes, and the types of its events. */
async function processes(asksFor: 'session' | 'transaction' | 'either' = 'session') {
  const events: string[] = [];
  const note = ({ type }: { readonly type: string }): void => void events.push(type);
  const payments = { on: { paid: note, captured: note }, limits: false } as const;
  const at = await start({}, { asksFor }, { payments });
  const profile = { status: { asksFor } } as const;
  return {
    at,
    events,
    another: () => startShop({ beside: at.shop, payments, profile }),
    /** The gateway holds its next answers back; the one behind them, and all later ones, come at once. */
    hold: (held: number, newest: object, isKnown = (_id: unknown) => true) => {
      const answers: ((row: object) => void)[] = [];
      at.shop.gateway.answerAt('/status', ({ query }, response) => {
        const noSuchId = { code: 404, message: 'not found' };
        if (!isKnown(query.get('id'))) return sendJson(response, 404, noSuchId);
        answers.push((row) => sendJson(response, 200, statusAnswer([row])));
        if (answers.length > held) answers.at(-1)?.(newest);
      });
      return answers;
    },
    /** A day of the background work of one of them. */
    day: async (process: Awaited<ReturnType<typeof startShop>>): Promise<void> => {
      for (let hour = 0; hour < 24; hour += 1) {
        at.shop.later(HOUR_MS);
        await process.payments.tick();
      }
    },
  };
}

it.each([
  ['session', 'a failure', failed],
  ['session', 'a refund', { paymentStatus: 'REFUNDED' }],
  ['transaction', 'a failure', failed],
  ['transaction', 'a reversal', { paymentStatus: 'REVERSED' }],
  ['either', 'a failure', failed],
  ['either', 'a reversal', { paymentStatus: 'REVERSED' }],
] as const)(
  'by %s, an older answer ships nothing once a newer one has shown %s',
  async (asksFor, _what, newer) => {
    const { at, events, another, hold, day } = await processes(asksFor);
    const second = await another();
    const { merchantOrderId, success } = await at.shop.open();
    const row = statusRow({ transactionId: B, merchantOrderId });
    const isByIds = asksFor !== 'session';
    const answers = hold(1, { ...row, ...newer }, (id) => !isByIds || id === B);
    const back = isByIds ? `${success}?transactionId=${B}` : success;
    at.shop.later();
    const returning = at.shop.send(back);
    await expect.poll(() => answers.length).toBe(1);
    at.shop.later(8_000);
    await second.send(back);
    expect(answers.length).toBe(2);
    answers[0]?.(row);
    await returning;
    await day(second);
    expect([answers.length > 2, events]).toEqual([true, []]);
  },
);

it('of a sale with a challenge, an older answer ships nothing once a newer one has shown a failure', async () => {
  const { at, events, another, hold, day } = await processes();
  const { payments } = at.shop;
  const second = await another();
  const transactionId = at.sells('REDIRECT');
  await payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's' });
  const answers = hold(1, statusRow({ transactionId, ...failed }));
  at.shop.later(MINUTE_MS);
  const asking = payments.confirm('1001').catch(() => null);
  await expect.poll(() => answers.length).toBe(1);
  at.shop.later(8_000);
  await second.payments.confirm('1001').catch(() => null);
  expect(answers.length).toBe(2);
  answers[0]?.(statusRow({ transactionId }));
  await asking;
  await day(second);
  expect(events).toEqual([]);
});

it('an older answer ships nothing although a still older one was recorded after the newer one', async () => {
  const { at, events, another, hold, day } = await processes();
  const [second, third] = [await another(), await another()];
  const { success } = await at.shop.open();
  const answers = hold(2, statusRow(failed));
  at.shop.later();
  const one = at.shop.send(success);
  await expect.poll(() => answers.length).toBe(1);
  at.shop.later(8_000);
  const two = second.send(success);
  await expect.poll(() => answers.length).toBe(2);
  at.shop.later(8_000);
  await third.send(success);
  expect(answers.length).toBe(3);
  // This one says nothing, and must not put the time of the newest one back.
  answers[0]?.(statusRow(undecided));
  await one;
  answers[1]?.(statusRow());
  await two;
  await day(second);
  expect(events).toEqual([]);
});

it.each([
  ['a failure', failed],
  ['a reversal', { paymentStatus: 'REVERSED', type: 'Capture' }],
  ['a void', { paymentStatus: 'VOIDED', type: 'Void' }],
])('an older answer captures nothing once a newer one has shown %s', async (_what, newer) => {
  const { at, events, another, hold } = await processes();
  const { payments, gateway } = at.shop;
  const second = await another();
  const transactionId = at.sells('SUCCESS');
  gateway.rows.set(transactionId, [statusRow({ transactionId, type: 'Authorization' })]);
  await payments.sale('1001', { auth: 'authorize', card: aCard, requestId: 's' });
  at.shop.later(MINUTE_MS);
  await payments.tick();
  expect(await at.state()).toBe('authorized');
  const answers = hold(1, statusRow({ transactionId, ...newer }));
  at.shop.later(26 * HOUR_MS);
  const asking = payments.tick();
  await expect.poll(() => answers.length).toBe(1);
  at.shop.later(90_000);
  await second.payments.tick();
  expect(answers.length).toBe(2);
  answers[0]?.(statusRow({ transactionId, type: 'Capture' }));
  await asking;
  expect(events).toEqual([]);
});

it('an answer of an hour ago, of a process that stood still, ships nothing', async () => {
  const { at, events, hold } = await processes();
  await at.shop.open();
  const answers = hold(1, statusRow({ refundStatus: 'FULL', totalRefundAmount: '115.00' }));
  const asking = at.shop.payments.confirm('1001');
  await expect.poll(() => answers.length).toBe(1);
  at.shop.later(HOUR_MS);
  answers[0]?.(statusRow());
  await asking;
  await at.later(HOUR_MS, 12);
  expect(events).toEqual([]);
});
