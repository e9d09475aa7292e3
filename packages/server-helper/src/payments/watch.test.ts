import { describe, expect, it } from 'vitest';
import { anAttempt, anOperation, aPaidRecord, aRecord, NOW } from '../../test-support/records.ts';
import { timeAt, toldLink } from '../../test-support/told-link.ts';
import { transactionId } from '../ids.ts';
import type { Attempt } from './attempt.ts';
import { rightTimes, takeHint } from './checks.ts';
import { Draft } from './draft.ts';
import type { Operation } from './record.ts';
import { attemptSucceeded } from './transition.ts';
import { dailyCheckAt, nextCheck, nextCheckAt, usualWatch } from './watch.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../test-support/durations.ts';

const FOR_EVER = NOW + 30 * DAY_MS;
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

  it('at most a fifth of the wait later, never in the past, and while young within five minutes', () => {
    const young = 15 * MINUTE_MS;
    for (let age = 0; age < 9 * DAY_MS; age += age < young ? 1_000 : 97_000)
      for (const random of [0, 0.5, 0.999]) {
        const now = NOW + age;
        const wait = (nextCheck(NOW, now, PROMPT) ?? Infinity) - now;
        const moved = (nextCheck(NOW, now, random) ?? Infinity) - now;
        const isHeld = wait > 0 && moved >= wait && moved <= wait * 1.2 + 1;
        expect([age, isHeld, age >= young || moved <= 5 * MINUTE_MS]).toEqual([age, true, true]);
      }
  });

  it('waits longer, and for a fifth more by chance, as soon as it is older', () => {
    const now = NOW + 20 * MINUTE_MS;
    expect(nextCheck(NOW, now, 1)).toBe(now + 24 * MINUTE_MS);
    const atFifteen = NOW + 15 * MINUTE_MS;
    expect(nextCheck(NOW, atFifteen, 1)).toBe(atFifteen + 6 * MINUTE_MS);
  });
});

describe('what a clock did that ran twelve days ahead', () => {
  const later = NOW + 12 * DAY_MS;
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

  it('is put right: what it showed, explained and named, and no hint is explained by that', () => {
    const named = { transactionId: transactionId('t-1'), source: 'return' } as const;
    const never = { askedAt: null, answeredAt: null };
    const righted = (explainedAt: number, hintedAt: number) => {
      const ahead = { nextCheckAt: later, shown: { at: later, isDeclined: true } };
      const attempts = [anAttempt({ ...ahead, explainedAt, hintedAt })];
      const hints = [{ ...named, hintedAt, askedAt: later, answeredAt: later }];
      return rightTimes(aRecord({}, { attempts, hints }), NOW, hour);
    };
    const link = { hintedAt: NOW, explainedAt: NOW, shown: { at: NOW, isDeclined: true } };
    const hints = [{ ...named, hintedAt: NOW, ...never }];
    expect(righted(later, later)).toMatchObject({ attempts: [link], hints });
    expect(righted(later, later + 1)?.attempts).toMatchObject([{ ...link, explainedAt: NOW - 1 }]);
  });

  it('is put right: the life of a sale, and its operation is of that age', () => {
    const made = { createdAt: later, expiresAt: later + 2 * DAY_MS, nextCheckAt: later };
    const of = { kind: 'sale', sessionId: null, transactionId: transactionId('t-1') } as const;
    const operations = [anOperation({ kind: 'sale', state: 'pending', createdAt: later })];
    const attempts = [anAttempt({ ...of, ...made })];
    const record = aRecord({ state: 'pending' }, { attempts, operations });
    const righted = rightTimes(record, NOW, hour)?.attempts ?? [];
    expect(righted).toMatchObject([{ expiresAt: NOW + 2 * DAY_MS }]);
    const outcome = { ...usualWatch, isSilent: false, now: NOW + HOUR_MS, random: 0 };
    const next = righted.map((one) => nextCheckAt({ ...record, attempts: righted }, one, outcome));
    expect(next).toEqual([NOW + 2 * HOUR_MS]);
  });

  it('is what nobody else did: a link that was ended at its time stays so', () => {
    const record = aRecord({ state: 'expired' }, { attempts: [anAttempt(closed)] });
    expect(rightTimes(record, NOW, hour)).toBeNull();
  });
});

