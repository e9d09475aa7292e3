import { beforeEach, expect, test } from 'vitest';
import { cards, dataOf, startForTest } from '../testing/sandbox-for-test.ts';
import { refusalA, refusalB, told } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

const refund = (transactionId: unknown, amount: unknown) =>
  sandbox.post('/payment/s2s/refund', { transactionId, amount });
const settle = () => sandbox.control.advanceClock({ by: 'PT10S' });

// Pins: operation.refund, field.RefundRequest.*, field.RefundAnswer.*, field.RefundData.*,
// transition.refund.settles, field.Transaction.refundStatus, field.Transaction.totalRefundAmount
test('a refund is accepted at once and shown by the status once it has settled (X6)', async () => {
  await sandbox.control.freezeClock();
  const { transactionId } = await sandbox.payLink();
  const answer = await refund(transactionId, 20);
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
  const before = await sandbox.rowOf(transactionId);
  expect(before).toMatchObject({ refundStatus: 'NONE', totalRefundAmount: '0.00' });
  const { fired } = await settle();
  expect(fired).toMatchObject([{ kind: 'refund-settled', id: dataOf(answer)['refundId'] }]);
  expect(await sandbox.rowOf(transactionId)).toMatchObject({
    amount: '115.00',
    transactionStatus: 'SUCCESS',
    refundStatus: 'PARTIAL',
    totalRefundAmount: '20.00',
  });
});

// Pins: transition.refund.partial, transition.refund.full, error.refund.above-balance,
// error.refund.400, error.refund.other-path, error.refund.smallest
test('partial refunds go on until nothing is left, and what is pending counts, by both paths (X3)', async () => {
  await sandbox.control.freezeClock();
  const { transactionId } = await sandbox.payLink();
  const other = (amount: number) => sandbox.post('/payment/refund', { transactionId, amount });
  expect((await refund(transactionId, 100)).status).toBe(200);
  expect(dataOf(await other(14.99))).toMatchObject({ result: 'accepted', amount: '14.99' });
  expect((await refund(transactionId, 0.01)).status).toBe(200);
  for (const above of [await refund(transactionId, 0.01), await other(0.01)]) {
    expect(told(above)).toEqual(refusalA(400, 'Refund amount more than sale amount'));
    expect(above.headers.get('x-sandbox-hint')).toContain('0.00 is left');
  }
  await settle();
  const after = await sandbox.rowOf(transactionId);
  expect(after).toMatchObject({ refundStatus: 'FULL', totalRefundAmount: '115.00' });
});

// Pins: error.refund.404, error.capture.404, error.void.404, error.chargeRecurring.404,
// field.RefundRequest.transactionId
test('a session id, a payment id and an unknown id are no transactions; a header names the mistake', async () => {
  const { sessionId, transactionId } = await sandbox.payLink();
  const paymentId = dataOf(await refund(transactionId, 1))['paymentId'];
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const [id, decidedBy] of [
    [sessionId, 'session-id'],
    [paymentId, 'payment-id'],
    [Number(paymentId), 'payment-id'],
    [unknown, 'unknown-id'],
  ]) {
    for (const move of ['refund', 'capture', 'void']) {
      const body = { transactionId: id, ...(move === 'void' ? {} : { amount: 1 }) };
      const answer = await sandbox.post(`/payment/s2s/${move}`, body);
      expect(told(answer)).toEqual(refusalA(404, 'Transaction not found'));
      expect(answer.headers.get('x-sandbox-decided-by')).toBe(decidedBy);
      expect(answer.headers.has('x-sandbox-hint')).toBe(id !== unknown);
    }
  }
});

// Pins: error.refund.400, field.RefundRequest.amount
test('a string amount is refused as the gateway refuses it, with a hint', async () => {
  const { transactionId } = await sandbox.payLink();
  const answer = await refund(transactionId, '20.00');
  expect(told(answer)).toEqual(refusalB(400, ['amount must be a number']));
  expect(answer.headers.get('x-sandbox-hint')).toContain('JSON number');
});

test('nothing is refunded of a decline, an open payment or an authorization', async () => {
  const messages: unknown[] = [];
  for (const transactionId of [
    (await sandbox.payLink({ merchantOrderId: 'declined' }, cards.poor)).transactionId,
    (await sandbox.payLink({ merchantOrderId: 'open' }, cards.challenged)).transactionId,
    await sandbox.sellForId({ auth: 'Y' }),
  ]) {
    const { status, body } = await refund(transactionId, 1);
    expect([status, body]).toMatchObject([400, { errorCode: '400', data: null }]);
    messages.push((body as { message: unknown }).message);
  }
  expect(messages).toEqual([
    'Transaction was not successful',
    'Transaction is still pending',
    'Transaction is not captured; void it instead',
  ]);
});

const capture = (transactionId: string, amount: number) =>
  sandbox.post('/payment/s2s/capture', { transactionId, amount });
