import { beforeEach, expect, test } from 'vitest';
import { saleHash } from '../domain/requests.ts';
import { cards, dataOf, refusalB, saleCard, send } from '../testing/sandbox-for-test.ts';
import { startForTest, told, validSale } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

/** The hash of N8 for `validSale`. */
const hashWith = (key: string) => saleHash('payer@example.com', key, validSale.card.number);

const challengeCard = { ...saleCard, number: cards.challenged };

// Pins: operation.sale, field.SaleRequest.*, field.SaleAnswer.*, field.SaleData.*,
// field.CustomerDetails.*, field.Card.*
test('a sale takes the money at once', async () => {
  const answer = await sandbox.sell({ note: 'a field that nobody knows' });
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
  expect(await sandbox.rowOf(String(data['transactionId']))).toMatchObject({
    transactionStatus: 'SUCCESS',
    paymentStatus: 'APPROVED',
    amount: '115.00',
    merchantOrderId: '1001',
    pan: '512345******0008',
  });
  // Nothing makes it safe to send a sale again.
  expect(await sandbox.sellForId()).not.toBe(data['transactionId']);
});

// Pins: field.SaleData.result, field.SaleData.decline_reason
test('a decline is HTTP 200 and says why', async () => {
  const declined = await sandbox.sell({ card: { ...saleCard, number: cards.poor } });
  expect([declined.status, dataOf(declined)]).toMatchObject([
    200,
    { result: 'DECLINED', status: 'FAILED', html: null, decline_reason: 'Insufficient funds' },
  ]);
  expect(declined.headers.get('x-sandbox-decided-by')).toBe('card');
  const cvv = await sandbox.sell({ card: { ...saleCard, cvv: '911' } });
  expect(dataOf(cvv)).toMatchObject({ result: 'DECLINED', decline_reason: 'CVV check failed' });
});

// Pins: field.Card.expiryMonth, field.Card.expiryYear
test('a card is good until the last millisecond of its month, by the sandbox clock', async () => {
  await sandbox.control.freezeClock();
  const card = { ...saleCard, expiryMonth: '01', expiryYear: '40' };
  await sandbox.control.advanceClock({ to: '2040-01-31T23:59:59.999Z' });
  expect(dataOf(await sandbox.sell({ card }))).toMatchObject({ result: 'SUCCESS' });
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  const expired = { result: 'DECLINED', decline_reason: 'Expired card' };
  expect(dataOf(await sandbox.sell({ card }))).toMatchObject(expired);
});

// Pins: error.sale.400
test('all mistakes in a body are reported at once, in envelope B', async () => {
  const answer = await sandbox.sell({
    amount: '115',
    paymentMethod: 'cash',
    auth: 'maybe',
    card: { number: '1', expiryMonth: '13', cvv: 'x' },
    customerDetails: { phone: '123' },
  });
  expect(told(answer)).toEqual(
    refusalB(400, [
      'amount must be a number',
      'paymentMethod must be card',
      'auth must be Y or N',
      'card.number must have 12 to 19 digits',
      'card.expiryMonth must be 01 to 12',
      'card.expiryYear should not be empty',
      'card.cvv must have three or four digits',
      'customerDetails.phone must be a valid mobile number',
    ]),
  );
});

// Pins: field.SaleData.html, transition.transaction.challenge
test.each([
  [{ action: 'password', otp: '123456' }, validSale.successUrl, 'SUCCESS'],
  [{ action: 'fail' }, validSale.failureUrl, 'FAILED'],
])('a challenged sale’s HTML posts itself; %j leads to %s, and it is %s', async (...row) => {
  const [step, url, status] = row;
  const data = dataOf(await sandbox.sell({ card: challengeCard }));
  expect(data).toMatchObject({ result: 'REDIRECT', status: 'REDIRECT', decline_reason: null });
  const html = String(data['html']);
  expect(html).toContain('document.forms[0].submit()');
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(action).toMatch(`${sandbox.url}/challenge/`);
  const page = await send(action, { method: 'POST' });
  expect(page.status).toBe(303);
  const id = String(data['transactionId']);
  expect(await sandbox.rowOf(id)).toMatchObject({ transactionStatus: 'PENDING' });
  const address = sandbox.url + (page.headers.get('location') ?? '');
  const answered = await send(address, { method: 'POST', body: new URLSearchParams(step) });
  expect(answered.headers.get('location')).toBe(url);
  expect(await sandbox.rowOf(id)).toMatchObject({ transactionStatus: status });
});

