import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { dataOf, payLink, sellForId, post, rowOf } from '../testing/embedded-for-test.ts';
import { poorCard, startForTest } from '../testing/sandbox-for-test.ts';

const refund = (sandbox: Sandbox, transactionId: string, amount: unknown) =>
  post(sandbox, '/payment/s2s/refund', { transactionId, amount });
const settle = (sandbox: Sandbox) => sandbox.control.advanceClock({ by: 'PT10S' });

// Pins: operation.refund, field.RefundRequest.*, field.RefundAnswer.*, field.RefundData.*,
// transition.refund.settles, field.Transaction.refundStatus, field.Transaction.totalRefundAmount
test('a refund is accepted at once and shown by the status once it has settled (X6)', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const { transactionId } = await payLink(sandbox);
  const answer = await refund(sandbox, transactionId, 20);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    code: 200,
    message: 'Success',
    errorCode: null,
    data: {
      result: 'accepted',
      referenceId: expect.stringMatching(/^\d{12}$/),
      paymentId: expect.stringMatching(/^1\d{8}$/),
      message: 'Refund accepted',
      amount: '20.00',
      refundId: expect.any(String),
    },
  });
  expect(await rowOf(sandbox, transactionId)).toMatchObject({
    refundStatus: 'NONE',
    totalRefundAmount: '0.00',
  });
  const { fired } = await settle(sandbox);
  expect(fired).toMatchObject([{ kind: 'refund-settled', id: dataOf(answer)['refundId'] }]);
  expect(await rowOf(sandbox, transactionId)).toMatchObject({
    amount: '115.00',
    transactionStatus: 'SUCCESS',
    refundStatus: 'PARTIAL',
    totalRefundAmount: '20.00',
  });
});

// Pins: transition.refund.partial, transition.refund.full, error.refund.above-balance,
// error.refund.400
test('partial refunds go on until nothing is left, and what is pending counts', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const { transactionId } = await payLink(sandbox);
  for (const amount of [100, 14.99, 0.01]) {
    expect((await refund(sandbox, transactionId, amount)).status).toBe(200);
  }
  const above = await refund(sandbox, transactionId, 0.01);
  expect([above.status, above.body]).toEqual([
    400,
    { code: 400, message: 'Refund amount more than sale amount', errorCode: '400', data: null },
  ]);
  expect(above.headers.get('x-sandbox-hint')).toContain('0.00 is left');
  await settle(sandbox);
  expect(await rowOf(sandbox, transactionId)).toMatchObject({
    refundStatus: 'FULL',
    totalRefundAmount: '115.00',
  });
});

// Pins: error.refund.other-path
test('both paths refund the same balance (X3)', async () => {
  const sandbox = await startForTest();
  const { transactionId } = await payLink(sandbox);
  expect((await refund(sandbox, transactionId, 60)).status).toBe(200);
  const other = await post(sandbox, '/payment/refund', { transactionId, amount: 60 });
  expect(other.body).toMatchObject({ message: 'Refund amount more than sale amount' });
  const rest = await post(sandbox, '/payment/refund', { transactionId, amount: 55 });
  expect(dataOf(rest)).toMatchObject({ result: 'accepted', amount: '55.00' });
});

// Pins: error.refund.404, field.RefundRequest.transactionId
test('a session id, a payment id and an unknown id are no transactions; a header names the mistake', async () => {
  const sandbox = await startForTest();
  const { sessionId, transactionId } = await payLink(sandbox);
  const paymentId = dataOf(await refund(sandbox, transactionId, 1))['paymentId'];
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const [id, decidedBy] of [
    [sessionId, 'session-id'],
    [paymentId, 'payment-id'],
    [Number(paymentId), 'payment-id'],
    [unknown, 'unknown-id'],
  ]) {
    const answer = await post(sandbox, '/payment/s2s/refund', { transactionId: id, amount: 1 });
    expect([answer.status, answer.body]).toEqual([
      404,
      { code: 404, message: 'Transaction not found', errorCode: '404', data: null },
    ]);
    expect(answer.headers.get('x-sandbox-decided-by')).toBe(decidedBy);
    expect(answer.headers.has('x-sandbox-hint')).toBe(id !== unknown);
  }
});

