import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { expectProblem, Shop } from '../../test-support/shop.ts';

describe('status and health', () => {
  let shop: Shop;
  beforeEach(async () => void (shop = await Shop.start()));
  afterEach(() => shop.close());

  it('a status tells what we verified, under five names and no more', async () => {
    const { session, status } = await shop.open();
    const pending = await shop.send(status);
    expect(pending.status).toBe(200);
    expect(pending.json).toEqual({
      orderId: '1001',
      state: 'pending',
      amount: '115.00',
      currency: 'SAR',
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(pending.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    const paid = await shop.send(`${status}?state=refunded`);
    expect(paid.json).toMatchObject({ state: 'paid' });
    expect(Object.keys(paid.json)).toEqual(Object.keys(pending.json));
  });

  it('a poll asks the gateway at most once in five seconds', async () => {
    const { status } = await shop.open();
    for (let poll = 0; poll < 5; poll += 1) await shop.send(status);
    expect(shop.gateway.statusCalls).toHaveLength(1);
    shop.later();
    await shop.send(status);
    expect(shop.gateway.statusCalls).toHaveLength(2);
  });

  it('every bad token gets the same 404, of an order without a payment too', async () => {
    const { status, success } = await shop.open();
    const unpaid = new URL(shop.payments.statusUrl('1002')).pathname;
    const returnToken = success.split('/').at(-1) ?? '';
    const bad = [
      'x',
      `${status.split('/').at(-1)}A`,
      returnToken,
      '%',
      '%zz',
      '%00',
      'a'.repeat(4_000),
    ];
    const replies = [await shop.send(unpaid)];
    for (const token of bad) replies.push(await shop.send(`/pay/status/${token}`));
    for (const reply of replies) expectProblem(reply, 404, 'not_found');
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(shop.gateway.statusCalls).toHaveLength(0);
  });

  it('a status says 503 while the store is down, and nothing of why', async () => {
    const { status } = await shop.open();
    shop.isStoreDown = true;
    expectProblem(await shop.send(status), 503, 'store_unavailable');
  });

  it('health is 200 while payments can be recorded, else 503', async () => {
    const good = await shop.send('/pay/health');
    expect(good.status).toBe(200);
    expect(good.json).toMatchObject({ status: 'ok', store: 'ok' });
    shop.isStoreDown = true;
    const bad = await shop.send('/pay/health');
    expect(bad.status).toBe(503);
    expect(bad.json).toMatchObject({ status: 'unavailable', store: 'unavailable' });
  });

  it('a route that was left out or renamed is not there', async () => {
    await shop.close();
    shop = await Shop.start({ payments: { routes: { status: '/state', health: false } } });
    const { status } = await shop.open();
    expect(status).toMatch(/^\/pay\/state\//);
    expect((await shop.send(status)).status).toBe(200);
    expect((await shop.send('/pay/health')).status).toBe(404);
    expect((await shop.send(status.replace('/state/', '/status/'))).status).toBe(404);
  });
});
