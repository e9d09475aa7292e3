import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectProblem, Shop, type Reply } from '../../test-support/shop.ts';

/** Far longer than the process must be busy before it refuses anything. */
const SAMPLES = 100;

describe('a process that cannot answer all that arrives', () => {
  let shop: Shop;
  let busyness = 0;
  let passedMs = 0;
  beforeEach(async () => {
    busyness = 0;
    passedMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => ({
      idle: 0,
      active: 0,
      utilization: busyness,
    }));
    shop = await Shop.start();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await shop.close();
  });

  const checkOut = (): Promise<Reply> => shop.checkout({ orderId: '1001' });
  const poll = (): Promise<Reply> => shop.send('/pay/status/not-a-token');

  /** Requests that come while the process has this much to do. */
  async function during(share: number, samples: number): Promise<void> {
    busyness = share;
    for (let sample = 0; sample < samples; sample += 1) {
      passedMs += 101;
      await shop.send('/pay/health');
    }
  }

  it('refuses polls first, with the time to come again', async () => {
    await during(1, 45);
    const refused = await Promise.all(Array.from({ length: 10 }, poll));
    const overloaded = refused.filter(({ status }) => status === 503);
    expect(overloaded).toHaveLength(10);
    expectProblem(overloaded[0] ?? (await poll()), 503, 'overloaded');
    expect(overloaded[0]?.headers['retry-after']).toBe('5');
    expect((await checkOut()).status).toBe(201);
  });

  it('refuses checkouts when that is not enough, and takes every webhook and return', async () => {
    await during(1, SAMPLES);
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
    await during(1, SAMPLES);
    expect((await poll()).status).toBe(503);
    await during(0.5, SAMPLES);
    expect((await poll()).status).toBe(404);
    await during(1, SAMPLES);
    busyness = 0;
    passedMs += 60_000;
    expect((await poll()).status).toBe(404);
  });

  it('refuses nothing when it is busy for a moment', async () => {
    await during(1, 15);
    expect((await poll()).status).toBe(404);
  });
});

describe('a process that was told not to shed load', () => {
  it('answers whatever comes', async () => {
    const shop = await Shop.start({ payments: { shedLoad: false } });
    const now = performance.now.bind(performance);
    let passedMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue({
      idle: 0,
      active: 0,
      utilization: 1,
    });
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      passedMs += 101;
      expect((await shop.send('/pay/status/not-a-token')).status).toBe(404);
    }
    vi.restoreAllMocks();
    await shop.close();
  });
});