// Pins: error.refund.400, field.RefundRequest.amount
test('a string amount is refused as the gateway refuses it, with a hint', async () => {
  const sandbox = await startForTest();
  const { transactionId } = await payLink(sandbox);
  const answer = await refund(sandbox, transactionId, '20.00');
  expect([answer.status, answer.body]).toEqual([
    400,
    { statusCode: 400, message: ['amount must be a number'], error: 'Bad Request' },
  ]);
  expect(answer.headers.get('x-sandbox-hint')).toContain('JSON number');
});

test('nothing is refunded of a decline, an open payment or an authorization', async () => {
  const sandbox = await startForTest();
  const messages: unknown[] = [];
  for (const transactionId of [
    (await payLink(sandbox, { merchantOrderId: 'declined' }, poorCard)).transactionId,
    (await payLink(sandbox, { merchantOrderId: 'open' }, '4508750015741019')).transactionId,
    await sellForId(sandbox, { auth: 'Y' }),
  ]) {
    const { status, body } = await refund(sandbox, transactionId, 1);
    expect([status, body]).toMatchObject([400, { errorCode: '400', data: null }]);
    messages.push((body as { message: unknown }).message);
  }
  expect(messages).toEqual([
    'Transaction was not successful',
    'Transaction is still pending',
    'Transaction is not captured; void it instead',
  ]);
});

test('with the policy sameId the session id names the transaction that paid', async () => {
  const sandbox = await startForTest({ policy: ['sameId'] });
  const { sessionId, transactionId } = await payLink(sandbox);
  expect(transactionId).toBe(sessionId);
  expect((await refund(sandbox, transactionId, 115)).status).toBe(200);
});

test('the other environment does not know the transaction', async () => {
  const sandbox = await startForTest();
  const { transactionId } = await payLink(sandbox);
  const { productionBaseUrl: baseUrl, productionApiKey: apiKey } = sandbox;
  const answer = await refund({ ...sandbox, baseUrl, apiKey }, transactionId, 1);
  expect(answer.status).toBe(404);
});

const capture = (sandbox: Sandbox, transactionId: string, amount: number) =>
  post(sandbox, '/payment/s2s/capture', { transactionId, amount });
const giveUp = (sandbox: Sandbox, transactionId: string) =>
  post(sandbox, '/payment/s2s/void', { transactionId });
const authorize = (sandbox: Sandbox, changes: object = {}) =>
  sellForId(sandbox, { auth: 'Y', ...changes });

const refusal = (message: string) => [400, { code: 400, message, errorCode: '400', data: null }];

// Pins: operation.capture, field.CaptureRequest.*, field.CaptureAnswer.*, field.CaptureData.*,
// transition.authorization.captured, field.SaleRequest.auth
test('an authorization is PENDING until it is captured, and shows what was captured', async () => {
  const sandbox = await startForTest();
  const id = await authorize(sandbox);
  const pending = { transactionStatus: 'PENDING', paymentStatus: 'PENDING', amount: '115.00' };
  expect(await rowOf(sandbox, id)).toMatchObject(pending);
  const answer = await capture(sandbox, id, 80.5);
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      code: 200,
      message: 'Success',
      errorCode: null,
      data: {
        result: 'ACCEPTED',
        action: 'CAPTURE',
        rrn: expect.stringMatching(/^\d{12}$/),
        order_id: '1001',
        trans_id: expect.stringMatching(/^1\d{8}$/),
        card_brand: 'MASTERCARD',
        decline_reason: null,
      },
    },
  ]);
  expect(await rowOf(sandbox, id)).toMatchObject({
    transactionStatus: 'SUCCESS',
    paymentStatus: 'APPROVED',
    amount: '80.50',
    refundStatus: 'NONE',
  });
  const { body } = await post(sandbox, '/payment/s2s/refund', { transactionId: id, amount: 80.51 });
  expect(body).toMatchObject({ message: 'Refund amount more than sale amount' });
});

