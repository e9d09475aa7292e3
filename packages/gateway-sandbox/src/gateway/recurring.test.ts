import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { dataOf, saleCard, sellForId } from '../testing/embedded-for-test.ts';
import { post, rowOf, sell } from '../testing/embedded-for-test.ts';
import { startForTest } from '../testing/sandbox-for-test.ts';

const path = '/payment/checkout/recurring';
const order = { number: '2001', amount: 50, currency: 'SAR', description: 'November' };
const charge = (
  sandbox: Sandbox,
  transactionId: string,
  recurringToken: string,
  changes: object = {},
) => post(sandbox, path, { transactionId, recurringToken, amount: 50, order, ...changes });

async function subscribe(sandbox: Sandbox, changes: object = {}) {
  const data = dataOf(await sell(sandbox, { recurringInit: 'Y', ...changes }));
  return { id: String(data['transactionId']), token: String(data['recurringToken']) };
}

const declined = (reason: string) => ({
  statusCode: 200,
  responseBody: {
    result: 'DECLINED',
    status: 'FAILED',
    payment_id: null,
    decline_reason: reason,
  },
});

test('a token charges again, and the body names only what §4.7 names', async () => {
  const sandbox = await startForTest();
  const { id, token } = await subscribe(sandbox);
  expect(await rowOf(sandbox, id)).toMatchObject({ recurringToken: token });
  const answer = await charge(sandbox, id, token);
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      statusCode: 200,
      responseBody: {
        result: 'SUCCESS',
        status: 'SUCCESS',
        payment_id: expect.stringMatching(/^1\d{8}$/),
      },
    },
  ]);
  const again = await post(sandbox, '/payment/s2s/recurring', {
    transactionId: id,
    recurringToken: token,
    amount: 50,
    order,
  });
  expect(again.body).toMatchObject({ responseBody: { result: 'SUCCESS' } });
  expect(again.text).not.toBe(answer.text);
});

test('a token is bound to the transaction that made it', async () => {
  const sandbox = await startForTest();
  const mine = await subscribe(sandbox);
  const other = await subscribe(sandbox);
  const answer = await charge(sandbox, other.id, mine.token);
  expect([answer.status, answer.body]).toEqual([200, declined('Invalid token')]);
  expect((await charge(sandbox, mine.id, 'rt_unknown')).body).toEqual(declined('Invalid token'));
  const unknown = await charge(sandbox, mine.token, mine.token);
  expect([unknown.status, unknown.body]).toMatchObject([404, { errorCode: '404' }]);
});

test('there is a token only where one was asked for and the payment was approved (N10)', async () => {
  const sandbox = await startForTest();
  expect(await rowOf(sandbox, await sellForId(sandbox))).not.toHaveProperty('recurringToken');
  const card = { ...saleCard, number: '4201320000311101' };
  const refused = dataOf(await sell(sandbox, { recurringInit: 'Y', card }));
  expect(refused).toMatchObject({ result: 'DECLINED', recurringToken: null });
  const challenged = dataOf(
    await sell(sandbox, { recurringInit: 'Y', card: { ...saleCard, number: '4508750015741019' } }),
  );
  expect(challenged['recurringToken']).toBeNull();
  const id = String(challenged['transactionId']);
  await sandbox.control.answerChallenge(id, { action: 'approve' });
  expect(await rowOf(sandbox, id)).toMatchObject({ recurringToken: expect.any(String) });
});

test('a token expires a year after its payment', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const { id, token } = await subscribe(sandbox);
  await sandbox.control.advanceClock({ by: 'P364DT23H59M59.999S' });
  expect((await charge(sandbox, id, token)).body).toMatchObject({
    responseBody: { result: 'SUCCESS' },
  });
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect((await charge(sandbox, id, token)).body).toEqual(declined('Token has expired'));
});

test('a revoked token and the token of a voided authorization charge nothing', async () => {
  const sandbox = await startForTest();
  const revoked = await subscribe(sandbox);
  expect(await sandbox.control.revokeToken(revoked.token)).toEqual({ transactionId: revoked.id });
  expect((await charge(sandbox, revoked.id, revoked.token)).body).toEqual(
    declined('Token was revoked'),
  );
  await expect(sandbox.control.revokeToken('rt_unknown')).rejects.toMatchObject({
    code: 'unknown_token',
    status: 404,
  });
  const voided = await subscribe(sandbox, { auth: 'Y' });
  await post(sandbox, '/payment/s2s/void', { transactionId: voided.id });
  expect((await charge(sandbox, voided.id, voided.token)).body).toEqual(declined('Invalid token'));
});

test('a charge whose order names no currency is refused (§2.6)', async () => {
  const sandbox = await startForTest();
  const { id, token } = await subscribe(sandbox);
  const { currency: _currency, ...without } = order;
  const { status, body } = await charge(sandbox, id, token, { order: without });
  expect([status, body]).toEqual([
    400,
    { statusCode: 400, message: ['order.currency should not be empty'], error: 'Bad Request' },
  ]);
});

test('a decline of the issuer is HTTP 200', async () => {
  const sandbox = await startForTest();
  const { id, token } = await subscribe(sandbox);
  await sandbox.control.next({ operation: 'chargeRecurring', outcome: 'decline:51' });
  const answer = await charge(sandbox, id, token);
  expect([answer.status, answer.body]).toEqual([200, declined('Insufficient funds')]);
  expect(answer.headers.get('x-sandbox-decided-by')).toBe('next');
});

test('no amount of a recurring charge is magic', async () => {
  const sandbox = await startForTest();
  const { id, token } = await subscribe(sandbox);
  const amount = 9900.51;
  const answer = await charge(sandbox, id, token, { amount, order: { ...order, amount } });
  expect(answer.body).toMatchObject({ responseBody: { result: 'SUCCESS' } });
});
