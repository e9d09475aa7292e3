import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';
import { memoryStore } from '../testing.ts';
import { EQUAL_TIME_MS } from './webhook.ts';

const SECRET = 'whsec_5f1c0a7be2d94f36';

/** All that needs no timer is over after these turns of the event loop. */
async function untilTimersMatter(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('the time that a webhook takes', () => {
  let shop: Shop;
  const start = async (options: ShopOptions = {}): Promise<Shop> =>
    (shop = await Shop.start(options));
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(async () => {
    vi.useRealTimers();
    await shop.close();
  });

  /** Delivers a webhook; says how many timers' milliseconds its answer took. */
  async function timeOf(merchantOrderId: string): Promise<number> {
    const body = JSON.stringify({ merchantOrderId });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-signature': signature };
    const init = { method: 'POST', headers, body };
    const request = new Request('https://shop.example/pay/webhook', init);
    const answers: Response[] = [];
    void shop.payments.handle(request).then((answer) => answers.push(answer));
    await untilTimersMatter();
    let spent = 0;
    for (; answers.length === 0 && spent < 1_000; spent += 1) {
      await vi.advanceTimersByTimeAsync(1);
      await untilTimersMatter();
    }
    expect(answers.map(({ status }) => status)).toEqual([200]);
    return spent;
  }

  it('is a whole period for a known order and for an unknown one', async () => {
    await start();
    const { merchantOrderId } = await shop.open();
    for (const name of [merchantOrderId, '9999~1', '1001~2', merchantOrderId]) {
      expect(await timeOf(name)).toBe(EQUAL_TIME_MS);
    }
  });

  it('is whole periods where the store is slow', async () => {
    const store = memoryStore();
    const load = store.load.bind(store);
    store.load = async (orderId) => {
      await new Promise((resolve) => setTimeout(resolve, EQUAL_TIME_MS + 10));
      return load(orderId);
    };
    await start({ payments: { store } });
    expect(await timeOf('9999~1')).toBe(2 * EQUAL_TIME_MS);
  });

  it('is no secret where only the gateway can sign', async () => {
    await start({ payments: { webhookSecrets: [SECRET] } });
    const { merchantOrderId } = await shop.open();
    expect(await timeOf(merchantOrderId)).toBe(0);
  });
});
