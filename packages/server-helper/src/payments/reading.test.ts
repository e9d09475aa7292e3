import { expect, it } from 'vitest';
import { aRow } from '../../test-support/records.ts';
import { timeAt, toldLink } from '../../test-support/told-link.ts';
import { transactionId, type TransactionId } from '../ids.ts';
import { type Answer, answerOf, type EvidenceRow } from './answer.ts';
import { type HintedAnswer, type Reading, readAnswer } from './reading.ts';
import type { HintSource, TransactionHint } from './transaction-hint.ts';

// What the gateway's answer says of a link, by what is known of the link. All times are its age: see `told-link.ts`.

const t1 = transactionId('t-1');
const t2 = transactionId('t-2');
const paid = aRow();
const pending = aRow({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' });
const declined = aRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });

/** What the gateway says of a session. */
const says = {
  'a 404': answerOf('unknown'),
  'a refusal': answerOf('refused'),
  'no answer': answerOf('silent'),
  'no rows': answerOf('whole'),
  'a payment': answerOf('whole', { rows: [paid] }),
  'a pending try': answerOf('whole', { rows: [pending] }),
  'a declined try': answerOf('whole', { rows: [declined] }),
  'a declined and a pending try': answerOf('whole', { rows: [declined, pending] }),
  'a part': answerOf('part', { rows: [declined] }),
};

function readingOf({ start, has }: ReturnType<typeof toldLink>): Reading {
  return {
    now: start,
    boundElsewhere: new Map(),
    notFound: has('not-yet') ? 'not-yet' : 'unknown',
    afterEnd: has('ends gone') ? 'gone' : 'unknown',
    isForeign: has('a key that was not asked'),
    areHintsSigned: has('signed webhooks'),
  };
}

/** The kind of what the gateway says of a link, and what that leaves open. */
function kindOf(said: Answer, told: string, hinted?: HintedAnswer): string {
  const link = toldLink(told);
  const heard = { answer: said, hinted };
  const { answer } = readAnswer(link.record, link.attempt, heard, readingOf(link));
  const { kind, hasSignOfMoney, isUnfollowed } = answer;
  return [kind, hasSignOfMoney && 'sign', isUnfollowed && 'unfollowed'].filter(Boolean).join(', ');
}

