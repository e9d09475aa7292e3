import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliShop } from '../../test-support/cli-shop.ts';
import { sendJson, statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
});
afterEach(() => shop.close());

const aFailure = statusRow({
  transactionId: 'f2d5b7c0-0000-4000-8000-000000000009',
  transactionStatus: 'FAILED',
});

/** Opens an order, and lets the gateway say this of it. */
async function orderWith(orderId: string, changes: object = {}): Promise<void> {
  shop.gateway.rows.set(await shop.open(orderId), [statusRow({ ...changes })]);
}

it('says that a named order has no payment, and ends with 1', async () => {
  await shop.open('1001');
  const { code, err } = await shop.runInside('reconcile', '--order', '1002');
  expect(code).toBe(1);
  expect(err).toContain('The order 1002 has no payment');
});

it('hands what differs to the shop, which records it with its own code', async () => {
  await orderWith('1001');
  await shop.open('1002');
  const { code, out } = await shop.run('reconcile', '--rate', '20');
  expect(code).toBe(1);
  expect(out).toContain("≠ 1001  attempt 1  we say pending, the gateway's word means paid");
  expect(out).toContain('2 orders, 2 sessions asked about: 1 different');
  expect((await shop.payments.retrieve('1001'))?.state).toBe('pending');
  await shop.payments.tick();
  expect((await shop.payments.retrieve('1001'))?.state).toBe('paid');
  const after = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(after.code).toBe(0);
  expect(after.json).toMatchObject({ orders: 2, sessions: 2, differences: 0, silent: 0 });
});

it('leaves no hint when it is a dry run', async () => {
  await orderWith('1001');
  const { code, json } = await shop.runInside(
    'reconcile',
    '--order',
    '1001',
    '--dry-run',
    '--json',
  );
  expect(code).toBe(1);
  expect(json).toMatchObject({
    hinted: 0,
    found: [{ orderId: '1001', from: 'pending', to: 'paid' }],
  });
  await shop.payments.tick();
  expect((await shop.payments.retrieve('1001'))?.state).toBe('pending');
});

/** Lets the gateway answer every status call so. */
function answerStatus(status: number, body: unknown): void {
  shop.gateway.script = (request, response) =>
    request.path.endsWith('/status')
      ? sendJson(response, status, body)
      : shop.gateway.answerUsually(request, response);
}

const notFound = { code: 404, message: 'no such session', errorCode: '404', data: null };

async function paid(orderId: string): Promise<void> {
  await orderWith(orderId);
  await shop.payments.confirm(orderId);
  expect((await shop.payments.retrieve(orderId))?.state).toBe('paid');
}

it('calls a paid order whose session the gateway does not know different', async () => {
  await paid('1001');
  await shop.open('1002');
  answerStatus(404, notFound);
  const { code, out } = await shop.runInside('reconcile', '--rate', '20');
  expect(code).toBe(1);
  expect(out).toContain('≠ 1001  attempt 1  we say paid, the gateway does not know the session');
  expect(out).not.toContain('1002');
  expect(out).toContain('2 orders, 2 sessions asked about: 1 different, 0 without an answer');
  const { json } = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(json).toMatchObject({
    differences: 1,
    silent: 0,
    hinted: 0,
    found: [{ orderId: '1001', attempt: 1, from: 'paid', discrepancy: 'session_unknown' }],
  });
});

it('calls an unpaid order whose session the gateway does not know the same', async () => {
  await shop.open('1001');
  answerStatus(404, notFound);
  const { code, json } = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(code).toBe(0);
  expect(json).toMatchObject({ sessions: 1, differences: 0, silent: 0, found: [] });
});

it('calls a paid order different whose transaction the gateway does not name', async () => {
  await paid('1001');
  answerStatus(200, statusAnswer([]));
  const { code, out } = await shop.runInside('reconcile', '--rate', '20');
  expect(code).toBe(1);
  expect(out).toContain('we say paid, the gateway does not name the transaction');
  const { json } = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(json).toMatchObject({ found: [{ from: 'paid', discrepancy: 'transaction_missing' }] });
});

it('calls a paid order different whose transaction the gateway does not confirm', async () => {
  await paid('1001');
  answerStatus(200, statusAnswer([statusRow({ paymentStatus: 'PENDING' })]));
  const { code, json } = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(code).toBe(1);
  expect(json).toMatchObject({
    found: [{ from: 'paid', discrepancy: 'transaction_unconfirmed' }],
  });
});

it.each([
  ['that lacks rows', { ...statusAnswer([]).data, totalElements: 1 }, 'partial_answer'],
  ['with a row that is unreadable', { content: [null] }, 'unreadable_answer'],
  ['with one that is and one of a failure', { content: [null, aFailure] }, 'unreadable_answer'],
])('calls nothing the same by an answer %s', async (_what, data, reason) => {
  await paid('1001');
  await shop.open('1002');
  answerStatus(200, { ...statusAnswer([]), data });
  const { code, json } = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(code).toBe(1);
  expect(json).toMatchObject({ differences: 0, unreadable: 2, found: [{ code: reason }, {}] });
});

it('goes on after any number of answers that cannot be used, and lists each', async () => {
  for (let order = 1; order <= 6; order += 1) await shop.open(`100${order}`);
  await orderWith('1007');
  const unusable = [
    { ...statusAnswer([]), data: { content: [], totalElements: 1 } },
    { ...statusAnswer([]), data: { content: [null] } },
    'no object',
  ];
  shop.gateway.script = (request, response) => {
    if (shop.gateway.rows.has(request.query.get('id') ?? '')) {
      return shop.gateway.answerUsually(request, response);
    }
    unusable.push(unusable.shift() ?? '');
    sendJson(response, 200, unusable[0]);
  };
  const { code, json } = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(code).toBe(1);
  expect(json).toMatchObject({ sessions: 7, unreadable: 6, silent: 0, differences: 1 });
  expect(json).toMatchObject({ isCut: false, found: { length: 7 } });
  const { out } = await shop.runInside('reconcile', '--rate', '20');
  expect(out).toContain("? 1001  attempt 1  the gateway's answer cannot be used");
  expect(out).toContain('1 different, 0 without an answer, 6 with an unusable answer');
});

it('finds money in a row beside one that is unreadable', async () => {
  await shop.open('1001');
  answerStatus(200, { ...statusAnswer([]), data: { content: [null, statusRow()] } });
  const { code, json } = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(code).toBe(1);
  expect(json).toMatchObject({
    differences: 1,
    silent: 0,
    hinted: 1,
    found: [{ orderId: '1001', from: 'pending', to: 'paid' }],
  });
});

it('stops early when the gateway gives no answers, and calls nothing the same', async () => {
  for (let order = 1; order <= 7; order += 1) await shop.open(`100${order}`);
  shop.gateway.script = (_request, response) =>
    sendJson(response, 401, {
      statusCode: 401,
      message: 'Invalid API key',
      error: 'Unauthorized',
    });
  const { code, json } = await shop.runInside('reconcile', '--rate', '20', '--json');
  expect(code).toBe(1);
  expect(json).toMatchObject({ isCut: true, sessions: 5, silent: 5, differences: 0 });
});
