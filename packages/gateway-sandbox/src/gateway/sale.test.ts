import { expect, test } from 'vitest';
import { saleHash } from '../domain/requests.ts';
import { dataOf, saleCard, sellForId, validSale } from '../testing/embedded-for-test.ts';
import { rowOf, sell } from '../testing/embedded-for-test.ts';
import { send, startForTest } from '../testing/sandbox-for-test.ts';

/** The hash of N8 for `validSale`. */
const hashWith = (password: string) =>
  saleHash('payer@example.com', password, validSale.card.number);

const challengeCard = { ...saleCard, number: '4508750015741019' };

test('a sale takes the money at once', async () => {
  const sandbox = await startForTest();
  const answer = await sell(sandbox, { note: 'a field that nobody knows' });
  expect(answer.status).toBe(200);
  const data = dataOf(answer);
  expect(data).toEqual({
    result: 'SUCCESS',
    status: 'SUCCESS',
    transactionId: expect.any(String),
    payment_id: expect.stringMatching(/^1\d{8}$/),
    order_id: '1001',
    trans_id: data['payment_id'],
    html: null,
    rrn: expect.stringMatching(/^\d{12}$/),
    card_brand: 'MASTERCARD',
    recurringToken: null,
    decline_reason: null,
  });
  expect(await rowOf(sandbox, String(data['transactionId']))).toMatchObject({
    transactionStatus: 'SUCCESS',
    paymentStatus: 'APPROVED',
    amount: '115.00',
    merchantOrderId: '1001',
    pan: '512345******0008',
  });
});

test('a decline is HTTP 200 and says why', async () => {
  const sandbox = await startForTest();
  const declined = await sell(sandbox, { card: { ...saleCard, number: '4201320000311101' } });
  expect([declined.status, dataOf(declined)]).toMatchObject([
    200,
    { result: 'DECLINED', status: 'FAILED', html: null, decline_reason: 'Insufficient funds' },
  ]);
  expect(declined.headers.get('x-sandbox-decided-by')).toBe('card');
  const cvv = await sell(sandbox, { card: { ...saleCard, cvv: '911' } });
  expect(dataOf(cvv)).toMatchObject({ result: 'DECLINED', decline_reason: 'CVV check failed' });
});

test('a card is good until the last millisecond of its month, by the sandbox clock', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const card = { ...saleCard, expiryMonth: '01', expiryYear: '40' };
  await sandbox.control.advanceClock({ to: '2040-01-31T23:59:59.999Z' });
  expect(dataOf(await sell(sandbox, { card }))).toMatchObject({ result: 'SUCCESS' });
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect(dataOf(await sell(sandbox, { card }))).toMatchObject({
    result: 'DECLINED',
    decline_reason: 'Expired card',
  });
});

test('a number that is no test card is refused and stored nowhere', async () => {
  const sandbox = await startForTest();
  const number = '4539578763621486';
  const answer = await sell(sandbox, { card: { ...saleCard, number } });
  expect([answer.status, answer.body]).toEqual([
    400,
    { code: 400, message: 'Card number is not a test card', errorCode: '400', data: null },
  ]);
  expect(JSON.stringify(await sandbox.control.requests())).not.toContain(number.slice(6, 12));
});

test('all mistakes in a body are reported at once, in envelope B', async () => {
  const sandbox = await startForTest();
  const answer = await sell(sandbox, {
    amount: '115',
    paymentMethod: 'cash',
    auth: 'maybe',
    card: { number: '1', expiryMonth: '13', cvv: 'x' },
    customerDetails: { phone: '123' },
  });
  expect([answer.status, answer.body]).toEqual([
    400,
    {
      statusCode: 400,
      error: 'Bad Request',
      message: [
        'amount must be a number',
        'paymentMethod must be card',
        'auth must be Y or N',
        'card.number must have 12 to 19 digits',
        'card.expiryMonth must be 01 to 12',
        'card.expiryYear should not be empty',
        'card.cvv must have three or four digits',
        'customerDetails.phone must be a valid mobile number',
      ],
    },
  ]);
});

