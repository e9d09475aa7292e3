import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';
import { memoryStore } from '../testing.ts';
import { EQUAL_TIME_MS } from './equal-time.ts';

/** Timers fire up to a millisecond early by another clock. */
const PERIOD_MS = EQUAL_TIME_MS - 2;

const SECRET = 'whsec_5f1c0a7be2d94f36';

describe('the time that a webhook takes', () => {
  let shop: Shop;
  const start = async (options: ShopOptions = {}): Promise<Shop> =>
    (shop = await Shop.start(options));
  afterEach(() => shop.close());

  async function deliver(merchantOrderId: string): Promise<number> {
    const body = JSON.stringify({ merchantOrderId });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-signature': signature };
    const init = { method: 'POST', headers, body };
    const request = new Request('https://shop.example/pay/webhook', init);
    const startedAt = performance.now();
    expect((await shop.payments.handle(request)).status).toBe(200);
    return performance.now() - startedAt;
  }

  it('is a whole period for a known order and for an unknown one', async () => {
    await start();
    const { merchantOrderId } = await shop.open();
    for (const name of [merchantOrderId, '9999~1', '1001~2', merchantOrderId]) {
      expect(await deliver(name)).toBeGreaterThanOrEqual(PERIOD_MS);
    }
  });

  it('is whole periods where the store is slow', async () => {
    const store = memoryStore();
    const hint = store.hint.bind(store);
    store.hint = async (name, now) => {
      await new Promise((resolve) => setTimeout(resolve, EQUAL_TIME_MS + 10));
      return hint(name, now);
    };
    await start({ payments: { store } });
    expect(await deliver('9999~1')).toBeGreaterThanOrEqual(2 * PERIOD_MS);
  });

  it('is no secret where only the gateway can sign', async () => {
    await start({ payments: { webhookSecrets: [SECRET] } });
    const { merchantOrderId } = await shop.open();
    let spent = 0;
    for (let turn = 0; turn < 40; turn += 1) spent += await deliver(merchantOrderId);
    expect(spent).toBeLessThan(40 * PERIOD_MS);
  });
});
