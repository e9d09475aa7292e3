import { startSandbox } from '@pay-button/gateway-sandbox';
import { createGatewayClient, type Explanation } from '@pay-button/server-helper';
import { afterAll, describe, expect, it } from 'vitest';
import { asAdmin, letPass, openTestShop, paidOrder, placeOrder } from '../testing/test-shop.ts';

const shop = await openTestShop();
afterAll(() => shop.close());

const text = expect.any(String) as string;
const mada = { number: '4201320111111010' };

/** Waits until the order is in a state, and returns the order. */
async function becomes(orderId: string, state: string) {
  const ask = async () => (await asAdmin(shop, 'GET', `/orders/${orderId}`)).body;
  await expect.poll(ask, { timeout: 15_000 }).toMatchObject({ state });
  return ask();
}

/** A refund by somebody else. Every sandbox without a seed has the same well-known key. */
async function refundAtTheGateway(transactionId: string, amount: string) {
  const { apiKey, close } = await startSandbox({ port: 0 });
  await close();
  const baseUrl = `${shop.sandboxUrl}/staging/v1`;
  const gateway = createGatewayClient({ environment: 'staging', baseUrl, apiKey });
  return gateway.refund({ transactionId, amount });
}

async function sale(fields: object): Promise<string> {
  const { orderId } = await placeOrder(shop);
  const body = { orderId, auth: 'capture', card: mada, requestId: `s-${orderId}`, ...fields };
  const { body: made } = await asAdmin(shop, 'POST', '/sales', body);
  expect(made).toMatchObject({ kind: 'sale', result: 'success' });
  return orderId;
}

describe('the admin’s API', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['the token as a password', { authorization: 'Basic b3Blbg==' }],
  ])('answers 401 to %s, without a detail of an order', async (_what, headers) => {
    for (const path of ['/orders', '/orders/X', '/credentials', '/nothing']) {
      const answer = await fetch(`${shop.url}/api/admin${path}`, { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await answer.json()).toMatchObject({ code: 'unauthorized', status: 401 });
    }
  });

  it('lists the newest orders first, of one state if asked for', async () => {
    const { orderId } = await placeOrder(shop);
    const { body } = await asAdmin(shop, 'GET', '/orders?state=unpaid');
    const [first] = body['orders'] as readonly object[];
    expect(first).toMatchObject({ orderId, state: 'unpaid', amount: '115.00', currency: 'SAR' });
    const { body: paidOnes } = await asAdmin(shop, 'GET', '/orders?state=refunded');
    expect(paidOnes).toEqual({ orders: [] });
    expect((await asAdmin(shop, 'GET', '/orders?state=rich')).status).toBe(422);
  });

  it('shows an order with its timeline', async () => {
    const { orderId } = await paidOrder(shop);
    const paid = { payment: { state: 'paid' }, attempts: [{ number: 1 }] };
    expect(await becomes(orderId, 'paid')).toMatchObject({
      orderId,
      amount: '115.00',
      currency: 'SAR',
      fulfilments: 1,
      refunded: '0.00',
      review: [],
      customer: { name: 'Noura' },
      explain: { ...paid, timeline: expect.any(Array) as [] },
    });
    expect((await asAdmin(shop, 'GET', '/orders/NOSUCHORDER2')).status).toBe(404);
  });

  it('reconciles a paid order that was refunded at the gateway, without a webhook', async () => {
    const { orderId } = await paidOrder(shop);
    const explain = async () =>
      (await asAdmin(shop, 'GET', `/orders/${orderId}`)).body['explain'] as Explanation;
    // The payment's own webhook is followed; nothing is due for most of an hour.
    await letPass(shop, 'PT10S');
    const due = async () => Date.parse((await explain()).attempts[0]?.nextCheckAt ?? '');
    await expect.poll(due, { timeout: 15_000 }).toBeGreaterThan(Date.now() + 1_800_000);
    const { transactions } = await explain();
    await shop.control.holdDeliveries();
    const { refundId } = await refundAtTheGateway(transactions[0]?.transactionId ?? '', '115.00');
    await shop.control.endRefund(refundId, 'settle');
    await letPass(shop, 'PT10S');
    const { body } = await asAdmin(shop, 'POST', '/reconcile');
    const count = expect.any(Number) as number;
    expect(body).toEqual({ checked: count, delivered: count });
    expect((await asAdmin(shop, 'GET', `/orders/${orderId}`)).body['state']).toBe('refunded');
    await shop.control.releaseDeliveries();
  });
});