test('the HTML of a challenged sale posts itself to the challenge, which decides the sale', async () => {
  const sandbox = await startForTest();
  const answer = await sell(sandbox, { card: challengeCard });
  const data = dataOf(answer);
  expect(data).toMatchObject({ result: 'REDIRECT', status: 'REDIRECT', decline_reason: null });
  const html = String(data['html']);
  expect(html).toContain('document.forms[0].submit()');
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(action).toMatch(`${sandbox.url}/challenge/`);
  const page = await send(action, { method: 'POST' });
  expect(page.status).toBe(303);
  const id = String(data['transactionId']);
  expect(await rowOf(sandbox, id)).toMatchObject({ transactionStatus: 'PENDING' });
  const address = sandbox.url + (page.headers.get('location') ?? '');
  const passed = await send(address, {
    method: 'POST',
    body: new URLSearchParams({ action: 'password', otp: '123456' }),
  });
  expect(passed.headers.get('location')).toBe(validSale.successUrl);
  expect(await rowOf(sandbox, id)).toMatchObject({ transactionStatus: 'SUCCESS' });
});

test('a challenge that fails sends the shopper to the merchant’s failure page', async () => {
  const sandbox = await startForTest();
  const data = dataOf(await sell(sandbox, { card: challengeCard }));
  const action = /action="([^"]+)\/start"/.exec(String(data['html']))?.[1] ?? '';
  const failed = await send(action, {
    method: 'POST',
    body: new URLSearchParams({ action: 'fail' }),
  });
  expect(failed.headers.get('location')).toBe(validSale.failureUrl);
  expect(await rowOf(sandbox, String(data['transactionId']))).toMatchObject({
    transactionStatus: 'FAILED',
  });
});

test('a challenged authorization holds the money once the challenge is passed', async () => {
  const sandbox = await startForTest();
  const id = await sellForId(sandbox, { card: challengeCard, auth: 'Y' });
  await sandbox.control.answerChallenge(id, { action: 'approve' });
  expect(await rowOf(sandbox, id)).toMatchObject({ transactionStatus: 'PENDING' });
  const { transaction } = await sandbox.control.answerChallenge(id, { action: 'fail' });
  expect(transaction.transactionStatus).toBe('PENDING');
});

test('a sale that is sent again charges again: nothing makes it safe to repeat', async () => {
  const sandbox = await startForTest();
  expect(await sellForId(sandbox)).not.toBe(await sellForId(sandbox));
});

test('no page shows a sale, and nothing else pays it', async () => {
  const sandbox = await startForTest();
  await sell(sandbox, { card: challengeCard });
  const [{ sessionId } = { sessionId: null }] = await sandbox.control.requests();
  const page = await send(`${sandbox.url}/checkout?sessionId=${String(sessionId)}`);
  expect(page.text).not.toContain('card-number');
  await expect(sandbox.control.pay(String(sessionId), { applePay: true })).rejects.toMatchObject({
    code: 'unknown_session',
  });
});

test('a hash that is sent is checked, and none has to be', async () => {
  const sandbox = await startForTest();
  const hash = hashWith(sandbox.salePassword);
  expect(dataOf(await sell(sandbox))).toMatchObject({ result: 'SUCCESS' });
  expect(dataOf(await sell(sandbox, { hash }))).toMatchObject({ result: 'SUCCESS' });
  const wrong = await sell(sandbox, { hash: hash.toUpperCase() });
  expect([wrong.status, wrong.body]).toMatchObject([400, { message: 'Hash is not valid' }]);
});

test('the policy strictHash takes the hash of N8 and no other', async () => {
  const sandbox = await startForTest({ policy: ['strictHash'] });
  const hash = hashWith(sandbox.salePassword);
  expect(dataOf(await sell(sandbox, { hash }))).toMatchObject({ result: 'SUCCESS' });
  const wrong = await sell(sandbox, { hash: hash.toUpperCase() });
  expect([wrong.status, wrong.body]).toMatchObject([400, { message: 'Hash is not valid' }]);
  const missing = await sell(sandbox);
  expect([missing.status, missing.body]).toMatchObject([
    400,
    { message: 'hash should not be empty', errorCode: '400', data: null },
  ]);
});
