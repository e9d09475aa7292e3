import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTimer, withoutNext } from './clock.ts';
import type { Timer } from './clock.ts';

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

function drained(timers: Timer[]): Timer[] {
  const all: Timer[] = [];
  for (let [next] = timers; next !== undefined; [next] = withoutNext(timers)) all.push(next);
  return all;
}