describe('money', () => {
  it('is reserved by an authorizing sale, and captured or released once', async () => {
    const held = await sale({ auth: 'authorize' });
    await becomes(held, 'authorized');
    const path = `/orders/${held}/capture`;
    const capture = (amount: string) =>
      asAdmin(shop, 'POST', path, { amount, requestId: `c-${held}-${amount}` });
    const tooMuch = { status: 422, body: { code: 'amount_too_large' } };
    expect(await capture('115.01')).toMatchObject(tooMuch);
    await capture('100.00');
    await becomes(held, 'captured');
    const late = await asAdmin(shop, 'POST', `/orders/${held}/void`, { requestId: `v-${held}` });
    expect(late).toMatchObject({ status: 409, body: { code: 'wrong_state' } });
    const other = await sale({ auth: 'Y' });
    await asAdmin(shop, 'POST', `/orders/${other}/void`, { requestId: `v-${other}` });
    await becomes(other, 'voided');
  });

  it('is charged again by a recurring token', async () => {
    const orderId = await sale({ recurringInit: true });
    const charge = { amount: '115.00', periodKey: '2026-12' };
    const { body } = await asAdmin(shop, 'POST', `/orders/${orderId}/recurring`, charge);
    expect(body).toMatchObject({ kind: 'recurring', state: 'succeeded', amount: '115.00' });
  });

  it('asks for 3-D Secure in the gateway’s own HTML', async () => {
    const { orderId } = await placeOrder(shop);
    const card = { number: '4508750015741019' };
    const body = { orderId, auth: 'N', card, recurringInit: 'N', requestId: `s-${orderId}` };
    const { body: made } = await asAdmin(shop, 'POST', '/sales', body);
    expect(made).toMatchObject({ result: 'redirect', html: text });
    await shop.control.answerChallenge(String(made['transactionId']), { otp: '123456' });
    await asAdmin(shop, 'POST', '/reconcile');
    expect(await becomes(orderId, 'paid')).toMatchObject({ fulfilments: 1 });
  });

  it('is not moved by a request that makes no sense', async () => {
    const { orderId } = await placeOrder(shop);
    const statusOf = async (path: string, body: object) =>
      (await asAdmin(shop, 'POST', path, body)).status;
    const refund = `/orders/${orderId}/refund`;
    expect(await statusOf(refund, { amount: '1.00', requestId: 'early' })).toBe(409);
    expect(await statusOf(refund, { amount: 1, requestId: 'r' })).toBe(422);
    expect(await statusOf(refund, { amount: '1.00' })).toBe(422);
    expect(await statusOf('/orders/NOSUCHORDER2/refund', {})).toBe(404);
    const card = mada;
    expect(await statusOf('/sales', { orderId, auth: 'maybe', card, requestId: 'a' })).toBe(422);
    expect(await statusOf('/sales', { orderId, auth: 'capture', card })).toBe(422);
    expect(await statusOf('/sales', { orderId: 'NONE', auth: 'capture', card })).toBe(404);
  });
});

describe('the portal’s resources', () => {
  it('are webhooks that can be made, changed and taken away', async () => {
    const url = 'http://127.0.0.1:9/hook';
    const made = await asAdmin(shop, 'POST', '/webhooks', { url });
    expect(made).toMatchObject({ status: 201, body: { url, active: true, secret: text } });
    const id = String(made.body['id']);
    const changed = await asAdmin(shop, 'PATCH', `/webhooks/${id}`, { active: false });
    expect(changed).toMatchObject({ status: 200, body: { id, active: false } });
    const { body } = await asAdmin(shop, 'GET', '/webhooks');
    expect(body['webhooks']).toContainEqual(expect.objectContaining({ id, active: false }));
    expect((await asAdmin(shop, 'DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect((await asAdmin(shop, 'DELETE', `/webhooks/${id}`)).status).toBe(404);
    expect((await asAdmin(shop, 'POST', '/webhooks', { url: 'nonsense' })).status).toBe(422);
    expect((await asAdmin(shop, 'PATCH', `/webhooks/${id}`, {})).status).toBe(422);
  });

  it('are API keys, masked but where they are new', async () => {
    const listed = await asAdmin(shop, 'GET', '/credentials');
    expect(listed.body['credentials']).toMatchObject([{ status: 'ACTIVE' }]);
    const rotated = await asAdmin(shop, 'POST', '/credentials/rotate');
    expect(rotated).toMatchObject({ status: 201, body: { apiKey: text } });
    expect((await paidOrder(shop)).orderId).toBeTruthy();
  });

  it('are SDK tokens that can be switched off', async () => {
    const made = await asAdmin(shop, 'POST', '/sdk-tokens', { name: 'Till 1', type: 'SOFTPOS' });
    expect(made).toMatchObject({ status: 201, body: { name: 'Till 1', token: text } });
    const path = `/sdk-tokens/${String(made.body['id'])}`;
    const off = await asAdmin(shop, 'PATCH', path, { status: 'DISABLED' });
    expect(off.body).toMatchObject({ status: 'DISABLED' });
    expect((await asAdmin(shop, 'PATCH', path, { status: 'odd' })).status).toBe(422);
    const { body } = await asAdmin(shop, 'GET', '/sdk-tokens');
    expect(body['sdkTokens']).toHaveLength(1);
  });
});
