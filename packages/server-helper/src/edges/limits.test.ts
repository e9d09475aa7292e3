import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { expectProblem, type Reply, Shop, type ShopOptions } from '../../test-support/shop.ts';
import { memoryStore } from '../testing.ts';
import { clientOf } from './limits.ts';

const address = '203.0.113.7';

describe('limits', () => {
  const shops: Shop[] = [];
  const start = async (options: ShopOptions = {}): Promise<Shop> => {
    const shop = await Shop.start({ proxies: 1, ...options });
    shops.push(shop);
    return shop;
  };
  afterEach(async () => {
    for (const shop of shops.splice(0)) await shop.close();
  });

  const from = (one: string): Record<string, string> => ({ 'x-forwarded-for': one });
  const pay = (shop: Shop, one = address, orderId = '1001'): Promise<Reply> =>
    shop.checkout({ orderId }, from(one));
  const statuses = async (replies: readonly Promise<Reply>[]): Promise<number[]> =>
    (await Promise.all(replies)).map(({ status }) => status).toSorted((a, b) => a - b);

  function expectTooMany(reply: Reply): void {
    expectProblem(reply, 429, 'too_many_requests');
    const seconds = Number(reply.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
  }

  it('an address that checks out too often gets 429 and when to come again; others do not', async () => {
    const shop = await start({ payments: { limits: { checkoutsPerAddress: 3 } } });
    for (let turn = 0; turn < 3; turn += 1) expect((await pay(shop)).status).toBe(201);
    expectTooMany(await pay(shop));
    expect((await pay(shop, '203.0.113.8')).status).toBe(201);
  });

  it('an order that is paid for too often gets 429, from wherever it is asked', async () => {
    const shop = await start({ payments: { limits: { checkoutsPerOrder: 2 } } });
    await pay(shop);
    await pay(shop, '203.0.113.8');
    expectTooMany(await pay(shop, '203.0.113.9'));
    expect((await pay(shop, address, 'a@b+c:d')).status).toBe(201);
  });

  it('a stranger cannot use up the limit of an order that is not theirs', async () => {
    const shop = await start({
      payments: { limits: { checkoutsPerOrder: 1 }, loadOrder: () => null },
    });
    for (let turn = 0; turn < 3; turn += 1) expect((await pay(shop)).status).toBe(404);
    const tokens = await start({ payments: { limits: { pollsPerOrder: 1 } } });
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await tokens.send('/pay/status/AAAA')).status).toBe(404);
    }
  });

  it('polls are counted by address and by order', async () => {
    const shop = await start({ payments: { limits: { pollsPerAddress: 3, pollsPerOrder: 2 } } });
    const { status } = await shop.open();
    const poll = (one: string): Promise<Reply> => shop.send(status, { headers: from(one) });
    expect((await poll(address)).status).toBe(200);
    expect((await poll('203.0.113.8')).status).toBe(200);
    expectTooMany(await poll('203.0.113.9'));
    await poll(address);
    await poll(address);
    expectTooMany(await shop.send('/pay/status/AAAA', { headers: from(address) }));
  });

  it('clients of payments.handle whose address is not known are one', async () => {
    const shop = await start({ payments: { limits: { checkoutsPerAddress: 2 } } });
    const ask = async (one?: string): Promise<number> => {
      const request = new Request('https://shop.example/pay/checkout', { method: 'POST' });
      return (await shop.payments.handle(request, { address: one })).status;
    };
    expect([await ask(), await ask(''), await ask(), await ask()]).toEqual([415, 415, 429, 429]);
    expect([await ask(address), await ask('127.0.0.1')]).toEqual([415, 415]);
  });

  it('webhooks are counted by address where that is asked for', async () => {
    const shop = await start({ payments: { limits: { webhooksPerAddress: 1 } } });
    const deliver = (one: string): Promise<Reply> =>
      shop.send('/pay/webhook', { method: 'POST', headers: from(one), body: '{}' });
    expect((await deliver(address)).status).toBe(200);
    expectTooMany(await deliver(address));
    expect((await deliver('203.0.113.8')).status).toBe(200);
  });

  it('a shopper who comes back from the gateway is never kept out', async () => {
    const limits = { pollsPerAddress: 1, pollsPerOrder: 1, checkoutsPerAddress: 1 };
    const shop = await start({ payments: { limits } });
    const { success } = await shop.open();
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await shop.send(success, { headers: from(address) })).status).toBe(303);
    }
  });

  it('processes that share a store share the limit, within a tenth for each', async () => {
    const store = memoryStore();
    const options = { payments: { store, limits: { checkoutsPerAddress: 20 } } };
    const shared = [await start(options), await start(options)] as const;
    const replies = Array.from({ length: 60 }, (_, turn) => pay(shared[turn % 2 === 0 ? 0 : 1]));
    const passed = (await statuses(replies)).filter((status) => status === 201).length;
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(24);
  });

  it('an ordinary shopper costs the store nothing, and a flood little', async () => {
    const counted: string[] = [];
    const shop = await start({
      onStoreCall: (name, [key]) => name === 'count' && counted.push(String(key)),
      payments: { limits: { checkoutsPerAddress: 20, checkoutsPerOrder: false } },
    });
    await pay(shop);
    await pay(shop);
    expect(counted).toEqual([]);
    for (let turn = 0; turn < 60; turn += 1) await pay(shop);
    expect(counted.length).toBeLessThanOrEqual(20);
    expect(new Set(counted).size).toBe(1);
    expect(counted[0]).toMatch(/^[\w:-]+$/);
    expect(counted[0]).not.toContain(address);
  });

  it('neighbours in one IPv6 network are one address, and this machine is none', async () => {
    const shop = await start({ payments: { limits: { checkoutsPerAddress: 1 } } });
    expect((await pay(shop, '2001:db8:1:2::1')).status).toBe(201);
    expectTooMany(await pay(shop, '2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect((await pay(shop, '2001:db8:1:3::1')).status).toBe(201);
    expect((await pay(shop, '::ffff:203.0.113.20')).status).toBe(201);
    expectTooMany(await pay(shop, '203.0.113.20'));
    for (const own of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect(await statuses([pay(shop, own), pay(shop, own)])).toEqual([201, 201]);
    }
  });

  it.each([
    ['203.0.113.9', ['203.0.113.9:4711', '203.0.113.9:4712', ' 203.0.113.9 ', '"203.0.113.9:1"']],
    ['203.0.113.9', ['::ffff:203.0.113.9', '[::ffff:203.0.113.9]:4711', '::ffff:cb00:7109']],
    ['203.0.113.9', ['0:0:0:0:0:FFFF:203.0.113.9', '::FFFF:CB00:7109%eth0']],
    [
      '2001:db8::1',
      ['[2001:db8::1]:443', '[2001:db8::1]:444', '[2001:db8::2]', '"[2001:db8::1]:5"'],
    ],
    ['64:ff9b::203.0.113.9', ['203.0.113.9', '64:ff9b::cb00:7109', '[64:ff9b::203.0.113.9]:443']],
    ['2001:db8::1', ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8:0::%eth0']],
    ['unknown', ['unknown:4711', 'unknown:_port', 'UNKNOWN', '%1', '""']],
  ])('the client %s is one however its address is written', async (client, spellings) => {
    const shop = await start({ payments: { limits: { checkoutsPerAddress: 1 } } });
    expect((await pay(shop, client)).status).toBe(201);
    for (const spelling of spellings) {
      expect([spelling, (await pay(shop, spelling)).status]).toEqual([spelling, 429]);
    }
  });

  it('no port, bracket, letter case or space makes another client of an address', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV6(), fc.nat(65_535), (four, six, port) => {
        const ofFour = [`${four}:${port}`, ` ${four} `, `::ffff:${four}`, `64:ff9b::${four}`];
        const ofSix = [`[${six}]:${port}`, six.toUpperCase(), `"${six}"`, `${six}%eth0`];
        const isLoopback = four.startsWith('127.');
        for (const spelling of isLoopback ? ofFour.slice(0, 3) : ofFour) {
          expect(clientOf(spelling)).toBe(isLoopback ? null : four);
        }
        for (const spelling of ofSix) expect(clientOf(spelling)).toBe(clientOf(six));
      }),
    );
  });

  it('this machine is none, however its address is written, and nothing else is it', async () => {
    const shop = await start({ payments: { limits: { checkoutsPerAddress: 1 } } });
    for (const own of ['127.0.0.1:4711', '[::1]:4711', '0:0:0:0:0:0:0:1', '::ffff:7f00:1']) {
      expect(await statuses([pay(shop, own), pay(shop, own)])).toEqual([201, 201]);
    }
    for (const other of ['127.evil', '127.0.0.1.evil', '127.0.0.256']) {
      expect([other, await statuses([pay(shop, other), pay(shop, other)])]).toEqual([
        other,
        [201, 429],
      ]);
    }
  });

  it('a limit that cannot be counted keeps nobody out', async () => {
    const shop = await start({
      onStoreCall: (name) => {
        if (name === 'count') throw new Error('no');
      },
      payments: { limits: { checkoutsPerAddress: 1 } },
    });
    expect(await statuses([pay(shop), pay(shop), pay(shop)])).toEqual([201, 201, 201]);
    expect(shop.logged.join()).toContain('checkoutsPerAddress');
  });

  it('nobody is kept out where limits are off', async () => {
    const shop = await start({ payments: { limits: false } });
    const replies = Array.from({ length: 100 }, () => pay(shop));
    expect(new Set(await statuses(replies))).toEqual(new Set([201]));
  });

  it('sixty shoppers behind one address notice nothing of the usual limits', async () => {
    const shop = await start();
    const { status } = await shop.open();
    const replies = Array.from({ length: 60 }, () => shop.send(status, { headers: from(address) }));
    expect(new Set(await statuses(replies))).toEqual(new Set([200]));
  });
});
