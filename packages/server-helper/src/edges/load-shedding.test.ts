import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectProblem, Shop, type Reply } from '../../test-support/shop.ts';

/** Far longer than the event loop must be late before anything is refused. */
const LONG = 60;

/** Makes each turn of the event loop as long as {@link latenessMs} says. */
class SlowLoop {
  latenessMs = 0;
  passedMs = 0;

  constructor() {
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => {
      this.passedMs += this.latenessMs;
      return now() + this.passedMs;
    });
  }
}

describe('a process that cannot answer all that arrives', () => {
  let shop: Shop;
  let loop: SlowLoop;
  beforeEach(async () => {
    loop = new SlowLoop();
    shop = await Shop.start();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await shop.close();
  });

  const checkOut = (): Promise<Reply> => shop.checkout({ orderId: '1001' });
  const poll = (): Promise<Reply> => shop.send('/pay/status/not-a-token');

  /** Requests that come while each turn of the event loop takes so long. */
  async function during(latenessMs: number, requests: number): Promise<void> {
    loop.latenessMs = latenessMs;
    for (let request = 0; request < requests; request += 1) {
      loop.passedMs += 101;
      await shop.send('/pay/health');
    }
    loop.latenessMs = 0;
  }

  it('refuses polls first, with the time to come again', async () => {
    await during(300, 14);
    const refused = await Promise.all(Array.from({ length: 10 }, poll));
    const overloaded = refused.filter(({ status }) => status === 503);
    expect(overloaded).toHaveLength(10);
    expectProblem(overloaded[0] ?? (await poll()), 503, 'overloaded');
    expect(overloaded[0]?.headers['retry-after']).toBe('5');
    expect((await checkOut()).status).toBe(201);
  });

  it('refuses checkouts when that is not enough, and takes every webhook and return', async () => {
    await during(300, LONG);
    expectProblem(await checkOut(), 503, 'overloaded');
    const hint = await shop.send('/pay/webhook', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ merchantOrderId: '1001~1' }),
    });
    expect(hint.status).toBe(200);
    expect((await shop.send('/pay/return/success/not-a-token')).status).toBe(404);
  });

  it('answers everything again when the load ends, and at once after a rest', async () => {
    await during(300, LONG);
    expect((await poll()).status).toBe(503);
    await during(0, LONG);
    expect((await poll()).status).toBe(404);
    await during(300, LONG);
    loop.passedMs += 60_000;
    await shop.send('/pay/health');
    expect((await poll()).status).toBe(404);
  });

  it('refuses nothing when it is late for a moment, or merely busy', async () => {
    await during(300, 4);
    expect((await poll()).status).toBe(404);
    await during(100, LONG);
    expect((await poll()).status).toBe(404);
  });
});

describe('a process that was told not to shed load', () => {
  it('answers whatever comes', async () => {
    const shop = await Shop.start({ payments: { shedLoad: false } });
    const loop = new SlowLoop();
    loop.latenessMs = 300;
    for (let request = 0; request < LONG; request += 1) {
      expect((await shop.send('/pay/status/not-a-token')).status).toBe(404);
    }
    vi.restoreAllMocks();
    await shop.close();
  });
});