it.each<[said: keyof typeof says, told: string, kind: string]>([
  ['a refusal', 'shown 0:30, asked 1:00', 'refused'],
  ['no rows', '', 'whole'],
  // A 404 is nothing yet, unless the session was shown during its life, and not by declines alone.
  ['a 404', '', 'unknown'],
  ['a 404', 'shown 0:30, asked 1:00', 'forgotten'],
  ['a 404', 'shown declined 0:30, asked 1:00', 'unknown'],
  ['a 404', 'shown 0:30, order paid, asked 1:00', 'unknown'],
  ['a 404', 'shown 0:30, order expired, asked 1:00', 'unknown'],
  ['a 404', 'shown 0:30, asked 47:44', 'forgotten'],
  ['a 404', 'shown 0:30, asked 47:45', 'unknown'],
  ['a 404', 'shown 0:30, hinted 1:00, asked 47:59', 'forgotten'],
  ['a 404', 'shown 0:30, hinted 1:00, asked 48:00', 'unknown'],
  ['a 404', 'shown 0:30, lives until 60:00, asked 50:00', 'unknown'],
  // The profile.
  ['a 404', 'not-yet', 'whole'],
  ['a 404', 'not-yet, opened 0:30, asked 1:00', 'unknown'],
  ['a 404', 'ends gone, asked 47:59', 'unknown'],
  ['a 404', 'ends gone, asked 48:00', 'gone'],
  ['a refusal', 'ends gone, asked 47:59', 'refused'],
  ['a refusal', 'ends gone, asked 48:00', 'gone'],
  ['no rows', 'ends gone, asked 50:00', 'whole'],
  // The key that made the link was not asked.
  ['a 404', 'a key that was not asked', 'forgotten'],
  ['a refusal', 'a key that was not asked', 'forgotten'],
  ['no rows', 'a key that was not asked', 'refused'],
  ['a 404', 'a key that was not asked, order paid', 'unknown'],
  // No rows explain what anyone may have sent, but not what came from the shopper or the gateway itself.
  ['no rows', 'hinted 0:30, asked 1:00', 'whole'],
  ['no rows', 'success return 0:30, asked 1:00', 'unknown'],
  ['no rows', 'success return 0:30, made 0:31, asked 1:00', 'whole'],
  ['no rows', 'signed webhooks, hinted 0:30, asked 1:00', 'unknown'],
  ['no rows', 'signed webhooks, hinted 0:30, explained 0:40, asked 1:00', 'whole'],
  // Near its end a webhook may report that.
  ['no rows', 'signed webhooks, hinted 47:44, asked 47:50', 'unknown'],
  ['no rows', 'signed webhooks, hinted 47:45, asked 47:50', 'whole'],
  // After it a session may lose its rows (N3).
  ['no rows', 'hinted 40:00, asked 47:59', 'whole'],
  ['no rows', 'hinted 40:00, asked 48:00', 'unknown'],
  ['no rows', 'hinted 40:00, shown 40:15, asked 48:00', 'unknown'],
  ['no rows', 'hinted 40:00, shown 40:16, asked 48:00', 'whole'],
  ['no rows', 'hinted 47:45, asked 48:00', 'whole'],
  // Beside a try that is pending, the status lags behind.
  ['a pending try', 'hinted 0:30, asked 1:00', 'whole'],
  ['a pending try', 'success return 0:30, hinted 0:30, asked 1:00', 'part, sign'],
  ['a pending try', 'signed webhooks, hinted 0:30, asked 1:00', 'part, sign'],
  ['a payment', 'success return 0:30, hinted 0:30, asked 1:00', 'whole'],
  // A new decline explains it; one that was known before may be another try's, for a quarter of an hour.
  ['a declined try', 'success return 0:30, hinted 0:30, asked 1:00', 'whole'],
  ['a declined try', 'order failed, success return 0:45, hinted 0:45, asked 1:00', 'part, sign'],
  ['a declined try', 'order failed, success return 0:44, hinted 0:44, asked 1:00', 'whole'],
  ['a declined try', 'order failed, signed webhooks, hinted 0:45, asked 1:00', 'part, sign'],
  ['a declined try', 'order failed, signed webhooks, hinted 0:44, asked 1:00', 'whole'],
  [
    'a declined and a pending try',
    'order failed, success return 0:30, hinted 0:30, asked 1:00',
    'part, sign',
  ],
  ['a part', '', 'part'],
  ['a part', 'hinted 0:30, asked 1:00', 'part, sign'],
])('a session of which the gateway says %s (%s) is %s', (said, told, kind) => {
  expect(kindOf(says[said], told)).toBe(kind);
});

const rows = {
  paid,
  pending,
  declined,
  'another amount': aRow({ amount: '1.00' }),
};
type RowName = keyof typeof rows;

/** A hint that named a transaction, such as `return 0:50`: from where, and when. */
function hintOf(text: string, id = t1): TransactionHint {
  const [source = '', age = ''] = text.split(' ');
  const isNew = { askedAt: null, answeredAt: null };
  return { transactionId: id, source: source as HintSource, hintedAt: timeAt(age), ...isNew };
}

/** What the gateway answered about hinted transactions: all about each. */
function aboutIds(found: HintedAnswer['rows'], more: Partial<HintedAnswer> = {}): HintedAnswer {
  const asked = found.map(({ hint }) => hint);
  const all = { needless: [], isComplete: true, wasAsked: true };
  return { rows: found, asked, answered: asked, ...all, ...more };
}

