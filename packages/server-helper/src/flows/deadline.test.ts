import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AlignedClock, type Clock, systemClock } from '../clock.ts';
import { DeadlineError, inTime, withDeadline } from './waiting.ts';

const now = (): number => Date.now();
const sleep: Clock['sleep'] = (...wait) => systemClock.sleep(...wait);

const clocks: readonly (readonly [string, Clock])[] = [
  ['the machine’s clock', systemClock],
  ['a clock that is moved', new AlignedClock(systemClock)],
  ['a clock that can only sleep', { now, sleep }],
];

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

describe.each(clocks)('a deadline by %s', (_name, clock) => {
  it('gives what comes in time, and leaves no timer behind', async () => {
    expect(await withDeadline(clock, 1_000, async () => 7)).toBe(7);
    await setImmediate();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('passes on what goes wrong in time, and leaves no timer behind', async () => {
    const failing = withDeadline(clock, 1_000, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await setImmediate();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends what takes too long, and drops whatever becomes of it', async () => {
    let fail = (_error: Error): void => undefined;
    const endless = new Promise<never>((_resolve, reject) => (fail = reject));
    const late = withDeadline(clock, 1_000, () => endless);
    const told = expect(late).rejects.toThrow(new DeadlineError('it took longer than 1000 ms'));
    await vi.advanceTimersByTimeAsync(1_000);
    await told;
    fail(new Error('an error that nobody handles would end the tests'));
    await setImmediate();
    const missed = inTime(clock, 1_000, () => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await missed).toBeNull();
    // The work's own deadline is no answer to the wait for the work.
    const inside = inTime(clock, 1_000, async () => Promise.reject(new DeadlineError('inner')));
    await expect(inside).rejects.toThrow('inner');
  });
});

it('a clock stands where the database’s stands, however wrong the machine’s is', () => {
  const clock = new AlignedClock({ now: () => 1_000_000, sleep });
  expect(clock.now()).toBe(1_000_000);
  clock.align(-999.6);
  expect(clock.now()).toBe(999_000);
});
