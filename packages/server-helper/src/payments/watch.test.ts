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

const open = anAttempt();
const closed = anAttempt({ state: 'closed' });
const settled = anAttempt({ state: 'succeeded', nextCheckAt: null });
const aheadAt = timeAt('288:00');
const moved = anAttempt({ expiresAt: aheadAt + (open.expiresAt - NOW) });
const hinted = anAttempt({ hintedAt: timeAt('47:42') });
const waits = [
  anOperation({ id: 'a', state: 'pending', createdAt: timeAt('-24:00') }),
  anOperation({ id: 'b', state: 'unknown', createdAt: NOW }),
];
const ahead = { sentAt: aheadAt, createdAt: timeAt('-24:00'), updatedAt: NOW };
const unknown = [anOperation({ state: 'unknown' })];
const over = [anOperation({ state: 'succeeded' })];
const unshown = [anOperation({ state: 'unknown', kind: 'recurring' })];
const another = [anOperation({ state: 'pending', attemptNumber: 2 })];
const sent = [anOperation({ state: 'sending', kind: 'recurring', createdAt: NOW })];

interface Checked {
  readonly operations?: readonly Operation[];
  /** The attempt as it is stored by then. */
  readonly stored?: Attempt;
  readonly isSilent?: boolean;
  readonly random?: number;
}

/** When a link has an age such as `48:15` or `48:15:01`. */
function secondAt(age: string): number {
  const [hours, minutes, seconds = 0] = age.split(':');
  return timeAt(`${hours}:${minutes}`) + Number(seconds) * 1_000;
}

it.each<[what: string, attempt: Attempt, at: string, next: string, checked?: Checked]>([
  ['a link', open, '6:00', '7:00'],
  ['a link that a leap moved during the check', open, '288:00', '288:00:15', { stored: moved }],
  ['a link that no leap moved', open, '288:00', 'never'],
  // Five minutes before the end of its life, and at that.
  ['a link', open, '47:45', '47:55'],
  ['a link', open, '47:55', '48:00'],
  ['a link with a refund', settled, '47:45', '48:00', { operations: [waits[1]!] }],
  // Once more where a hint came too late for its last check to explain it.
  ['a hinted link', hinted, '47:42', '47:55'],
  ['a hinted link', hinted, '47:55', '47:57:01'],
  ['a hinted link', hinted, '47:57:01', '48:00'],
  // A clock that ran ahead has closed it.
  ['a link that was closed too early', closed, '0:01', '0:02'],
  ['a link that was closed too early', closed, '48:00', 'never'],
  ['what waits for evidence, as new as that is,', settled, '0:01', '0:02', { operations: waits }],
  [
    'what a clock sent that ran ahead',
    settled,
    '0:01',
    '0:02',
    { operations: [anOperation({ state: 'unknown', ...ahead })] },
  ],
  ['what is over', settled, '0:01', 'unchanged', { operations: over }],
  ['what no status shows', settled, '0:01', 'unchanged', { operations: unshown }],
  ['what is another attempt’s', settled, '0:01', 'unchanged', { operations: another }],
  ['what is being sent', settled, '0:01', '0:01', { operations: sent }],
  ['what has become settled meanwhile', open, '0:01', 'unchanged', { stored: settled }],
  ['an old link', open, '720:00', 'never'],
  // Without an answer it is asked about daily for months; an operation that is over is not.
  ['an old link', open, '720:00', '744:00', { isSilent: true }],
  ['an old link', open, '2184:00', 'never', { isSilent: true }],
  ['an old operation', settled, '720:00', 'never', { operations: unknown }],
  ['an old operation', settled, '720:00', 'never', { operations: unknown, isSilent: true }],
  ['an operation of a closed link', closed, '0:01', '0:02', { operations: unknown }],
  ['an old one of a closed link', closed, '720:00', 'never', { operations: unknown }],
  // A gateway that is away is asked again within a quarter of an hour, while money may come.
  ['a young link', open, '0:01', '0:02', { isSilent: true }],
  ['a link', open, '6:00', '6:08', { isSilent: true, random: 0 }],
  ['a link', open, '6:00', '6:10', { isSilent: true, random: 0.5 }],
  ['a link', open, '6:00', '6:12', { isSilent: true, random: 1 }],
  ['a link after its end', open, '48:15', '72:15', { isSilent: true }],
])('%s (case %#) is checked next when it is time', (_what, attempt, at, wanted, checked = {}) => {
  const { operations = [], stored = attempt, isSilent = false, random = 0 } = checked;
  const record = aRecord({}, { attempts: [stored], operations });
  const next = nextCheckAt(record, attempt, { ...usualWatch, isSilent, now: secondAt(at), random });
  expect(next).toBe(wanted === 'unchanged' ? wanted : wanted === 'never' ? null : secondAt(wanted));
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
  const link = anAttempt({ state: 'closed', hintedAt: now - hintAgeMs });
  const outcome = { ...usualWatch, ...heard, now, random: 0.5 };
  const then = nextCheckAt(aRecord({}, { attempts: [link] }), link, outcome);
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