/** What one row about a hinted transaction is for the order's first link, at 1:00. */
function meaningOf(hinted: string, row: EvidenceRow, told: string): string {
  const link = toldLink(told);
  const isElsewhere = link.has('signed for another order');
  const bound = link.has('bound to another order') ? ([[t1, '2002']] as const) : [];
  const reading = { now: timeAt('1:00'), boundElsewhere: new Map(bound) };
  const found = aboutIds([{ row, hint: hintOf(hinted), isElsewhere }]);
  const heard = { answer: answerOf('transactions'), hinted: found };
  const read = readAnswer(link.record, link.attempt, heard, reading);
  return [
    ...read.answer.rows.map(() => 'counts'),
    ...read.answer.unattributed.map(() => 'unattributed'),
    ...read.forgotten.map(() => 'forgotten'),
    ...read.unsettled.map(() => 'unsettled'),
    ...read.due.map((name) => `due: ${name}`),
  ].join(', ');
}

// `unsettled`: the transaction may be money, or become it, and is asked about again.
it.each<[name: string, row: RowName, told: string, meaning: string]>([
  ['1001~1', 'paid', '', 'counts, unsettled'],
  ['2002~1', 'paid', '', 'forgotten'],
  ['1001~2', 'paid', 'next link 0:30', 'unsettled, due: 1001~2'],
  ['1001~2', 'paid', 'next link 0:30, next link asked 0:51', 'unsettled'],
  ['2002~1', 'paid', 'paid by it', 'counts, unsettled'],
  ['1001~1', 'paid', 'paid by it, next link took it', 'unsettled'],
])('a hinted transaction that names %s, is %s (%s): %s', (merchantOrderId, row, told, meaning) => {
  expect(meaningOf('unsigned 0:50', { ...rows[row], merchantOrderId }, told)).toBe(meaning);
});

it.each<[hint: string, row: RowName, told: string, meaning: string]>([
  // The order's own return address says whose it is, unless signed webhooks name other orders alone.
  ['return 0:50', 'paid', '', 'counts, unsettled'],
  ['return 0:50', 'paid', 'signed for another order', 'forgotten'],
  // It is of the newest link that there was then; a sale has a transaction of its own.
  ['return 0:40', 'paid', 'made 0:41', 'unsettled'],
  ['return 0:50', 'paid', 'next link 0:30', 'unsettled'],
  ['return 0:20', 'paid', 'next link 0:30', 'counts, unsettled'],
  ['return 0:50', 'paid', 'next link 0:30, next is a sale', 'counts, unsettled'],
  // A webhook alone attributes no money; for a quarter of an hour its shopper may still come.
  ['unsigned 0:46', 'paid', '', 'unsettled'],
  ['unsigned 0:45', 'paid', '', 'counts, unattributed, unsettled'],
  ['signed 0:45', 'paid', '', 'counts, unattributed, unsettled'],
  ['unsigned 0:45', 'another amount', '', ''],
  ['unsigned 0:45', 'declined', '', ''],
  ['signed 0:45', 'paid', 'bound to another order', 'counts, unsettled'],
  ['unsigned 0:45', 'paid', 'bound to another order', 'forgotten'],
])('a nameless transaction of a hint, %s, is %s (%s): %s', (hint, row, told, meaning) => {
  expect(meaningOf(hint, rows[row], told)).toBe(meaning);
});

it('a row of another id than the hinted one says nothing', () => {
  expect(meaningOf('return 0:50', aRow({ transactionId: t2 }), '')).toBe('unsettled');
});

const ofLink = (row: EvidenceRow, hinted: string) => ({
  row: { ...row, merchantOrderId: '1001~1' },
  hint: hintOf(hinted),
});
const decline = ofLink(declined, 'return 0:40');
const unknownId = hintOf('unsigned 0:50', t2);

