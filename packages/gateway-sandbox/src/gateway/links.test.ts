import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { dataOf, refusalA, refusalB, send } from '../testing/sandbox-for-test.ts';
import { startForTest, told, validLink, withCalls } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest, WireAnswer } from '../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// Pins: transition.session.created, field.PaymentLink.*
test('creating a payment link answers 201 with an id and the page, and no more', async () => {
  const { status, body, headers } = await sandbox.postLink({ ...validLink, surprise: true });
  expect(status).toBe(201);
  const { id } = body as { id: string };
  expect(id).toMatch(uuid);
  expect(body).toEqual({ id, redirectUrl: `${sandbox.url}/checkout?sessionId=${id}` });
  expect(headers.get('x-sandbox-request-id')).toBe('req-000001');
  expect(headers.get('x-sandbox-decided-by')).toBe('session-created');
  expect(headers.get('x-sandbox-tier')).toBe('spec 4.1');
});

// Pins: field.Transaction.*
test('a paid session answers one row with exactly the known fields, by either id', async () => {
  const { sessionId: id, transactionId } = await sandbox.payLink();
  const bySession = await sandbox.getStatus(id);
  expect(bySession.body).toMatchObject({ data: { totalElements: 1 } });
  const [row] = (bySession.body as { data: { content: Record<string, string>[] } }).data.content;
  expect(row).toEqual({
    transactionId,
    amount: '115.00',
    transactionStatus: 'SUCCESS',
    paymentStatus: 'APPROVED',
    refundStatus: 'NONE',
    totalRefundAmount: '0.00',
    pan: '420132******1010',
    cardScheme: 'MADA',
    orderId: 'order-1',
    merchantOrderId: 'order-1',
    currencyCode: '682',
    rrn: expect.stringMatching(/^\d{12}$/),
  });
  expect(row?.['transactionId']).not.toBe(id);
  const byTransaction = await sandbox.getStatus(transactionId);
  expect(byTransaction.text).toBe(bySession.text);
  const alias = await sandbox.ask(`/payment/checkout/status?sessionId=${encodeURIComponent(id)}`);
  expect(alias.text).toBe(bySession.text);
});

test('an unknown id is 404 in envelope A, and a missing one 400 in envelope B', async () => {
  const unknown = await sandbox.getStatus('3f2504e0-4f89-41d3-9a0c-0305e82c3301');
  expect(told(unknown)).toEqual(refusalA(404, 'Transaction not found'));
  for (const query of ['', '?id=', '?id=a&id=b']) {
    const missing = await sandbox.ask(`/payment/checkout/status${query}`);
    expect(told(missing)).toEqual(refusalB(400, ['id should be given once and not be empty']));
  }
});

test('a merchant order id can be used once in each environment, and neither knows what the other has', async () => {
  const { transactionId } = await sandbox.payLink();
  expect(told(await sandbox.postLink())).toEqual(refusalB(400, 'merchantOrderId must be unique'));
  const { productionBaseUrl: baseUrl, productionApiKey: apiKey } = sandbox;
  const production = withCalls({ ...sandbox, baseUrl, apiKey });
  const { id } = await production.createLink();
  expect((await sandbox.getStatus(id)).status).toBe(404);
  const refund = await production.post('/payment/s2s/refund', { transactionId, amount: 1 });
  expect(refund.status).toBe(404);
});

// Pins: error.any.too-large
test('a stream of 70 KiB is 413 in envelope B', async () => {
  const answer = await sendPieces('{', 'x'.repeat(70_000));
  expect(told(answer)).toEqual(refusalB(413, expect.any(String)));
});

test('a body in pieces is read, with a mark of its byte order and with its encoding named', async () => {
  const bytes = Buffer.from(`\ufeff${JSON.stringify({ ...validLink, customerName: 'نورة' })}`);
  const middle = bytes.indexOf('ن') + 1;
  const answer = await sendPieces(bytes.subarray(0, middle), bytes.subarray(middle));
  expect(answer.status).toBe(201);
});

function sendPieces(...pieces: readonly (string | Buffer)[]): Promise<WireAnswer> {
  const type = 'Application/JSON ; charset="UTF-8"';
  const headers = { 'x-api-key': sandbox.apiKey, 'content-type': type };
  // The type of fetch knows neither such a body nor the option that it needs.
  const streamed: object = { body: Readable.from(pieces), duplex: 'half' };
  const address = `${sandbox.baseUrl}/payment/checkout/intiate`;
  return send(address, { method: 'POST', headers, ...streamed });
}

