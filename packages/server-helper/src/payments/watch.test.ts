import { describe, expect, it } from 'vitest';
import { anAttempt, anOperation, aPaidRecord, aRecord, NOW } from '../../test-support/records.ts';
import type { Attempt } from './attempt.ts';
import type { Operation } from './record.ts';
import { nextCheckAt, usualWatch } from './watch.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FOR_EVER = NOW + 30 * DAY_MS;

const next = (
  attempt: Attempt,
  operations: readonly Operation[],
  { now = NOW + MINUTE_MS, isSilent = false, random = 0 } = {},
  stored: readonly Attempt[] = [attempt],
) => {
  const record = aRecord({}, { attempts: stored, operations });
  return nextCheckAt(record, attempt, { ...usualWatch, isSilent, now, random });
};

const open = anAttempt();
const settled = anAttempt({ state: 'succeeded', nextCheckAt: null });

describe('after a status check', () => {
  it('an open attempt is looked at by its schedule', () => {
    expect(next(open, [])).toBe(NOW + 2 * MINUTE_MS);
  });

  it('an open attempt that a hint named is checked five minutes before the end of its life', () => {
    const hinted = anAttempt({ hintedAt: NOW + 1 });
    const last = open.expiresAt - 5 * MINUTE_MS;
    const now = last - 10 * MINUTE_MS;
    expect(next(hinted, [], { now })).toBe(last);
    expect(next(hinted, [], { now: last })).toBe(open.expiresAt);
    expect(next(open, [], { now })).toBe(open.expiresAt);
    const refund = [anOperation({ state: 'pending', createdAt: NOW })];
    const succeeded = { ...settled, hintedAt: NOW + 1 };
    expect(next(succeeded, refund, { now })).toBe(open.expiresAt);
  });

  it('a link that a clock which ran ahead has closed is checked until its life is over', () => {
    const closed = anAttempt({ state: 'closed' });
    expect(next(closed, [])).toBe(NOW + 2 * MINUTE_MS);
    expect(next(closed, [], { now: closed.expiresAt })).toBeNull();
  });

  it('a settled attempt is looked at for what waits for evidence, as new as that is', () => {
    const operations = [
      anOperation({ id: 'a', state: 'pending', createdAt: NOW - DAY_MS }),
      anOperation({ id: 'b', state: 'unknown', createdAt: NOW }),
    ];
    expect(next(settled, operations)).toBe(NOW + 2 * MINUTE_MS);
  });

  it.each([
    ['is over', { state: 'succeeded' }],
    ['was not sent yet', { state: 'sending' }],
    ['no status shows', { state: 'unknown', kind: 'recurring' }],
    ['is about another attempt', { state: 'pending', attemptNumber: 2 }],
  ] as const)('a settled attempt is left alone when its operation %s', (_why, operation) => {
    expect(next(settled, [anOperation(operation)])).toBe('unchanged');
  });

  it('a settled attempt that was watched until now is let go', () => {
    expect(next(anAttempt({ state: 'succeeded' }), [])).toBeNull();
  });

  it('an attempt that has become settled meanwhile is not touched', () => {
    expect(next(open, [], {}, [settled])).toBe('unchanged');
  });

  it('another attempt of the order does not keep it watched', () => {
    expect(next(settled, [], {}, [anAttempt({ number: 2 }), settled])).toBe('unchanged');
  });

  it('an old attempt is over with an answer; without one, it is asked about daily for months', () => {
    expect(next(open, [], { now: FOR_EVER })).toBeNull();
    expect(next(open, [], { now: FOR_EVER, isSilent: true })).toBe(FOR_EVER + DAY_MS);
    expect(next(open, [], { now: NOW + 91 * DAY_MS, isSilent: true })).toBeNull();
  });

  it('what is over for its operation is over, whatever the gateway answered', () => {
    const operations = [anOperation({ state: 'unknown' })];
    const closed = anAttempt({ state: 'closed', nextCheckAt: null });
    for (const attempt of [settled, closed]) {
      expect(next(attempt, operations)).toBe(NOW + 2 * MINUTE_MS);
      for (const isSilent of [false, true]) {
        expect(next(attempt, operations, { now: FOR_EVER, isSilent })).toBeNull();
      }
    }
  });

  it('a gateway that is away is asked again within a quarter of an hour, while money may come', () => {
    const silent = { isSilent: true };
    const old = NOW + 6 * 60 * MINUTE_MS;
    expect(next(open, [], { ...silent, now: old, random: 0.5 })).toBe(old + 10 * MINUTE_MS);
    expect(next(open, [], { ...silent, now: old, random: 0 })).toBe(old + 8 * MINUTE_MS);
    expect(next(open, [], { ...silent, now: old, random: 1 })).toBe(old + 12 * MINUTE_MS);
    expect(next(open, [], { now: old })).toBe(old + 60 * MINUTE_MS);
    expect(next(open, [], { ...silent })).toBe(NOW + 2 * MINUTE_MS);
    const over = NOW + 2 * DAY_MS + 15 * MINUTE_MS;
    expect(next(open, [], { ...silent, now: over })).toBe(over + DAY_MS);
  });
});

describe('after a status check of an attempt whose money came', () => {
  const HOUR_MS = 60 * MINUTE_MS;
  const paid = aPaidRecord();
  const after = (ageMs: number, isSilent = false, random = 0.5) => {
    const outcome = { ...usualWatch, isSilent, now: NOW + ageMs, random };
    return nextCheckAt(paid, settled, outcome);
  };

  it('an answer leads to the next time of its schedule, and to none after the last', () => {
    expect(after(MINUTE_MS)).toBe(NOW + HOUR_MS);
    expect(after(HOUR_MS)).toBe(NOW + DAY_MS);
    expect(after(14 * DAY_MS - 1)).toBe(NOW + 14 * DAY_MS);
    expect(after(14 * DAY_MS)).toBeNull();
  });

  it('silence is made up for in ten minutes, from its first check to a day after its last', () => {
    const soon = (ageMs: number): number => NOW + ageMs + 10 * MINUTE_MS;
    expect(after(HOUR_MS - 1, true)).toBe(NOW + HOUR_MS);
    expect(after(HOUR_MS, true)).toBe(soon(HOUR_MS));
    expect(after(DAY_MS - MINUTE_MS, true)).toBe(NOW + DAY_MS);
    expect(after(15 * DAY_MS, true)).toBe(soon(15 * DAY_MS));
    expect(after(15 * DAY_MS + 1, true)).toBeNull();
  });
});
