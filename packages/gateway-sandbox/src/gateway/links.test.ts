import { beforeEach, expect, test } from 'vitest';
import {
  cards,
  dataOf,
  refusalA,
  refusalB,
  send,
  startForTest,
  told,
  validLink,
  withCalls,
} from '../testing/sandbox-for-test.ts';
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
  const { id } = await sandbox.createLink();
  const paid = await sandbox.control.pay(id, { card: { number: cards.mada } });
  const bySession = await sandbox.getStatus(id);
  expect(bySession.body).toMatchObject({ data: { totalElements: 1 } });
  const [row] = (bySession.body as { data: { content: Record<string, string>[] } }).data.content;
  expect(row).toEqual({
    transactionId: paid.transaction.transactionId,
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
  const byTransaction = await sandbox.getStatus(paid.transaction.transactionId);
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

// Pins: error.createPaymentLink.400, error.createPaymentLink.decimals
test('all validation messages come together in envelope B', async () => {
  const { status, body, headers } = await sandbox.postLink({
    ...validLink,
    amount: '115.00',
    customerPhone: '',
  });
  expect({ status, body }).toEqual(
    refusalB(400, ['amount must be a number', 'customerPhone should not be empty']),
  );
  expect(headers.get('x-sandbox-decided-by')).toBe('validation');
});

test('a merchant order id can be used once in each environment', async () => {
  await sandbox.createLink();
  const again = await sandbox.postLink();
  expect(told(again)).toEqual(refusalB(400, 'merchantOrderId must be unique'));
  const { productionBaseUrl: baseUrl, productionApiKey: apiKey } = sandbox;
  const elsewhere = await withCalls({ ...sandbox, baseUrl, apiKey }).postLink();
  expect(elsewhere.status).toBe(201);
  const { id } = elsewhere.body as { id: string };
  expect((await sandbox.getStatus(id)).status).toBe(404);
});

// Pins: error.any.too-large
test('a stream of 70 KiB is 413 in envelope B', async () => {
  const answer = await sendStream(streamed('{', 'x'.repeat(70_000)));
  expect(told(answer)).toEqual(refusalB(413, expect.any(String)));
});

test('a body in pieces is read, with a mark of its byte order and with its encoding named', async () => {
  const text = JSON.stringify({ ...validLink, customerName: 'نورة' });
  const bytes = new TextEncoder().encode(`\ufeff${text}`);
  const middle = bytes.indexOf(new TextEncoder().encode('ن')[0] ?? 0) + 1;
  const pieces = streamed(bytes.slice(0, middle), bytes.slice(middle));
  expect((await sendStream(pieces)).status).toBe(201);
});

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

function sendStream(body: ReadableStream): Promise<WireAnswer> {
  // Fetch asks for this with a body that is a stream, and its type does not know it.
  const halfDuplex: object = { duplex: 'half' };
  return send(`${sandbox.baseUrl}/payment/checkout/intiate`, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'Application/JSON ; charset="UTF-8"' },
    body,
    ...halfDuplex,
  });
}

/** A body of unknown length, in pieces. */
function streamed(...pieces: readonly (string | Uint8Array)[]): ReadableStream {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) {
        controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      }
      controller.close();
    },
  });
}

const foreignTo = (environment: string) =>
  `API key does not belong to the ${environment} environment`;
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
test.each(refusals)('%s is 401 with its own message', async (_what, make, environment, message) => {
  const headers = make();
  const base = environment === 'staging' ? sandbox.baseUrl : sandbox.productionBaseUrl;
  const create = await send(`${base}/payment/checkout/intiate`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(validLink),
  });
  const status = await send(`${base}/payment/checkout/status?id=x`, { headers });
  for (const answer of [create, status]) expect(told(answer)).toEqual(refusalB(401, message));
});

test('the key is asked for before the body is read', async () => {
  const { status } = await send(`${sandbox.baseUrl}/payment/checkout/intiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  });
  expect(status).toBe(401);
});

// Pins: error.unauthorized.merchant-not-found
test('a merchant whose record is missing gets its 401, until it is found again', async () => {
  await sandbox.control.switchMerchant('not-found');
  expect(told(await sandbox.postLink())).toEqual(refusalB(401, 'Merchant not found'));
  expect((await sandbox.control.info()).merchant).toBe('not-found');
  await sandbox.control.switchMerchant('found');
  expect((await sandbox.postLink()).status).toBe(201);
});

const tierOf = ({ headers }: WireAnswer) => headers.get('x-sandbox-tier');

const order = { number: '2001', amount: 5, currency: 'SAR', description: 'November' };

async function charge(path: string, changes: object = {}) {
  const data = dataOf(await sandbox.sell({ recurringInit: 'Y' }));
  const { transactionId, recurringToken } = data;
  return sandbox.post(path, { transactionId, recurringToken, amount: 5, order, ...changes });
}

test('the other names of X1, X3 and X4 say that they are contradictions', async () => {
  const { sessionId, transactionId } = await sandbox.payLink();
  const asked = await sandbox.ask(`/payment/checkout/status?sessionId=${sessionId}`);
  const refunded = await sandbox.post('/payment/refund', { transactionId, amount: 5 });
  const charged = await charge('/payment/s2s/recurring');
  const tiers = [asked, refunded, charged].map(tierOf);
  expect(tiers).toEqual(['contradiction X1', 'contradiction X3', 'contradiction X4']);
});

test('what the specification cannot carry is assumed, and our own rules are the sandbox’s', async () => {
  const currency = await sandbox.postLink({ ...validLink, currency: 'KWD' });
  const decimals = await sandbox.postLink({ ...validLink, amount: 1.005 });
  const stated = await sandbox.postLink({ ...validLink, customerPhone: '' });
  const differing = await charge('/payment/checkout/recurring', { amount: 6 });
  expect(differing.body).toMatchObject({ message: ['order.amount must be equal to amount'] });
  const tiers = [currency, decimals, stated, differing].map(tierOf);
  expect(tiers).toEqual(['assumed N23', 'assumed N23', 'spec 4.1', 'sandbox']);
});
