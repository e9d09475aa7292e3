import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import type { Reply } from '../../test-support/shop.ts';
import { sqliteStore } from '../index.ts';

const CLICKS = 60;

it('a stop under load answers every request, and keeps what was acknowledged', async () => {
  const file = join(temporaryFolder(), 'payments.db');
  const orders = Array.from({ length: CLICKS }, (_, index) => `stop-${index}`);
  const shop = await startShop({
    payments: {
      store: sqliteStore({ file }),
      loadOrder: (orderId) => ({ orderId, amount: '1.00', customer: { phone: '0501234567' } }),
    },
  });
  // Some are answered before the stop, some are under way, some come when it has begun.
  const early = await Promise.all(orders.slice(0, 10).map((orderId) => shop.checkout({ orderId })));
  const webhooks = orders.slice(0, 10).map((id) => shop.notify({ merchantOrderId: `${id}~1` }));
  const clicks = orders.slice(10, 40).map((orderId) => shop.checkout({ orderId }));
  await clicks[0];
  const stopped = shop.payments.close();
  const late = orders.slice(40).map((orderId) => shop.checkout({ orderId }));
  const told = await Promise.all(webhooks);
  const replies = [...early, ...(await Promise.all([...clicks, ...late]))];
  await stopped;

  for (const { status, json, headers } of [...replies, ...told].filter(isRefused)) {
    expect([status, json['code']]).toEqual([503, 'store_unavailable']);
    expect(headers['retry-after']).toMatch(/^\d+$/);
  }
  const kept = sqliteStore({ file });
  await kept.open('staging/default');
  for (const [index, reply] of replies.entries()) {
    if (isRefused(reply)) continue;
    const [attempt] = (await kept.load(orders[index] ?? ''))?.attempts ?? [];
    expect(attempt?.redirectUrl).toBe(reply.json['redirectUrl']);
  }
  for (const [index, reply] of told.entries()) {
    if (isRefused(reply)) continue;
    const [attempt] = (await kept.load(orders[index] ?? ''))?.attempts ?? [];
    expect(attempt?.hintedAt).toBeGreaterThan(0);
  }
  expect(replies.filter((reply) => !isRefused(reply)).length).toBeGreaterThan(10);
  await kept.close();
});

const isRefused = ({ status }: Reply): boolean => status !== 201 && status !== 200;
