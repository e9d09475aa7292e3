import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Request } from 'express';
import type { Limits } from '../index.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { expectProblem, Shop, type Reply, type ShopOptions } from '../../test-support/shop.ts';
import { TransactionShop } from '../../test-support/transaction-gateway.ts';

const address = { 'x-forwarded-for': '203.0.113.7' };
const other = { 'x-forwarded-for': '203.0.113.8' };

let shop: Shop;
const start = async (limits: Limits = {}, options: ShopOptions = {}): Promise<Shop> =>
  (shop = await Shop.start({ proxies: 1, ...options, payments: { limits } }));
afterEach(() => shop.close());

const statuses = async (count: number, ask: () => Promise<Reply>): Promise<readonly number[]> => {
  const found: number[] = [];
  for (let turn = 0; turn < count; turn += 1) found.push((await ask()).status);
  return found;
};

describe('a returning shopper beyond the limit of the address', () => {
  it('waits for the background checks, and costs neither the store nor the gateway anything', async () => {
    const calls: string[] = [];
    await start({ returnsPerAddress: 1 }, { onStoreCall: (name) => calls.push(name) });
    const { session, success } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    const comeBack = (headers: Record<string, string>) => shop.send(success, { headers });
    expect((await comeBack(other)).headers['location']).toContain('/thanks/1001');
    expect((await comeBack(address)).headers['location']).toContain('/thanks/1001');
    calls.length = 0;
    const asked = shop.gateway.statusCalls.length;
    shop.later();
    const reply = await comeBack(address);
    expect([reply.status, reply.headers['location']]).toEqual([
      303,
      'https://shop.example/wait/1001',
    ]);
    expect(calls.filter((name) => name !== 'count')).toEqual([]);
    expect(shop.gateway.statusCalls).toHaveLength(asked);
    expect(shop.logged).toEqual([]);
  });

  it('has its transaction noted where the gateway is asked about these', async () => {
    const payments = { limits: { returnsPerAddress: 1 } };
    const at = await TransactionShop.start({ asksFor: 'transaction' }, { proxies: 1, payments });
    ({ shop } = at);
    const link = await shop.open();
    const id = at.has(link, { merchantOrderId: link.merchantOrderId });
    for (const query of ['', '', `?trans_id=${id}`]) {
      await shop.send(`${link.success}${query}`, { headers: address });
    }
    expect(at.questions).toEqual([]);
    await at.later();
    expect(await at.state()).toBe('paid');
  });
});

it('health is counted by address, and this machine is not', async () => {
  await start({ healthPerAddress: 2 });
  const ask = (headers = {}) => shop.send('/pay/health', { headers });
  expect(await statuses(3, () => ask(address))).toEqual([200, 200, 429]);
  expectProblem(await ask(address), 429, 'too_many_requests');
  expect((await ask(other)).status).toBe(200);
  expect(await statuses(3, () => ask())).toEqual([200, 200, 200]);
});

describe('the shop’s own key of a shopper', () => {
  const pay = (session: string, headers: Record<string, string> = address): Promise<Reply> =>
    shop.checkout({ orderId: '1001' }, { ...headers, 'x-session': session });
  const shopperKey = (request: Request): string | undefined => request.get('x-session');

  it('counts a shopper wherever they ask from, and leaves their neighbours alone', async () => {
    await start({ shopperKey, checkoutsPerShopper: 2 });
    const replies = [await pay('noura'), await pay('noura', other), await pay('noura')];
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(await statuses(2, () => pay('sara'))).toEqual([201, 201]);
    expect(await statuses(3, () => pay(''))).toEqual([201, 201, 201]);
  });

  it('counts no order that is not theirs, so that no stranger uses up their limit', async () => {
    await start({ shopperKey, checkoutsPerShopper: 1 });
    const forged = () => shop.checkout({ orderId: '9999' }, { ...other, 'x-session': 'noura' });
    expect(await statuses(3, forged)).toEqual([404, 404, 404]);
    expect((await pay('noura')).status).toBe(201);
  });

  it('has a limit that nobody set', async () => {
    await start({ shopperKey, checkoutsPerOrder: false });
    expect(new Set(await statuses(60, () => pay('noura')))).toEqual(new Set([201]));
    expect((await pay('noura')).status).toBe(429);
  });

  it('keeps nobody out where it fails, and is in no store and no log', async () => {
    const counted: string[] = [];
    await start(
      {
        shopperKey: () => {
          throw new Error('canary-inner-fault');
        },
      },
      { onStoreCall: (name, given) => counted.push(JSON.stringify([name, given])) },
    );
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await pay('noura')).status).toBe(201);
    expect(reported.mock.calls).toEqual([[expect.stringContaining('limits.shopperKey failed')]]);
    reported.mockRestore();
    expect(shop.logged).toEqual([]);
    await shop.close();
    await start(
      { shopperKey, checkoutsPerShopper: 1 },
      { onStoreCall: (name, given) => counted.push(JSON.stringify([name, given])) },
    );
    expect(await statuses(2, () => pay('noura-session'))).toEqual([201, 429]);
    expect(counted.join()).toContain('"count"');
    expect(counted.join() + shop.logged.join()).not.toContain('noura-session');
  });
});