test('a challenged authorization holds the money once the challenge is passed', async () => {
  const id = await sandbox.sellForId({ card: challengeCard, auth: 'Y' });
  await sandbox.control.answerChallenge(id, { action: 'approve' });
  expect(await sandbox.rowOf(id)).toMatchObject({ transactionStatus: 'PENDING' });
  const { transaction } = await sandbox.control.answerChallenge(id, { action: 'fail' });
  expect(transaction.transactionStatus).toBe('PENDING');
});

test('no page shows a sale, and nothing else pays it', async () => {
  await sandbox.sell({ card: challengeCard });
  const [{ sessionId } = { sessionId: null }] = await sandbox.control.requests();
  const page = await send(`${sandbox.url}/checkout?sessionId=${String(sessionId)}`);
  expect(page.text).not.toContain('card-number');
  const paying = sandbox.control.pay(String(sessionId), { applePay: true });
  await expect(paying).rejects.toMatchObject({ code: 'unknown_session' });
});

// Pins: field.SaleRequest.hash, error.sale.hash
test('the policy strictHash takes the hash of N8 and no other', async () => {
  const usual = await startForTest();
  const other = await usual.sell({ hash: hashWith(usual.salePassword).toUpperCase() });
  expect([other.status, other.body]).toMatchObject([400, { message: 'Hash is not valid' }]);
  sandbox = await startForTest({ policy: ['strictHash'] });
  const hash = hashWith(sandbox.salePassword);
  expect(dataOf(await sandbox.sell({ hash }))).toMatchObject({ result: 'SUCCESS' });
  const wrong = await sandbox.sell({ hash: hash.toUpperCase() });
  expect([wrong.status, wrong.body]).toMatchObject([400, { message: 'Hash is not valid' }]);
  const missing = await sandbox.sell();
  const body = { message: 'hash should not be empty', errorCode: '400', data: null };
  expect(missing).toMatchObject({ status: 400, body });
});

const path = '/payment/checkout/recurring';
const order = { number: '2001', amount: 50, currency: 'SAR', description: 'November' };
const charge = (transactionId: string, recurringToken: string, changes: object = {}) =>
  sandbox.post(path, { transactionId, recurringToken, amount: 50, order, ...changes });

async function subscribe(changes: object = {}) {
  const data = dataOf(await sandbox.sell({ recurringInit: 'Y', ...changes }));
  return { id: String(data['transactionId']), token: String(data['recurringToken']) };
}

const declined = (decline_reason: string) => ({
  statusCode: 200,
  responseBody: { result: 'DECLINED', status: 'FAILED', payment_id: null, decline_reason },
});

// Pins: operation.chargeRecurring, field.RecurringRequest.*, field.RecurringOrder.*,
// field.RecurringAnswer.*, field.RecurringBody.*, error.chargeRecurring.other-path
test('a token charges again, and the body names only what §4.7 names', async () => {
  const { id, token } = await subscribe();
  expect(await sandbox.rowOf(id)).toMatchObject({ recurringToken: token });
  const answer = await charge(id, token);
  const payment_id = expect.stringMatching(/^1\d{8}$/) as string;
  const responseBody = { result: 'SUCCESS', status: 'SUCCESS', payment_id };
  expect(told(answer)).toEqual({ status: 200, body: { statusCode: 200, responseBody } });
  const body = { transactionId: id, recurringToken: token, amount: 50, order };
  const again = await sandbox.post('/payment/s2s/recurring', body);
  expect(again.body).toMatchObject({ responseBody: { result: 'SUCCESS' } });
  expect(again.text).not.toBe(answer.text);
});

