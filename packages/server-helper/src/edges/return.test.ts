import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { canaries, expectProblem, Shop } from '../../test-support/shop.ts';

/** A try of its own: a transaction that fails does not succeed later. */
const declined = statusRow({
  transactionId: 'f2d5b7c0-0000-4000-8000-000000000002',
  transactionStatus: 'FAILED',
  paymentStatus: 'DECLINED',
});
const forms = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };

describe('a return', () => {
  let shop: Shop;
  beforeEach(async () => void (shop = await Shop.start()));
  afterEach(() => shop.close());

  const page = async (path: string, sending = {}): Promise<string | undefined> => {
    const reply = await shop.send(path, sending);
    expect(reply.status).toBe(303);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    return reply.headers.location;
  };

  it('is found where a proxy writes the whole address behind the method', async () => {
    const { session, success } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    expect(await page(`http://shop.example${success}`)).toBe('https://shop.example/thanks/1001');
    expect(await page(`http://shop.example${success}?from=http://x/`)).toContain('/thanks/');
  });

  describe.each([
    ['success', 'GET'],
    ['success', 'POST'],
    ['failure', 'GET'],
    ['failure', 'POST'],
  ] as const)('the %s address by %s', (which, method) => {
    it.each([
      ['the waiting page while nothing is known', [], 'wait'],
      [
        'the waiting page while the payment is pending',
        [statusRow({ transactionStatus: 'PENDING' })],
        'wait',
      ],
      ['the thanks page when the gateway says paid', [statusRow()], 'thanks'],
      ['the retry page after a decline', [declined], 'retry'],
      ['the thanks page after a decline and a success', [declined, statusRow()], 'thanks'],
      ['the waiting page when the amount differs', [statusRow({ amount: '114.99' })], 'wait'],
    ])('leads to %s', async (_page, rows, name) => {
      const opened = await shop.open();
      shop.gateway.rows.set(opened.session, rows);
      expect(await page(opened[which], { method })).toBe(`https://shop.example/${name}/1001`);
    });
  });

  it('soon after a decline waits for the gateway’s next word, which pays the order', async () => {
    const { session, failure, success, status } = await shop.open();
    shop.gateway.rows.set(session, [declined]);
    expect(await page(failure)).toBe('https://shop.example/retry/1001');
    shop.gateway.rows.set(session, [declined, statusRow()]);
    expect(await page(success)).toBe('https://shop.example/wait/1001');
    const polled = await shop.send(status);
    expect(polled.json).toMatchObject({ state: 'paid' });
    expect(shop.gateway.statusCalls).toHaveLength(2);
  });

  it('nothing that comes with a return is believed', async () => {
    const { success } = await shop.open();
    const query =
      '?status=paid&transactionStatus=SUCCESS&paymentStatus=APPROVED&orderId=1002&amount=1';
    expect(await page(`${success}${query}`)).toBe('https://shop.example/wait/1001');
    shop.later();
    const body = 'transactionStatus=SUCCESS&paymentStatus=APPROVED&amount=115.00';
    expect(await page(success, { ...forms, body })).toBe('https://shop.example/wait/1001');
    await expect(shop.payments.retrieve('1001')).resolves.toMatchObject({ state: 'pending' });
  });

  it.each(['host', 'x-forwarded-host', 'forwarded', 'x-original-host', 'x-forwarded-proto'])(
    'the header %s moves no shopper elsewhere',
    async (name) => {
      const { success } = await shop.open();
      const headers = { [name]: name === 'forwarded' ? 'host=evil.example' : 'evil.example' };
      expect(await page(success, { headers })).toBe('https://shop.example/wait/1001');
      expect(JSON.stringify(shop.gateway.creates)).not.toContain('evil.example');
    },
  );

  it('an order id is written into an address safely', async () => {
    const { success } = await shop.open('a@b+c:d');
    expect(await page(success)).toBe('https://shop.example/wait/a%40b%2Bc%3Ad');
  });

  it('a later visit follows what we have verified since', async () => {
    const { session, failure, success } = await shop.open();
    expect(await page(failure)).toBe('https://shop.example/wait/1001');
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    expect(await page(failure)).toBe('https://shop.example/thanks/1001');
    shop.gateway.rows.set(session, []);
    shop.later();
    expect(await page(success)).toBe('https://shop.example/thanks/1001');
  });

  it('a shopper waits on our page while the gateway or the store is down', async () => {
    const { success } = await shop.open();
    shop.gateway.script = (_request, response) => void response.socket?.destroy();
    expect(await page(success)).toBe('https://shop.example/wait/1001');
    shop.isStoreDown = true;
    expect(await page(success)).toBe('https://shop.example/wait/1001');
    expect(shop.logged.join()).not.toContain(canaries.fault);
  });

  it('a token that we did not issue for a return is 404, and asks nobody', async () => {
    const { success, status } = await shop.open();
    const token = success.split('/').at(-1) ?? '';
    const statusToken = status.split('/').at(-1) ?? '';
    const other = token.startsWith('A') ? 'B' : 'A';
    const wrong = [other + token.slice(1), token.slice(1), `${token}A`, statusToken, 'x', '%00'];
    for (const one of [...wrong, '%', '%zz', '%E0%A4%A', '%2e%2e', 'a'.repeat(5_000)]) {
      for (const which of ['success', 'failure']) {
        const reply = await shop.send(`/pay/return/${which}/${one}`);
        expectProblem(reply, 404, 'not_found');
      }
    }
    expect(shop.gateway.statusCalls).toHaveLength(0);
  });

  it('a page named in Arabic is an address that a header can carry', async () => {
    await shop.close();
    const pages = { success: '/شكرا/:orderId', pending: '/انتظار/:orderId', failure: '/retry' };
    shop = await Shop.start({ payments: { pages } });
    const { success } = await shop.open();
    expect(await page(success)).toBe(`https://shop.example/${encodeURIComponent('انتظار')}/1001`);
  });
});