// Pins: error.capture.above-authorized, error.capture.repeated, error.capture.400,
// transition.authorization.captured
test('no more is captured than was authorized, and only once (N24)', async () => {
  const sandbox = await startForTest();
  const id = await authorize(sandbox);
  const above = await capture(sandbox, id, 115.01);
  expect([above.status, above.body]).toEqual(
    refusal('Capture amount exceeds the authorized amount'),
  );
  expect((await capture(sandbox, id, 115)).status).toBe(200);
  const again = await capture(sandbox, id, 1);
  expect([again.status, again.body]).toEqual(refusal('Transaction was already captured'));
});

// Pins: operation.void, field.VoidRequest.*, field.VoidAnswer.*, field.VoidData.*,
// transition.authorization.voided, error.void.repeated
test('a void frees the authorization; nothing moves it again (N25)', async () => {
  const sandbox = await startForTest();
  const id = await authorize(sandbox);
  const answer = await giveUp(sandbox, id);
  expect(answer.status).toBe(200);
  expect(dataOf(answer)).toMatchObject({ result: 'ACCEPTED', action: 'CREDITVOID' });
  expect(await rowOf(sandbox, id)).toMatchObject({
    transactionStatus: 'FAILED',
    paymentStatus: 'DECLINED',
    declineReason: 'Authorization was voided',
  });
  const again = await giveUp(sandbox, id);
  expect([again.status, again.body]).toEqual(refusal('Authorization was already voided'));
  const taken = await capture(sandbox, id, 1);
  expect([taken.status, taken.body]).toEqual(refusal('Authorization was already voided'));
});

// Pins: error.void.already-captured, error.void.400, error.void.repeated
test('what was captured, by a capture or at once, can only be refunded', async () => {
  const sandbox = await startForTest();
  const captured = await authorize(sandbox);
  await capture(sandbox, captured, 115);
  const sold = await sellForId(sandbox);
  const { transactionId: paid } = await payLink(sandbox);
  for (const id of [captured, sold, paid]) {
    const answer = await giveUp(sandbox, id);
    expect([answer.status, answer.body]).toEqual(
      refusal('Transaction was already captured; use refund instead'),
    );
    expect(answer.headers.get('x-sandbox-decided-by')).toBe('already-captured');
  }
  const again = await capture(sandbox, sold, 1);
  expect([again.status, again.body]).toEqual(
    refusal('Only a payment created with auth Y can be captured'),
  );
});

test('a declined authorization holds nothing', async () => {
  const sandbox = await startForTest();
  await sandbox.control.next({ operation: 'sale', outcome: 'decline:51' });
  const id = await authorize(sandbox);
  for (const answer of [await capture(sandbox, id, 1), await giveUp(sandbox, id)]) {
    expect([answer.status, answer.body]).toEqual(refusal('Transaction is not authorized'));
  }
});

test('the issuer may decline a capture; the authorization stays and can be voided', async () => {
  const sandbox = await startForTest();
  const magic = await authorize(sandbox, { amount: 9908.02 });
  const declined = await capture(sandbox, magic, 100);
  expect([declined.status, declined.body]).toEqual(refusal('Capture was declined by the issuer'));
  expect(await rowOf(sandbox, magic)).toMatchObject({ transactionStatus: 'PENDING' });
  expect((await giveUp(sandbox, magic)).status).toBe(200);
  const armed = await authorize(sandbox);
  await sandbox.control.next({ operation: 'capture', outcome: 'decline:91' });
  const refused = await capture(sandbox, armed, 100);
  expect([refused.status, refused.body]).toEqual(refusal('Issuer unavailable'));
  expect((await capture(sandbox, armed, 100)).status).toBe(200);
});

// Pins: error.capture.404, error.void.404, error.chargeRecurring.404
test.each([
  ['/payment/s2s/capture', { amount: 1 }],
  ['/payment/s2s/void', {}],
])('%s answers 404 to an id that no transaction has', async (path, rest) => {
  const sandbox = await startForTest();
  const { sessionId } = await payLink(sandbox);
  const answer = await post(sandbox, path, { transactionId: sessionId, ...rest });
  expect([answer.status, answer.body]).toMatchObject([404, { errorCode: '404', data: null }]);
  expect(answer.headers.get('x-sandbox-hint')).toContain('checkout session id');
});
