import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Timers } from './timers.ts';
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
      const timers = given.reduce((all, one) => all.with(one), Timers.none);
      const key = ({ at, id, kind, round }: Timer) => `${at} ${id} ${kind} ${round}`;
      expect(drained(timers).map(key)).toEqual(given.map(key).toSorted());
    }),
    { numRuns: 300 },
  );
});

test('setting a timer and taking one away leave the timers before as they were', () => {
  const one = Timers.none.with(due(2));
  const two = one.with(due(1));
  expect(drained(two.withoutNext())).toEqual(drained(one));
  expect(drained(two)).toEqual([due(1), due(2)]);
  expect(Timers.none.next).toBeNull();
  expect(Timers.none.withoutNext().next).toBeNull();
});

test('a hundred thousand timers in the order of time are set and taken without a deep recursion', () => {
  let timers = Timers.none;
  for (let index = 0; index < 100_000; index += 1) timers = timers.with(due(index));
  for (let index = 0; index < 100_000; index += 1) {
    if (timers.next?.at !== index) expect(timers.next?.at).toBe(index);
    timers = timers.withoutNext();
  }
  expect(timers.next).toBeNull();
}, 120_000);

function due(at: number): Timer {
  return { at, kind: 'session-expired', id: 'a', round: 0 };
}

function drained(timers: Timers): Timer[] {
  const all: Timer[] = [];
  for (let rest = timers; rest.next !== null; rest = rest.withoutNext()) all.push(rest.next);
  return all;
}