const giveUp = (transactionId: string) => sandbox.post('/payment/s2s/void', { transactionId });
const authorize = (changes: object = {}) => sandbox.sellForId({ auth: 'Y', ...changes });

// Pins: operation.capture, field.CaptureRequest.*, field.CaptureAnswer.*, field.CaptureData.*,
// transition.authorization.captured, field.SaleRequest.auth
test('an authorization is PENDING until it is captured, and shows what was captured', async () => {
  const id = await authorize();
  const pending = { transactionStatus: 'PENDING', paymentStatus: 'PENDING', amount: '115.00' };
  expect(await sandbox.rowOf(id)).toMatchObject(pending);
  const answer = await capture(id, 80.5);
  expect(answer.status).toBe(200);
  expect(dataOf(answer)).toEqual({
    result: 'ACCEPTED',
    action: 'CAPTURE',
    rrn: expect.stringMatching(/^\d{12}$/),
    order_id: '1001',
    trans_id: expect.stringMatching(/^1\d{8}$/),
    card_brand: 'MASTERCARD',
    decline_reason: null,
  });
  expect(await sandbox.rowOf(id)).toMatchObject({
    transactionStatus: 'SUCCESS',
    paymentStatus: 'APPROVED',
    amount: '80.50',
    refundStatus: 'NONE',
  });
  const above = refusalA(400, 'Refund amount more than sale amount');
  expect(told(await refund(id, 80.51))).toEqual(above);
});

// Pins: error.capture.above-authorized, error.capture.repeated, error.capture.400,
// transition.authorization.captured
test('no more is captured than was authorized, and only once (N24)', async () => {
  const id = await authorize();
  const above = await capture(id, 115.01);
  expect(told(above)).toEqual(refusalA(400, 'Capture amount exceeds the authorized amount'));
  expect((await capture(id, 115)).status).toBe(200);
  expect(told(await capture(id, 1))).toEqual(refusalA(400, 'Transaction was already captured'));
});

// Pins: operation.void, field.VoidRequest.*, field.VoidAnswer.*, field.VoidData.*,
// transition.authorization.voided, error.void.repeated
test('a void frees the authorization; nothing moves it again (N25)', async () => {
  const id = await authorize();
  const answer = await giveUp(id);
  expect(answer.status).toBe(200);
  expect(dataOf(answer)).toMatchObject({ result: 'ACCEPTED', action: 'CREDITVOID' });
  expect(await sandbox.rowOf(id)).toMatchObject({
    transactionStatus: 'FAILED',
    paymentStatus: 'DECLINED',
    declineReason: 'Authorization was voided',
  });
  expect(told(await giveUp(id))).toEqual(refusalA(400, 'Authorization was already voided'));
  expect(told(await capture(id, 1))).toEqual(refusalA(400, 'Authorization was already voided'));
});

// Pins: error.void.already-captured, error.void.400, error.void.repeated
test('what was captured, by a capture or at once, can only be refunded', async () => {
  const captured = await authorize();
  await capture(captured, 115);
  const sold = await sandbox.sellForId();
  const { transactionId: paid } = await sandbox.payLink();
  const taken = refusalA(400, 'Transaction was already captured; use refund instead');
  for (const id of [captured, sold, paid]) {
    const answer = await giveUp(id);
    expect(told(answer)).toEqual(taken);
    expect(answer.headers.get('x-sandbox-decided-by')).toBe('already-captured');
  }
  const again = await capture(sold, 1);
  expect(told(again)).toEqual(refusalA(400, 'Only a payment created with auth Y can be captured'));
  const { transactionId: open } = await sandbox.payLink({ merchantOrderId: 'o' }, cards.challenged);
  expect((await giveUp(open)).headers.get('x-sandbox-decided-by')).toBe('no-authorization');
});

test('a declined authorization holds nothing', async () => {
  await sandbox.control.next({ operation: 'sale', outcome: 'decline:51' });
  const id = await authorize();
  for (const answer of [await capture(id, 1), await giveUp(id)]) {
    expect(told(answer)).toEqual(refusalA(400, 'Transaction is not authorized'));
  }
});

test('the issuer may decline a capture; the authorization stays and can be voided', async () => {
  const magic = await authorize({ amount: 9908.02 });
  const declined = await capture(magic, 100);
  expect(told(declined)).toEqual(refusalA(400, 'Capture was declined by the issuer'));
  expect(await sandbox.rowOf(magic)).toMatchObject({ transactionStatus: 'PENDING' });
  expect((await giveUp(magic)).status).toBe(200);
  const armed = await authorize();
  await sandbox.control.next({ operation: 'capture', outcome: 'decline:91' });
  expect(told(await capture(armed, 100))).toEqual(refusalA(400, 'Issuer unavailable'));
  expect((await capture(armed, 100)).status).toBe(200);
});
