import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anAttempt, aRecord, NOW } from '../../test-support/records.ts';
import { answerOf } from './answer.ts';
import { Draft } from './draft.ts';
import { decideUnpaid } from './end-unpaid.ts';
import { attemptSucceeded } from './transition.ts';
import { isPastFinalCheck, nextCheck } from './watch.ts';
import { rightTimes } from './checks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The chance that adds nothing to a wait. */
const PROMPT = 0;

describe('an attempt is looked at without any hint', () => {
  it('soon at first, hourly to 48 hours, once more, then daily for a week', () => {
    const ages: number[] = [];
    let at: number | null = NOW;
    while ((at = nextCheck(NOW, at, PROMPT)) !== null) ages.push(at - NOW);
    expect(ages.slice(0, 10)).toEqual(
      [0.25, 0.5, 1, 2, 5, 10, 15, 20, 40, 60].map((minutes) => minutes * MINUTE_MS),
    );
    expect(ages).toContain(48 * HOUR_MS);
    expect(ages).toContain(48 * HOUR_MS + 15 * MINUTE_MS);
    expect(ages).toHaveLength(9 + 48 + 1 + 7);
  });

  it('at most a fifth of the wait later, and never in the past', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9 * 24 * HOUR_MS }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (age, random) => {
          const now = NOW + age;
          const plain = nextCheck(NOW, now, PROMPT);
          const moved = nextCheck(NOW, now, random);
          if (plain === null || moved === null) {
            expect(moved).toBe(plain);
            return;
          }
          expect(plain).toBeGreaterThan(now);
          expect(moved).toBeGreaterThanOrEqual(plain);
          expect(moved - plain).toBeLessThanOrEqual((plain - now) * 0.2 + 1);
        },
      ),
    );
  });

  it('as many times whatever the chances, since none comes before its age', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (chances) => {
        let checks = 0;
        let at: number | null = NOW;
        while ((at = nextCheck(NOW, at, chances.next().value ?? PROMPT)) !== null) checks += 1;
        expect(checks).toBe(9 + 48 + 1 + 7);
      }),
    );
  });
});

describe('an attempt that is younger than 15 minutes', () => {
  it.each([0, 0.5, 0.999])('never waits for more than five minutes (chance %d)', (random) => {
    for (let age = 0; age < 15 * MINUTE_MS; age += 1_000) {
      const now = NOW + age;
      expect((nextCheck(NOW, now, random) ?? Infinity) - now).toBeLessThanOrEqual(5 * MINUTE_MS);
    }
  });

  it('waits longer, and for a fifth more by chance, as soon as it is older', () => {
    const now = NOW + 20 * MINUTE_MS;
    expect(nextCheck(NOW, now, 1)).toBe(now + 24 * MINUTE_MS);
    const atFifteen = NOW + 15 * MINUTE_MS;
    expect(nextCheck(NOW, atFifteen, 1)).toBe(atFifteen + 6 * MINUTE_MS);
  });
});

describe('an order expires', () => {
  const end = NOW + 48 * HOUR_MS + 15 * MINUTE_MS;
  const expire = (changes: Parameters<typeof aRecord>[0], now: number) =>
    decideUnpaid(aRecord(changes), anAttempt(), answerOf('whole'), now);

  it('only after the grace behind the session’s 48 hours', () => {
    expect(isPastFinalCheck(anAttempt(), end - 1)).toBe(false);
    expect(expire({}, end - 1)).toBeNull();
    expect(expire({}, end)).toMatchObject({
      payment: { state: 'expired', version: 3 },
      attempts: [],
      events: [{ id: '1001/expired/session-1', type: 'expired' }],
    });
  });

  it('after a card was declined as well', () => {
    expect(expire({ state: 'failed' }, end)?.payment.state).toBe('expired');
  });

  it.each(['paid', 'review', 'expired', 'unpaid'] as const)('never when it is %s', (state) => {
    expect(expire({ state }, end)).toBeNull();
  });

  it('with its latest link, not with an older one', () => {
    expect(expire({ currentAttempt: 2 }, end)).toBeNull();
  });
});

describe('what a clock did that ran twelve days ahead', () => {
  const later = NOW + 12 * 24 * HOUR_MS;
  const hour = { aheadMs: HOUR_MS };
  const closed = { state: 'closed', nextCheckAt: null, lastCheckAt: NOW - 1 } as const;

  it.each([
    ['a check in the future', { state: 'pending' }, { lastCheckAt: later }],
    ['a hint from the future', { state: 'pending' }, { hintedAt: later }],
    ['a next check in days', { state: 'pending' }, { nextCheckAt: later }],
    [
      'an end of a living link in the future',
      { state: 'expired' },
      { ...closed, lastCheckAt: later },
    ],
    ['an end that only the payment dates', { state: 'expired', updatedAt: later }, closed],
  ] as const)('is put right: %s', (_what, payment, attempt) => {
    const record = aRecord(payment, { attempts: [anAttempt(attempt)] });
    expect(rightTimes(record, NOW, hour)).toMatchObject({ attempts: [{ nextCheckAt: NOW }] });
    const right = rightTimes(record, later, hour);
    expect(right?.attempts ?? []).toEqual([]);
  });

  it('is what nobody else did: a link that was ended at its time stays so', () => {
    const record = aRecord({ state: 'expired' }, { attempts: [anAttempt(closed)] });
    expect(rightTimes(record, NOW, hour)).toBeNull();
  });
});

it('money that a person accepted is asked about soon, whatever its open link had planned', () => {
  const record = aRecord({}, { attempts: [anAttempt({ nextCheckAt: NOW + 24 * HOUR_MS })] });
  const draft = new Draft(record, NOW);
  attemptSucceeded(draft, record, anAttempt());
  expect(draft.finish()?.attempts).toMatchObject([{ nextCheckAt: NOW + 5_000 }]);
});
