import type { Clock } from '../clock.ts';

/** A clock whose time passes only by {@link ManualClock.advance}. */
export interface ManualClock extends Clock {
  /** Moves time forward and wakes, in order, the sleepers whose time has come. */
  advance(milliseconds: number): Promise<void>;
}

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/**
 * Makes a clock for tests.
 *
 * @param start - Milliseconds since the epoch. @defaultValue 2026-01-01T00:00:00Z
 */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  let sleepers: readonly Sleeper[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(new Error('aborted'));
          return;
        }
        const sleeper = { wakeAt: now + milliseconds, wake: resolve };
        sleepers = [...sleepers, sleeper];
        signal?.addEventListener(
          'abort',
          () => {
            sleepers = sleepers.filter((one) => one !== sleeper);
            reject(new Error('aborted'));
          },
          { once: true },
        );
      }),
    advance: async (milliseconds) => {
      const target = now + milliseconds;
      for (;;) {
        const [next] = sleepers
          .filter(({ wakeAt }) => wakeAt <= target)
          .toSorted((left, right) => left.wakeAt - right.wakeAt);
        if (next === undefined) break;
        sleepers = sleepers.filter((one) => one !== next);
        now = Math.max(now, next.wakeAt);
        next.wake();
        // The sleeper runs on, and may sleep again within this same move.
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = target;
    },
  };
}