/** What the gateway answers about the transactions of hints. */
const ids = {
  'no question': aboutIds([], { wasAsked: false }),
  'no row': aboutIds([]),
  'no room': aboutIds([], { isComplete: false }),
  'no answer': aboutIds([decline], { asked: [decline.hint, unknownId] }),
  'an unknown id': aboutIds([], { asked: [unknownId], answered: [unknownId] }),
  'a decline': aboutIds([decline]),
  'a decline of a webhook': aboutIds([ofLink(declined, 'unsigned 0:40')]),
  'a decline, and no room': aboutIds([decline], { isComplete: false }),
  'nameless money': aboutIds([{ row: paid, hint: hintOf('unsigned 0:50') }]),
  'a pending try': aboutIds([ofLink(pending, 'unsigned 0:40')]),
  'a signed pending try': aboutIds([ofLink(pending, 'signed 0:40')]),
};

it.each<[ids: keyof typeof ids, session: keyof typeof says | '', told: string, kind: string]>([
  // Where no transaction shows more, what the gateway says of the session holds.
  ['no question', '', '', 'some-transactions'],
  ['no question', 'no rows', '', 'whole'],
  ['no row', 'no rows', '', 'whole'],
  ['no row', 'a 404', '', 'transactions'],
  ['no row', 'a 404', 'shown 0:30', 'forgotten'],
  ['no row', 'no answer', '', 'silent'],
  ['no room', 'no answer', '', 'transactions, sign'],
  ['a decline', 'no answer', '', 'whole'],
  // With a row of the link and nothing open, it is all about the session.
  ['a decline', '', '', 'whole'],
  ['a decline, and no room', '', '', 'transactions, sign'],
  ['no answer', '', '', 'some-transactions, sign'],
  ['nameless money', '', '', 'transactions'],
  ['a pending try', '', '', 'whole'],
  // A signed webhook says more than a step of a try.
  ['a signed pending try', '', '', 'transactions, sign'],
  // A success return was about the decline that it brought.
  ['a decline', '', 'success return 0:40', 'whole'],
  ['a decline', '', 'success return 0:41', 'transactions, sign'],
  ['a decline of a webhook', '', 'success return 0:40', 'transactions, sign'],
  // A webhook without a transaction is about one that cannot be asked about.
  ['a decline', '', 'nameless webhook 0:50, hinted 0:50', 'transactions, sign, unfollowed'],
  ['a decline', '', 'nameless webhook 0:50, hinted 0:55, explained 0:50', 'whole'],
  ['a decline', '', 'nameless webhook 0:50', 'whole'],
  // Webhooks may have ids of another kind.
  ['an unknown id', '', 'hinted 0:50', 'transactions, sign'],
  ['an unknown id', '', '', 'transactions'],
])('transactions, %s, beside a session, %s (%s): %s', (about, session, told, kind) => {
  const isAll = about !== 'no answer';
  const beside = session === '' ? {} : { session: says[session] };
  const said = answerOf(isAll ? 'transactions' : 'some-transactions');
  expect(kindOf(said, `${told}, asked 1:00`, { ...ids[about], ...beside })).toBe(kind);
});

it.each<[ids: keyof typeof ids, told: string, kind: string]>([
  ['no question', 'hinted 0:50', 'whole'],
  ['no question', 'nameless webhook 0:50, hinted 0:50', 'part, sign, unfollowed'],
  ['no answer', '', 'part, sign'],
  ['an unknown id', 'hinted 0:50', 'whole'],
  ['nameless money', '', 'part'],
])('a session’s decline beside transactions, %s (%s): %s', (about, told, kind) => {
  const session = answerOf('whole', { rows: [{ ...declined, transactionId: t2 }] });
  expect(kindOf(session, `${told}, asked 1:00`, { ...ids[about], session })).toBe(kind);
});

it('a transaction’s own answer is newer than what the session shows of it', () => {
  const { record, attempt } = toldLink('');
  const found = ofLink(paid, 'return 0:50');
  const heard = { answer: says['a pending try'], hinted: aboutIds([found]) };
  const reading = { now: timeAt('1:00'), boundElsewhere: new Map<TransactionId, string>() };
  expect(readAnswer(record, attempt, heard, reading).answer.rows).toEqual([found.row]);
});

it('an answer about transactions that did not come is none', () => {
  expect(kindOf(answerOf('silent'), '', ids['a decline'])).toBe('silent');
});
