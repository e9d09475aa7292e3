import { expect, it } from 'vitest';
import { aLedgerRow, anAttempt, aRecord, NOW } from '../../test-support/records.ts';
import { merchantOrderId, transactionId } from '../ids.ts';
import { answerOf } from './answer.ts';
import type { Attempt } from './attempt.ts';
import {
  type CheckEnd,
  chooseAttempt,
  endCheck,
  endHints,
  type Question,
  takeHint,
} from './checks.ts';
import { changeOf } from './draft.ts';
import type { LedgerRow, PaymentRecord } from './record.ts';

/** A link that was checked so late, and is not due yet. */
const link = (number: number, checkedAt: number, changes: Partial<Attempt> = {}) =>
  anAttempt({ number, lastCheckAt: NOW + checkedAt, nextCheckAt: NOW + 60_000, ...changes });

const due = { nextCheckAt: NOW };
const hinted = { hintedAt: NOW + 9 };
const closed = { state: 'closed', nextCheckAt: null } as const;
const paid = { state: 'succeeded', nextCheckAt: null } as const;

// Anyone can send hints about one link while another is paid: no hint puts its link first.
it.each<[which: string, attempts: readonly Attempt[], question: Partial<Question>, is?: number]>([
  ['checked longest ago', [link(1, 2), link(2, 1)], {}, 2],
  ['newest of those', [link(1, 1), link(2, 1)], {}, 2],
  ['whose turn it is, beside a hinted one', [link(1, 2, hinted), link(2, 1)], {}, 2],
  ['that time has ended, too', [link(1, 1, closed), link(2, 2)], {}, 1],
  ['due', [link(1, 2, due), link(2, 1)], { isDue: true }, 1],
  // No schedule keeps a hinted link waiting either.
  [
    'whose turn it is, where a due one is hinted',
    [link(1, 3, due), link(2, 2, { ...due, ...hinted }), link(3, 1)],
    { isDue: true },
    3,
  ],
  ['wanted', [link(1, 2), link(2, 1)], { attemptNumber: 1 }, 1],
  [
    'whose turn it is, where the wanted one is hinted',
    [link(1, 2, hinted), link(2, 1)],
    { attemptNumber: 1 },
    2,
  ],
  ['that is watched: none', [link(1, 1, paid)], {}],
  ['whatever is watched', [link(1, 1, paid)], { everySession: true }, 1],
  ['that can be asked about: none', [link(1, 1, { sessionId: null })], { everySession: true }],
])('the link is asked about %s', (_which, attempts, question, is) => {
  const chosen = chooseAttempt(aRecord({}, { attempts }), { now: NOW, ...question });
  expect(chosen?.number).toBe(is);
});

const ahead = { hintedAt: NOW + 1_000_000 };
const later = { lastCheckAt: NOW + 1, nextCheckAt: NOW + 2 };

it.each<[is: string, stored: Partial<Attempt>, end: Partial<CheckEnd>, after: Partial<Attempt>]>([
  ['says when to ask next', {}, {}, { lastCheckAt: NOW, nextCheckAt: NOW + 9, state: 'open' }],
  ['follows a hint that came meanwhile', { hintedAt: NOW + 1 }, {}, { nextCheckAt: NOW + 5_000 }],
  ['has followed one of a clock ahead', ahead, { attempt: anAttempt(ahead) }, { hintedAt: NOW }],
  ['leaves what a later check has said', later, {}, later],
  ['closes a link that is not watched', {}, { nextCheckAt: null }, closed],
])('the end of a check that began at NOW %s', (_is, stored, end, after) => {
  const usual = { attempt: anAttempt(), takenAt: NOW, shown: undefined, dailyCheckAt: null };
  const record = aRecord({}, { attempts: [anAttempt(stored)] });
  const change = endCheck(record, null, { ...usual, nextCheckAt: NOW + 9, ...end }, NOW + 10);
  expect(change.attempts).toMatchObject([after]);
});

const overdue = { nextCheckAt: NOW - 120_000 };

it.each<[stored: Partial<Attempt>, nextCheckAt: number]>([
  [{ lastCheckAt: NOW - 1_000 }, NOW + 4_000],
  // Only the first hint puts an overdue check behind what became due meanwhile.
  [overdue, NOW],
  [{ ...overdue, hintedAt: NOW - 1 }, overdue.nextCheckAt],
])('a hint has a link checked as soon as the gap allows (%j)', (stored, nextCheckAt) => {
  const record = aRecord({}, { attempts: [anAttempt(stored)] });
  expect(takeHint(record, () => true, NOW)?.attempts).toMatchObject([{ nextCheckAt }]);
});

const nothing = { asked: [], answered: [], needless: [], rows: [], isComplete: true };
const heard = { ...nothing, wasAsked: false };
const read = { answer: answerOf('whole'), forgotten: [], unsettled: [], due: [] };
const noChange = (record: PaymentRecord) => changeOf(record.payment, [], {}, NOW);

it.each<[what: string, isKept: boolean, link: Partial<Attempt>, ageMs: number, money?: LedgerRow]>([
  ['of a link that is watched', true, {}, 60_001],
  ['whose money is bound', false, {}, 0, aLedgerRow()],
  ['of a link that is over', false, closed, 60_001],
  ['that came during its last check', true, closed, 60_000],
])('a hinted transaction %s is kept: %s', (_what, isKept, changes, ageMs, money) => {
  const isNew = { source: 'unsigned', askedAt: null, answeredAt: null } as const;
  const hint = { transactionId: transactionId('t-1'), hintedAt: NOW - ageMs, ...isNew };
  const ledger = money === undefined ? [] : [money];
  const record = aRecord({}, { attempts: [anAttempt(changes)], ledger, hints: [hint] });
  expect(endHints(record, noChange(record), heard, read, NOW).hints).toEqual(isKept ? [hint] : []);
});

it('the other link that a hinted transaction names is checked soon', () => {
  const record = aRecord({}, { attempts: [link(1, 1), link(2, 1)] });
  const named = { ...read, due: [merchantOrderId('1001~2')] };
  const { attempts } = endHints(record, noChange(record), heard, named, NOW);
  expect(attempts).toMatchObject([{ number: 2, nextCheckAt: NOW + 5_001 }]);
});