// Pins: error.createPaymentLink.spelling
test.each([
  ['POST', '/payment/checkout/initiate'],
  ['GET', '/payment/checkout/intiate'],
  ['POST', '/payment/checkout/status'],
  ['GET', '/payment/checkout/status/'],
  ['GET', '/payment/checkout/status/x'],
  ['GET', '/payment/checkout/Status'],
  ['POST', '/Payment/checkout/intiate'],
  ['GET', '/nothing'],
])('%s %s is an unknown route, 404 in envelope B', async (method, path) => {
  const headers = { 'x-api-key': sandbox.apiKey };
  const answer = await send(sandbox.baseUrl + path, { method, headers });
  expect(told(answer)).toEqual(refusalB(404, `Cannot ${method} /staging/v1${path}`));
});

const foreignTo = (name: string) => `API key does not belong to the ${name} environment`;
const portalToken = 'A portal token cannot be used for payment APIs; send the API key in x-api-key';
const key = (text: string) => ({ 'x-api-key': text });
const refusals: [string, () => Record<string, string>, string, string][] = [
  ['no key', () => ({}), 'staging', 'API key is missing'],
  ['an empty key', () => key(''), 'staging', 'API key is missing'],
  ['a wrong key', () => key('nonsense'), 'staging', 'Invalid API key'],
  ['the other key', () => key(sandbox.productionApiKey), 'staging', foreignTo('staging')],
  ['the other key', () => key(sandbox.apiKey), 'production', foreignTo('production')],
  ['a portal token', () => ({ authorization: 'Bearer abc' }), 'staging', portalToken],
  ['a portal token as the key', () => key('sandbox_portal_default.a.b'), 'staging', portalToken],
];

// Pins: error.unauthorized.key-missing, error.unauthorized.key-invalid,
// error.unauthorized.wrong-type, error.unauthorized.wrong-environment, error.refund.401,
// error.sale.401, error.capture.401, error.void.401, error.chargeRecurring.401
test.each(refusals)('%s is 401 in its words before the body is read', async (_what, ...row) => {
  const [make, environment, message] = row;
  const headers = make();
  const base = environment === 'staging' ? sandbox.baseUrl : sandbox.productionBaseUrl;
  const create = await send(`${base}/payment/checkout/intiate`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{',
  });
  const status = await send(`${base}/payment/checkout/status?id=x`, { headers });
  for (const answer of [create, status]) expect(told(answer)).toEqual(refusalB(401, message));
});

// Pins: error.unauthorized.merchant-not-found
test('a merchant whose record is missing gets its 401, until it is found again', async () => {
  await sandbox.control.switchMerchant('not-found');
  expect(told(await sandbox.postLink())).toEqual(refusalB(401, 'Merchant not found'));
  expect((await sandbox.control.info()).merchant).toBe('not-found');
  await sandbox.control.switchMerchant('found');
  expect((await sandbox.postLink()).status).toBe(201);
});

const order = { number: '2001', amount: 5, currency: 'SAR', description: 'November' };

async function charge(path: string, changes: object = {}) {
  const data = dataOf(await sandbox.sell({ recurringInit: 'Y' }));
  const { transactionId, recurringToken } = data;
  return sandbox.post(path, { transactionId, recurringToken, amount: 5, order, ...changes });
}

// Pins: error.createPaymentLink.decimals
test('an answer says how firmly it is known: spec, contradiction, assumed or our own rule', async () => {
  const { sessionId, transactionId } = await sandbox.payLink();
  const differing = await charge('/payment/checkout/recurring', { amount: 6 });
  expect(differing.body).toMatchObject({ message: ['order.amount must be equal to amount'] });
  const answers = [
    await sandbox.ask(`/payment/checkout/status?sessionId=${sessionId}`),
    await sandbox.post('/payment/refund', { transactionId, amount: 5 }),
    await charge('/payment/s2s/recurring'),
    await sandbox.postLink({ ...validLink, currency: 'KWD' }),
    await sandbox.postLink({ ...validLink, amount: 1.005 }),
    await sandbox.postLink({ ...validLink, customerPhone: '' }),
    differing,
  ];
  const tiers = answers.map(({ headers }) => headers.get('x-sandbox-tier'));
  expect(tiers.join()).toBe(
    'contradiction X1,contradiction X3,contradiction X4,assumed N23,assumed N23,spec 4.1,sandbox',
  );
});
