import { beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { canaries, expectProblem, type Shop } from '../../test-support/shop.ts';

let shop: Shop;
beforeEach(async () => void (shop = await startShop()));

/** A try of its own: a transaction that fails does not succeed later. */
const declined = statusRow({
  transactionId: 'f2d5b7c0-0000-4000-8000-000000000002',
  transactionStatus: 'FAILED',
  paymentStatus: 'DECLINED',
});

const tokenOf = (path: string): string => path.split('/').at(-1) ?? '';

/** The page of the shop that a return leads to. */
async function page(path: string, sending = {}): Promise<string | undefined> {
  const { status, headers } = await shop.send(path, sending);
  expect(status).toBe(303);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  return headers.location?.replace('https://shop.example', '');
}

describe('a return', () => {
  it.each([
    ['the waiting page while nothing is known', [], 'wait'],
    ['the waiting page while it is pending', [statusRow({ transactionStatus: 'PENDING' })], 'wait'],
    ['the thanks page when the gateway says paid', [statusRow()], 'thanks'],
    ['the retry page after a decline', [declined], 'retry'],
    ['the thanks page after a decline and a success', [declined, statusRow()], 'thanks'],
    ['the waiting page when the amount differs', [statusRow({ amount: '114.99' })], 'wait'],
  ])('leads to %s, by either address and method', async (_page, rows, name) => {
    for (const which of ['success', 'failure'] as const) {
      for (const method of ['GET', 'POST']) {
        shop = await startShop();
        const opened = await shop.open();
        shop.gateway.rows.set(opened.session, rows);
        expect(await page(opened[which], { method })).toBe(`/${name}/1001`);
      }
    }
  });

  it('soon after a decline waits for the gateway’s next word, which pays the order', async () => {
    const { session, failure, success, status } = await shop.open();
    shop.gateway.rows.set(session, [declined]);
    expect(await page(failure)).toBe('/retry/1001');
    shop.gateway.rows.set(session, [declined, statusRow()]);
    expect(await page(success)).toBe('/wait/1001');
    expect((await shop.send(status)).json).toMatchObject({ state: 'paid' });
    expect(shop.gateway.statusCalls).toHaveLength(2);
  });

  it('leads to the waiting page while the gateway or the store is down', async () => {
    const { success } = await shop.open();
    shop.gateway.script = (_request, response) => void response.socket?.destroy();
    expect(await page(success)).toBe('/wait/1001');
    shop.isStoreDown = true;
    expect(await page(success)).toBe('/wait/1001');
    expect(shop.logged.join()).not.toContain(canaries.fault);
  });

  it('with a token that we did not issue for a return is 404, and asks nobody', async () => {
    const { success, status } = await shop.open();
    const token = tokenOf(success);
    for (const one of [token.slice(1), `${token}A`, tokenOf(status), 'x']) {
      for (const which of ['success', 'failure']) {
        expectProblem(await shop.send(`/pay/return/${which}/${one}`), 404, 'not_found');
      }
    }
    expect(shop.gateway.statusCalls).toHaveLength(0);
    expect(shop.logged.filter((line) => line.includes('PAY_TOKEN_SECRET'))).toHaveLength(1);
  });

  it('leads to a page that is named in Arabic by an address that a header can carry', async () => {
    const pages = { success: '/شكرا/:orderId', pending: '/انتظار/:orderId', failure: '/retry' };
    shop = await startShop({ payments: { pages } });
    const { success } = await shop.open();
    expect(await page(success)).toBe(`/${encodeURIComponent('انتظار')}/1001`);
  });
});

describe('a status', () => {
  it('tells what we verified, under five names and no more', async () => {
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
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    const paid = await shop.send(`${status}?state=refunded`);
    expect(paid.json).toMatchObject({ state: 'paid' });
    expect(Object.keys(paid.json)).toEqual(Object.keys(pending.json));
  });

  it('of a bad token is the same 404 as of an order without a payment', async () => {
    const { status, success } = await shop.open();
    const unpaid = tokenOf(shop.payments.statusUrl('1002'));
    const bad = [unpaid, 'x', `${tokenOf(status)}A`, tokenOf(success), '%', 'a'.repeat(4_000)];
    const replies = await Promise.all(bad.map((token) => shop.send(`/pay/status/${token}`)));
    for (const reply of replies) expectProblem(reply, 404, 'not_found');
    expect(shop.logged.filter((line) => line.includes('PAY_TOKEN_SECRET'))).toHaveLength(1);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(shop.gateway.statusCalls).toHaveLength(0);
  });
});
