import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PaymentEvent } from '../payments/record.ts';
import { Batcher, runHook } from './pool.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Ends a statement, well or not. */
type End = (how: 'answered' | 'failed') => Promise<void>;

/** A batcher that has sent two statements, which end when the test says so. */
async function twoUnderWay(): Promise<{ batcher: Batcher<string, string>; ends: End[] }> {
  const ends: End[] = [];
  const batcher = new Batcher<string, string>({
    send: (requests) =>
      new Promise((resolve, reject) => {
        ends.push(async (how) => {
          if (how === 'answered') resolve(requests);
          else reject(new Error('the connection broke'));
          await setImmediate();
        });
      }),
    isUndone: () => false,
    timeoutMs: 60_000,
  });
  for (const request of ['one', 'two', 'three']) {
    batcher.run(request).catch(() => undefined);
    await setImmediate();
  }
  expect(ends).toHaveLength(2);
  return { batcher, ends };
}

it('is stuck while calls wait and none was answered well for a second and a half', async () => {
  const { batcher, ends } = await twoUnderWay();
  vi.advanceTimersByTime(1_500);
  expect(batcher.isStuck).toBe(false);
  vi.advanceTimersByTime(1);
  expect([batcher.isStuck, batcher.waitMs]).toEqual([true, 1_501]);
  await ends[0]?.('answered');
  await setImmediate();
  expect([batcher.isStuck, batcher.waitMs]).toEqual([false, 0]);
  vi.advanceTimersByTime(1_000);
  await ends[1]?.('failed');
  vi.advanceTimersByTime(1_000);
  expect(batcher.isStuck).toBe(true);
  await ends[2]?.('failed');
  expect(batcher.isStuck).toBe(false);
});

it('work whose time is over begins for no further event and fails, though its timer is late', async () => {
  const events = ['authorized', 'captured'].map((type) => ({ type }) as PaymentEvent);
  const run = vi.fn(() => void vi.spyOn(performance, 'now').mockReturnValue(Infinity));
  await expect(runHook({ run, timeoutMs: 1_000 }, events, null)).rejects.toThrow('hookTimeoutMs');
  expect(run).toHaveBeenCalledTimes(1);
});
