import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTimer, withoutNext } from './timers.ts';
import type { Timer } from './timers.ts';

const timer = fc.record({
  at: fc.nat(9),
  kind: fc.constantFrom('session-expired' as const, 'challenge-timed-out' as const),
  id: fc.constantFrom('a', 'b', 'c'),
  round: fc.nat(2),
});

test('timers come out in the order of time, then id, then kind, then round', () => {
  fc.assert(
    fc.property(fc.array(timer), (given) => {
      const timers = given.reduce(addTimer, []);
      const key = ({ at, id, kind, round }: Timer) => `${at} ${id} ${kind} ${round}`;
      expect(drained(timers).map(key)).toEqual(given.map(key).toSorted());
    }),
    { numRuns: 300 },
  );
});

test('a hundred thousand timers in the order of time are set and taken', () => {
  const timers: Timer[] = [];
  for (let at = 0; at < 100_000; at += 1) {
    addTimer(timers, { at, kind: 'session-expired', id: 'a', round: 0 });
  }
  expect(drained(timers).every(({ at }, index) => at === index)).toBe(true);
  expect(timers).toEqual([]);
}, 120_000);

function drained(timers: Timer[]): Timer[] {
  const all: Timer[] = [];
  for (let [next] = timers; next !== undefined; [next] = withoutNext(timers)) all.push(next);
  return all;
}