it('money that a person accepted is asked about soon, whatever its open link had planned', () => {
  const record = aRecord({}, { attempts: [anAttempt({ nextCheckAt: NOW + DAY_MS })] });
  const draft = new Draft(record, NOW);
  attemptSucceeded(draft, anAttempt());
  expect(draft.finish()?.attempts).toMatchObject([{ nextCheckAt: NOW + 5_000 }]);
});

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
  it('a link whose life a leap of the clock moved during the check is looked at as a new one', () => {
    const now = NOW + 12 * DAY_MS;
    const moved = anAttempt({ expiresAt: now + (open.expiresAt - NOW) });
    expect(next(open, [], { now })).toBeNull();
    expect(next(open, [], { now }, [moved])).toBe(now + 15_000);
  });

  it('a link is checked five minutes before the end of its life', () => {
    const last = open.expiresAt - 5 * MINUTE_MS;
    const now = last - 10 * MINUTE_MS;
    expect(next(open, [], { now })).toBe(last);
    expect(next(open, [], { now: last })).toBe(open.expiresAt);
    const refund = [anOperation({ state: 'pending', createdAt: NOW })];
    expect(next(settled, refund, { now })).toBe(open.expiresAt);
  });

  it('a link is checked once more where a hint came too late for its last check to explain it', () => {
    const last = open.expiresAt - 5 * MINUTE_MS;
    const hinted = { ...open, hintedAt: open.expiresAt - 18 * MINUTE_MS };
    const explained = hinted.hintedAt + 15 * MINUTE_MS + 1_000;
    expect(next(hinted, [], { now: hinted.hintedAt }, [hinted])).toBe(last);
    expect(next(hinted, [], { now: last }, [hinted])).toBe(explained);
    expect(next(hinted, [], { now: explained }, [hinted])).toBe(open.expiresAt);
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

  it('a settled attempt whose operation a clock sent that ran ahead is looked at from now on', () => {
    const ahead = { sentAt: NOW + 12 * DAY_MS, createdAt: NOW - DAY_MS, updatedAt: NOW };
    expect(next(settled, [anOperation({ state: 'unknown', ...ahead })])).toBe(NOW + 2 * MINUTE_MS);
  });

  it.each([
    ['is over', { state: 'succeeded' }],
    ['no status shows', { state: 'unknown', kind: 'recurring' }],
    ['is about another attempt', { state: 'pending', attemptNumber: 2 }],
  ] as const)('a settled attempt is left alone when its operation %s', (_why, operation) => {
    expect(next(settled, [anOperation(operation)])).toBe('unchanged');
  });

  it('an attempt is looked at when an operation of any kind that is being sent must have ended', () => {
    const sent = anOperation({ state: 'sending', kind: 'recurring', createdAt: NOW });
    expect(next(settled, [sent])).toBe(NOW + MINUTE_MS);
  });

  it('an attempt that has become settled meanwhile is not touched', () => {
    expect(next(open, [], {}, [settled])).toBe('unchanged');
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
    const old = NOW + 6 * HOUR_MS;
    expect(next(open, [], { ...silent, now: old, random: 0.5 })).toBe(old + 10 * MINUTE_MS);
    expect(next(open, [], { ...silent, now: old, random: 0 })).toBe(old + 8 * MINUTE_MS);
    expect(next(open, [], { ...silent, now: old, random: 1 })).toBe(old + 12 * MINUTE_MS);
    expect(next(open, [], { now: old })).toBe(old + 60 * MINUTE_MS);
    expect(next(open, [], { ...silent })).toBe(NOW + 2 * MINUTE_MS);
    const over = NOW + 2 * DAY_MS + 15 * MINUTE_MS;
    expect(next(open, [], { ...silent, now: over })).toBe(over + DAY_MS);
  });
});

// Who goes on hinting does not put off that a person is asked: the hints of two days wait together.
it.each([
  ['', '49:00'],
  ['hinted 48:00', '48:00'],
  ['hinted first 1:01, hinted 48:00', '1:01'],
  ['hinted first 1:00, hinted 48:00', '49:00'],
  ['hinted first 48:00, hinted 48:00, explained 48:01', '49:00'],
])('a hint of 49:00 after others (%s) waits since %s', (told, since) => {
  const at = timeAt('49:00');
  const change = takeHint(toldLink(told).record, () => true, at);
  expect(change?.attempts).toMatchObject([{ hintedAt: at, hintedFrom: timeAt(since) }]);
});

// An answer about a hint that ended links have taken; minutes until the next check.
it.each([
  ['silence, for two hours', { isSilent: true }, 2 * HOUR_MS - 1, 10],
  ['silence', { isSilent: true }, 2 * HOUR_MS, 60],
  ['silence, for a day', { isSilent: true }, DAY_MS, null],
  ['what leaves it open', { isSilent: false, isHintOpen: true }, MINUTE_MS, 10],
  ['what explains it', { isSilent: false }, MINUTE_MS, null],
])('a hint about an ended link is followed by %s', (_what, heard, hintAgeMs, minutes) => {
  const now = NOW + 20 * DAY_MS;
  const closed = anAttempt({ state: 'closed', hintedAt: now - hintAgeMs });
  const outcome = { ...usualWatch, ...heard, now, random: 0.5 };
  const then = nextCheckAt(aRecord({}, { attempts: [closed] }), closed, outcome);
  expect(then).toBe(minutes === null ? null : now + minutes * MINUTE_MS);
});

it('a refusal is asked about once more when it is for a person, two hours after the end or a hint', () => {
  const asksAt = (attempt: Attempt, now: number, isRefused = true) =>
    nextCheckAt(aRecord(), attempt, { ...usualWatch, isSilent: true, isRefused, now, random: 0 });
  const end = open.expiresAt + 15 * MINUTE_MS;
  expect(asksAt(open, end)).toBe(open.expiresAt + 2 * HOUR_MS);
  expect(asksAt({ ...open, hintedAt: end }, end + 2 * HOUR_MS - 1)).toBe(end + 2 * HOUR_MS);
  expect(asksAt(open, end, false)).toBe(end + DAY_MS);
});

// After its watch a link is asked about daily, where a person was asked about its answers or a try was undecided.
it.each([
  ['opened 60:00, asked 216:15', true],
  ['asked 216:15', false],
  ['opened 60:00, asked 216:14', false],
  ['opened 60:00, asked 2159:59', true],
  ['opened 60:00, asked 2160:00', false],
  ['opened 60:00, own money, asked 216:15', false],
  ['opened 60:00, order paid, asked 216:15', false],
  ['opened 60:00, next link 1:00, next link is current, asked 216:15', false],
  ['shown undecided 60:00, asked 216:15', true],
])('a link whose watch is over (%s) is asked about again: %s', (told, is) => {
  const { record, attempt, start } = toldLink(told);
  expect(dailyCheckAt(record, attempt, start)).toBe(is ? start + DAY_MS : null);
});

describe('after a status check of an attempt whose money came', () => {
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