// Pins: transition.token.charged
test('a token is bound to the transaction that made it', async () => {
  const mine = await subscribe();
  const other = await subscribe();
  const answer = await charge(other.id, mine.token);
  expect(told(answer)).toEqual({ status: 200, body: declined('Invalid token') });
  expect((await charge(mine.id, 'rt_unknown')).body).toEqual(declined('Invalid token'));
  const unknown = await charge(mine.token, mine.token);
  expect([unknown.status, unknown.body]).toMatchObject([404, { errorCode: '404' }]);
});

// Pins: field.Transaction.recurringToken, field.SaleRequest.recurringInit,
// field.SaleData.recurringToken
test('there is a token only where one was asked for and the payment was approved (N10)', async () => {
  expect(await sandbox.rowOf(await sandbox.sellForId())).not.toHaveProperty('recurringToken');
  const card = { ...saleCard, number: cards.poor };
  const refused = dataOf(await sandbox.sell({ recurringInit: 'Y', card }));
  expect(refused).toMatchObject({ result: 'DECLINED', recurringToken: null });
  const challenged = dataOf(await sandbox.sell({ recurringInit: 'Y', card: challengeCard }));
  expect(challenged['recurringToken']).toBeNull();
  const id = String(challenged['transactionId']);
  await sandbox.control.answerChallenge(id, { action: 'approve' });
  expect(await sandbox.rowOf(id)).toMatchObject({ recurringToken: expect.any(String) });
});

test('a token expires a year after its payment', async () => {
  await sandbox.control.freezeClock();
  const { id, token } = await subscribe();
  await sandbox.control.advanceClock({ by: 'P364DT23H59M59.999S' });
  expect((await charge(id, token)).body).toMatchObject({ responseBody: { result: 'SUCCESS' } });
  await sandbox.control.advanceClock({ by: 'PT0.001S' });
  expect((await charge(id, token)).body).toEqual(declined('Token has expired'));
});

test('a revoked token and the token of a voided authorization charge nothing', async () => {
  const revoked = await subscribe();
  expect(await sandbox.control.revokeToken(revoked.token)).toEqual({ transactionId: revoked.id });
  expect((await charge(revoked.id, revoked.token)).body).toEqual(declined('Token was revoked'));
  const voided = await subscribe({ auth: 'Y' });
  await sandbox.post('/payment/s2s/void', { transactionId: voided.id });
  expect((await charge(voided.id, voided.token)).body).toEqual(declined('Invalid token'));
});

// Pins: error.chargeRecurring.400
test('a charge whose order names no currency is refused (§2.6)', async () => {
  const { id, token } = await subscribe();
  const { currency: _currency, ...without } = order;
  const answer = await charge(id, token, { order: without });
  expect(told(answer)).toEqual(refusalB(400, ['order.currency should not be empty']));
});

// Pins: error.chargeRecurring.declined, field.RecurringBody.decline_reason
test('a decline of the issuer is HTTP 200, and no amount of a charge is magic', async () => {
  const { id, token } = await subscribe();
  await sandbox.control.next({ operation: 'chargeRecurring', outcome: 'decline:51' });
  const answer = await charge(id, token);
  expect(told(answer)).toEqual({ status: 200, body: declined('Insufficient funds') });
  expect(answer.headers.get('x-sandbox-decided-by')).toBe('next');
  const amount = 9900.51;
  const { body } = await charge(id, token, { amount, order: { ...order, amount } });
  expect(body).toMatchObject({ responseBody: { result: 'SUCCESS' } });
});
