import { expect, it } from 'vitest';
import { failed } from '../../../test-support/attacked-shop.ts';
import { HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';
import { inA, sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';

// Questions of several processes overlap: what an older answer shows may have gone back since.
const B = 'aa0e1040-0000-4000-8000-00000000000b';

it.each([
  ['transaction', 'a failure', failed],
  ['transaction', 'a reversal', { paymentStatus: 'REVERSED' }],
  ['either', 'a failure', failed],
  ['either', 'a reversal', { paymentStatus: 'REVERSED' }],
] as const)(
  'by %s, an older answer ships nothing once a newer one told of %s',
  async (asksFor, _w, newer) => {
    const paid: string[] = [];
    const on = { paid: ({ id }: { id: string }) => void paid.push(id) };
    const payments = { on, limits: false } as const;
    const profile = { status: { asksFor } } as const;
    const first = await startShop({ payments, profile });
    const second = await startShop({ beside: first, payments, profile });
    const link = await first.open();
    const answers: ((row: unknown) => void)[] = [];
    const row = (changes: object = {}) =>
      statusRow({ transactionId: B, merchantOrderId: link.merchantOrderId, ...changes });
    first.gateway.answerAt('/status', (request, response) => {
      if (request.query.get('id') !== B)
        return sendJson(response, 404, { code: 404, message: 'not found' });
      answers.push((one) => sendJson(response, 200, statusAnswer([one])));
      if (answers.length > 1) answers.at(-1)?.(row(newer));
    });
    first.later();
    const returning = first.send(`${link.success}?transactionId=${B}`);
    await expect.poll(() => answers.length).toBe(1);
    first.later(8_000);
    await second.send(`${link.success}?transactionId=${B}`);
    expect(answers.length).toBe(2);
    answers[0]?.(row());
    await returning;
    for (let hour = 0; hour < 24; hour += 1) {
      first.later(HOUR_MS);
      await second.payments.tick();
    }
    expect([answers.length > 2, paid]).toEqual([true, []]);
  },
);

it('of a sale with a challenge, an older answer ships nothing once a newer one told of a failure', async () => {
  const paid: string[] = [];
  const on = { paid: ({ id }: { id: string }) => void paid.push(id) };
  const payments = { on, limits: false } as const;
  const first = await startShop({ payments });
  const second = await startShop({ beside: first, payments });
  first.gateway.answerAt('/sale', (_q, response) =>
    sendJson(
      response,
      200,
      inA({
        result: 'REDIRECT',
        status: 'REDIRECT',
        transactionId: B,
        payment_id: '7',
        html: '<form></form>',
      }),
    ),
  );
  await first.payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's' });
  const answers: ((row: unknown) => void)[] = [];
  first.gateway.answerAt('/status', (_q, response) => {
    answers.push((one) => sendJson(response, 200, statusAnswer([one])));
    if (answers.length > 1) answers.at(-1)?.(statusRow({ transactionId: B, ...failed }));
  });
  first.later(MINUTE_MS);
  const asking = first.payments.confirm('1001').catch(() => null);
  await expect.poll(() => answers.length).toBe(1);
  first.later(8_000);
  await second.payments.confirm('1001').catch(() => null);
  expect(answers.length).toBe(2);
  answers[0]?.(statusRow({ transactionId: B }));
  await asking;
  for (let hour = 0; hour < 24; hour += 1) {
    first.later(HOUR_MS);
    await second.payments.tick();
  }
  expect(paid).toEqual([]);
});

// Three questions: the oldest, which says nothing, is recorded last but one, and takes the time of the newer one back.
it('an older answer ships nothing although a still older one was recorded after the newer one', async () => {
  const paid: string[] = [];
  const on = { paid: ({ id }: { id: string }) => void paid.push(id) };
  const payments = { on, limits: false } as const;
  const first = await startShop({ payments });
  const second = await startShop({ beside: first, payments });
  const third = await startShop({ beside: first, payments });
  const link = await first.open();
  const answers: ((row?: unknown) => void)[] = [];
  first.gateway.answerAt('/status', (_q, response) => {
    answers.push((one) => sendJson(response, 200, statusAnswer(one === undefined ? [] : [one])));
    if (answers.length > 2) answers.at(-1)?.(statusRow(failed));
  });
  first.later();
  const one = first.send(link.success);
  await expect.poll(() => answers.length).toBe(1);
  first.later(8_000);
  const two = second.send(link.success);
  await expect.poll(() => answers.length).toBe(2);
  first.later(8_000);
  await third.send(link.success);
  expect(answers.length).toBe(3);
  answers[0]?.(statusRow({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' }));
  await one;
  answers[1]?.(statusRow());
  await two;
  for (let hour = 0; hour < 24; hour += 1) {
    first.later(HOUR_MS);
    await second.payments.tick();
  }
  expect(paid).toEqual([]);
});

it.each([
  ['a failure', failed],
  ['a reversal', { paymentStatus: 'REVERSED', type: 'Capture' }],
  ['a void', { paymentStatus: 'VOIDED', type: 'Void' }],
])('an older answer captures nothing once a newer one told of %s', async (_what, newer) => {
  const told: string[] = [];
  const on = {
    captured: ({ id }: { id: string }) => void told.push(id),
    voided: ({ id }: { id: string }) => void told.push(id),
  };
  const payments = { on, limits: false } as const;
  const first = await startShop({ payments });
  const second = await startShop({ beside: first, payments });
  first.gateway.answerAt('/sale', (_q, response) =>
    sendJson(
      response,
      200,
      inA({ result: 'SUCCESS', status: 'SUCCESS', transactionId: B, payment_id: '7' }),
    ),
  );
  const hold = statusRow({ transactionId: B, type: 'Authorization' });
  first.gateway.rows.set(B, [hold]);
  await first.payments.sale('1001', { auth: 'authorize', card: aCard, requestId: 's' });
  first.later(MINUTE_MS);
  await first.payments.tick();
  expect((await first.payments.retrieve('1001'))?.state).toBe('authorized');
  const answers: ((row: unknown) => void)[] = [];
  first.gateway.answerAt('/status', (_q, response) => {
    answers.push((one) => sendJson(response, 200, statusAnswer([one])));
    if (answers.length > 1) answers.at(-1)?.(statusRow({ transactionId: B, ...newer }));
  });
  first.later(26 * HOUR_MS);
  const asking = first.payments.tick();
  await expect.poll(() => answers.length).toBe(1);
  first.later(90_000);
  await second.payments.tick();
  if (answers.length < 2) {
    first.later(HOUR_MS);
    await second.payments.tick();
  }
  expect(answers.length).toBe(2);
  answers[0]?.(statusRow({ transactionId: B, type: 'Capture' }));
  await asking;
  expect(told.filter((id) => id.includes('captured'))).toEqual([]);
});
