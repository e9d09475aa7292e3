import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';

import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Reply, type Shop } from '../../test-support/shop.ts';
import { sqliteStore } from '../index.ts';

let shop: Shop;
beforeEach(async () => void (shop = await startShop()));

describe('an Idempotency-Key', () => {
  const other = 'a@b+c:d';
  const pay = (key: string, orderId = '1001', at = shop): Promise<Reply> =>
    at.checkout({ orderId }, { 'idempotency-key': key });

  it('gives the same request the same answer, to the letter', async () => {
    const key = randomUUID();
    const first = await pay(key);
    expect(first.status).toBe(201);
    const again = await Promise.all(Array.from({ length: 5 }, () => pay(key)));
    for (const { status, text } of again) expect([status, text]).toEqual([201, first.text]);
    expect(shop.gateway.creates).toHaveLength(1);
    expect((await pay(randomUUID())).text).not.toBe(first.text);
  });

  it('is refused with 409 for another body, which makes no link', async () => {
    const key = randomUUID();
    await pay(key);
    expectProblem(await pay(key, other), 409, 'idempotency_key_reused');
    expect(shop.gateway.creates).toHaveLength(1);
    expect((await pay(randomUUID(), other)).status).toBe(201);
  });

  it('stands for one of two bodies that come at once', async () => {
    const key = randomUUID();
    const replies = await Promise.all([pay(key), pay(key, other)]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('binds nothing before the order is known to be the caller’s', async () => {
    const key = randomUUID();
    expectProblem(await pay(key, '9999'), 404, 'order_not_found');
    expect((await pay(key)).status).toBe(201);
  });

  it('is stored for no more requests than the limits let in, and not as it is', async () => {
    const bound: string[] = [];
    shop = await startShop({
      onStoreCall: (name, [key]) => name === 'bind' && key !== 'shop' && bound.push(String(key)),
      payments: { limits: { checkoutsPerOrder: 3 } },
    });
    const keys: string[] = Array.from({ length: 8 }, () => randomUUID());
    const statuses = await Promise.all(keys.map(async (key) => (await pay(key)).status));
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(bound).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{43}$/)));
    expect(bound.filter((key) => keys.includes(key))).toEqual([]);
  });

  it('does not keep a failure: the same request may succeed later', async () => {
    const key = randomUUID();
    shop.gateway.script = (_request, response) => void response.socket?.destroy();
    expectProblem(await pay(key), 502, 'gateway_unreachable');
    shop.gateway.script = undefined;
    expect((await pay(key)).status).toBe(201);
  });

  it('gets the truth once the order is paid, not an old link', async () => {
    const key = randomUUID();
    const { redirectUrl } = (await pay(key)).json as { redirectUrl: string };
    const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
    await shop.finds(session, {});
    expectProblem(await pay(key), 409, 'already_paid');
  });

  it('holds in another process and after a restart, for a day', async () => {
    const file = join(temporaryFolder(), 'payments.db');
    const store = () => sqliteStore({ file });
    const start = () => startShop({ payments: { store: store() } });
    const [one, two] = [await start(), await start()];
    const key = randomUUID();
    const first = await pay(key, '1001', one);
    expectProblem(await pay(key, other, two), 409, 'idempotency_key_reused');
    expect((await pay(key, '1001', two)).text).toBe(first.text);
    const restarted = await start();
    expect((await pay(key, '1001', restarted)).text).toBe(first.text);
    one.later(24 * 3_600_000);
    expect((await pay(key, other, one)).status).toBe(201);
  });

  const bad = ['', '""', 'two words', 'x'.repeat(256), 'schl\u00fcssel', 'tab\tbed'];
  it.each(bad)('of the form %j is refused with 400', async (key) => {
    expectProblem(await pay(key), 400, 'invalid_idempotency_key');
    expect(shop.gateway.creates).toHaveLength(0);
  });

  it('may stand in quotes, as the draft standard writes it', async () => {
    const first = await pay('"8e03978e-40d5"');
    expect((await pay('8e03978e-40d5')).text).toBe(first.text);
    expect((await pay('x'.repeat(255))).status).toBe(201);
  });
});
