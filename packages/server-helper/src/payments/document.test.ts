import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  aPayment,
  aRecord,
  aReview,
  NOW,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import {
  advance,
  apply,
  changeEntry,
  checkChange,
  columnsOf,
  entryOf,
  movementsOf,
  newNames,
  recordOf,
  replay,
  textOf,
} from './document.ts';
import { aboutTransaction, changeOf, Draft } from './draft.ts';
import {
  type Change,
  type LedgerRow,
  type Payment,
  type PaymentRecord,
  type ReviewItem,
  everyPaymentState,
} from './record.ts';
import { isPaid, isPayable, type PaymentState } from '../index.ts';
import type { Attempt } from './attempt.ts';
import { linkRefusalOf } from './link-decision.ts';
import { readFileSync } from 'node:fs';
import { allows, type AnswerKind } from './answer.ts';

/** A change of the test's order, with what a test is about. */
const aChange = (rest: Partial<Change> = {}): Change => ({
  ...changeOf(aPayment(), [], {}, NOW + 1),
  ...rest,
});

describe('the text of a document', () => {
  it('keeps what a later release wrote, at every level, through a change by this one', () => {
    const tomorrow = { more: [1, null, { deep: true }] };
    const with2 = <T extends object>(one: T): T => ({ ...one, tomorrow });
    const { payment, attempts, ledger } = aPaidRecord();
    const written = {
      ...with2(aPaidRecord()),
      format: 2,
      payment: { ...with2(payment), amount: with2(payment.amount) },
      attempts: [...attempts, anAttempt({ number: 2 })].map(with2),
      ledger: ledger.map(with2),
      reviews: [aReview({ reason: 'unknown_outcome', subject: 'request/r-1' })].map(with2),
      operations: [anOperation({ state: 'unknown' })].map(with2),
    };
    const record = recordOf(JSON.stringify(written));
    const draft = new Draft(record, NOW + 1);
    draft.enter({ cancelled: true });
    draft.putAttempt(2, { state: 'closed', nextCheckAt: null });
    for (const row of record.ledger) draft.putRow({ ...row, refundedMinorUnits: 500 });
    for (const operation of record.operations) draft.putOperation(operation, 'succeeded');
    const change = draft.finish() ?? expect.fail('it changes');
    const rewritten: unknown = JSON.parse(textOf(apply(record, change)));
    const resolved = { resolvedAt: NOW + 1, resolution: 'evidence' };
    const [first, second] = written.attempts;
    expect(rewritten).toEqual({
      ...written,
      payment: { ...written.payment, cancelled: true, version: 4, updatedAt: NOW + 1 },
      attempts: [first, { ...second, state: 'closed', nextCheckAt: null }],
      ledger: written.ledger.map((one) => ({ ...one, refundedMinorUnits: 500 })),
      reviews: written.reviews.map((one) => ({ ...one, ...resolved })),
      operations: [{ ...written.operations[0], state: 'succeeded', updatedAt: NOW + 1 }],
    });
  });
});

describe('a change of a document', () => {
  it('replaces what it names in its place, and appends what is new', () => {
    const attempts = [anAttempt(), anAttempt({ number: 2 })];
    const operations = [anOperation({ id: 'a' }), anOperation({ id: 'b' })];
    const ledger = [aLedgerRow({ transactionId: transactionId('T-1') })];
    const before = aRecord({}, { attempts, ledger, operations, reviews: [aReview()], hints: [] });
    const closed = anAttempt({ state: 'closed' });
    const change = aChange({
      attempts: [anAttempt({ number: 3 }), closed],
      ledger: [aLedgerRow({ refundedMinorUnits: 1 })],
      operations: [anOperation({ id: 'a', state: 'failed' })],
      reviews: [aReview({ reason: 'paid_late' }), aReview({ resolution: 'looked' })],
    });
    expect(apply(before, change)).toEqual({
      payment: change.payment,
      attempts: [closed, anAttempt({ number: 2 }), anAttempt({ number: 3 })],
      ledger: change.ledger,
      operations: [anOperation({ id: 'a', state: 'failed' }), anOperation({ id: 'b' })],
      reviews: change.reviews.toReversed(),
      hints: [],
    });
  });

  it('has no hints until a change says some', () => {
    expect(apply(null, aChange())).not.toHaveProperty('hints');
    expect(apply(aRecord(), aChange({ hints: [] }))).toHaveProperty('hints', []);
  });
});

it('an order has a name for each session, transaction, operation and reference, once', () => {
  const owing = (id: string) =>
    aRecord({}, { ledger: [aLedgerRow({ transactionId: transactionId(id) })] });
  const sale = anAttempt({ number: 3, sessionId: null });
  const attempts = [anAttempt(), anAttempt({ number: 2 }), sale];
  const operations = ['Ref', 'rEF', '', null].map((reference, index) =>
    anOperation({ id: `Refund-${index}`, reference }),
  );
  const after = { ...owing('T-1'), attempts, operations };
  const names = [
    { kind: 'session', name: 'session-2' },
    { kind: 'transaction', name: 't-1' },
    ...operations.map(({ id }) => ({ kind: 'operation', name: id })),
    { kind: 'reference', name: 'ref' },
  ];
  expect(newNames(aRecord(), after)).toEqual(names);
  expect(newNames(null, after)).toEqual([{ kind: 'session', name: 'session-1' }, ...names]);
  expect(newNames(after, after)).toEqual([]);
  expect(newNames(owing('T-2'), owing('t-2'))).toEqual([]);
});

it('a document says when it is due, and what its newest watched attempt was and did', () => {
  const columnsWith = (attempts: readonly Attempt[]) => columnsOf(aRecord({}, { attempts }));
  const attempts = [
    anAttempt({ number: 1, createdAt: NOW + 3, nextCheckAt: NOW + 30, hintedAt: NOW + 9 }),
    anAttempt({ number: 2, createdAt: NOW + 5, nextCheckAt: NOW + 40, lastCheckAt: NOW + 8 }),
    anAttempt({ number: 3, createdAt: NOW + 7, nextCheckAt: null, hintedAt: NOW }),
  ];
  const columns = { dueAt: NOW + 30, madeAt: NOW + 5, grownAt: NOW + 10, isHinted: true };
  expect(columnsWith(attempts)).toMatchObject(columns);
  const followed = attempts.map((one) => ({ ...one, lastCheckAt: NOW + 9 }));
  expect(columnsWith(followed).isHinted).toBe(false);
  expect(columnsWith([anAttempt({ createdAt: NOW + 5 })]).grownAt).toBe(NOW + 5);
  const unwatched = { dueAt: null, madeAt: null, grownAt: null, isHinted: false };
  expect(columnsWith([anAttempt({ nextCheckAt: null, hintedAt: NOW })])).toMatchObject(unwatched);
});

describe('a change that contradicts itself is refused:', () => {
  const refuse = (rest: Partial<Change>, before = aRecord()): void => {
    const change = aChange(rest);
    expect(() => checkChange(change, apply(before, change))).toThrow('contradicts itself');
  };
  const other = { orderId: '1002' };
  const second = aLedgerRow({ transactionId: transactionId('T-2'), kind: 'duplicate' });
  const again = { ...second, transactionId: transactionId('t-2') };
  const draft = new Draft(aRecord(), NOW);
  draft.emit('paid', aboutTransaction(transactionId('t-1')));
  const events = draft.finish()?.events ?? [];

  it.each<[string, Partial<Change>]>([
    ['one attempt twice', { attempts: [anAttempt(), anAttempt({ state: 'closed' })] }],
    ['one transaction twice', { ledger: [second, again] }],
    ['one operation twice', { operations: [anOperation(), anOperation({ state: 'failed' })] }],
    ['one review twice', { reviews: [aReview(), aReview({ resolvedAt: NOW })] }],
    ['one event twice', { events: [...events, ...events] }],
    ['an attempt of another order', { attempts: [anAttempt(other)] }],
    ['an operation of another order', { operations: [anOperation(other)] }],
    ['money of another order', { ledger: [aLedgerRow(other)] }],
    ['a review of another order', { reviews: [aReview(other)] }],
    ['an event of another order', { events: events.map((one) => ({ ...one, ...other })) }],
    ['another attempt’s name', { attempts: [{ ...anAttempt(), number: 2 }] }],
    ['a character U+0000', { reviews: [aReview({ resolution: 'before\u0000after' })] }],
    ['and one behind a backslash', { reviews: [aReview({ resolution: '\\\u0000' })] }],
  ])('%s', (_, rest) => refuse(rest));

  it('a second payment of the order, in whatever kind', () => {
    for (const kind of ['payment', 'late'] as const) {
      refuse({ ledger: [{ ...second, kind }] }, aPaidRecord());
    }
  });

  it('and no other', () => {
    const found = aRecord({}, { ledger: [aLedgerRow({ kind: 'discrepancy' })] });
    const reviews = [aReview({ resolution: String.raw`\u0000` }), aReview({ reason: 'paid_late' })];
    const attempts = [anAttempt({ number: 2 })];
    const accepted = aChange({ attempts, ledger: [aLedgerRow(), second], reviews, events });
    expect(() => checkChange(accepted, apply(found, accepted))).not.toThrow();
  });
});

const own = transactionId('t-1');
const isNew = { askedAt: null, answeredAt: null };
const aHint = { transactionId: own, source: 'signed', hintedAt: NOW, ...isNew } as const;

describe('the log of an order, replayed,', () => {
  const of = { eventId: '1001/paid/t-1', by: 'Noura' };
  const again = { kind: 'redelivered', at: NOW + 9, ...of } as const;

  it('is nothing while nothing was committed', () => {
    expect(replay([])).toBeNull();
    expect(advance(null, again)).toBeNull();
  });

  it('is the document after each of its changes, without the times of checks', () => {
    const times = { lastCheckAt: NOW, hintedAt: NOW, expiresAt: NOW + 1 };
    const first = aChange({ attempts: [anAttempt(times)], ledger: [aLedgerRow()] });
    const begun = { ...apply(null, first), attempts: [anAttempt({ nextCheckAt: null })] };
    expect(replay([changeEntry(first), again])).toEqual(begun);
    const second = aChange({ operations: [anOperation()], reviews: [aReview()] });
    const entries = [first, second].map(changeEntry);
    expect(replay(entries)).toEqual(apply(begun, second));
  });
});

describe('the log’s entry of a change', () => {
  const before = aRecord({}, { attempts: [anAttempt(), anAttempt({ number: 2 })] });
  const times = { lastCheckAt: NOW, hintedAt: NOW, nextCheckAt: null, expiresAt: NOW };
  const watched = before.attempts.map((one) => ({ ...one, ...times }));
  const closed = anAttempt({ number: 2, state: 'closed', ...times });

  it('is none where only times of checks and hints change', () => {
    const hints = [aHint];
    expect(entryOf(before, aChange({ attempts: watched, hints, endsCheck: true }))).toBeNull();
  });

  it('says when it was, and has all else that is for the log', () => {
    const because = { attemptNumber: 1, rows: [] };
    const news = aChange({ cancelledBy: 'Noura', because });
    const noted = { ...news, hints: [aHint], endsCheck: true };
    expect(entryOf(before, noted)).toEqual({ kind: 'change', at: NOW + 1, change: news });
  });

  it('has the attempts that changed beyond their times, and those that are new', () => {
    const added = anAttempt({ number: 3 });
    const entry = entryOf(before, aChange({ attempts: [...watched.slice(0, 1), closed, added] }));
    expect(entry).toMatchObject({ change: { attempts: [closed, added] } });
    const first = entryOf(null, aChange({ attempts: watched }));
    expect(first).toMatchObject({ change: { attempts: watched } });
  });

  it.each<[string, Partial<Change>]>([
    ['a link that is closed', { attempts: [closed] }],
    ['another state', { payment: aPayment({ state: 'failed' }) }],
    ['money', { ledger: [aLedgerRow()] }],
    ['a review', { reviews: [aReview()] }],
    ['an operation', { operations: [anOperation()] }],
    ['the person who cancelled', { cancelledBy: 'Noura' }],
  ])('is made of %s alone', (_, rest) => {
    expect(entryOf(before, aChange(rest))).not.toBeNull();
  });
});

const paid = { state: 'paid', transactionId: own, capturedMinorUnits: 11_500 } as const;

/** What a change of a payment moves, with some rows of its ledger. */
function moved(
  before: PaymentRecord | null,
  payment: Partial<Payment> = {},
  ...ledger: LedgerRow[]
) {
  const changed = { ...(before?.payment ?? aPayment()), ...payment };
  return movementsOf(before, apply(before, aChange({ payment: changed, ledger })));
}

describe('a change that moves money', () => {
  it.each([
    [7, 7],
    [65_432, 66_000],
    [-5_000, 0],
  ])('takes what pays the order; %i ms from the attempt to that are %i', (took, confirmMs) => {
    const before = aRecord({}, { attempts: [anAttempt({ createdAt: NOW - took })] });
    const taken = { orderId: '1001', kind: 'taken', minorUnits: 11_500, currency: 'SAR' };
    expect(moved(before, { ...paid, updatedAt: NOW + 9 }, aLedgerRow())).toEqual([
      { ...taken, recordedAt: NOW + 9, confirmMs },
    ]);
  });

  it('refunds by as much as the total of the transaction grows, in whatever case its id comes', () => {
    const before = aPaidRecord({ refundedMinorUnits: 1_500 });
    for (const id of [own, transactionId('T-1')]) {
      const row = aLedgerRow({ transactionId: id, refundedMinorUnits: 2_000 });
      const grown = [{ kind: 'refunded', minorUnits: 500 }];
      expect(moved(before, { transactionId: id }, row)).toMatchObject(grown);
    }
  });

  it('takes money that came twice, late or in question, by its own amount and without a time', () => {
    const other = { transactionId: transactionId('t-2'), kind: 'duplicate' } as const;
    const row = aLedgerRow({ ...other, refundedMinorUnits: 3 });
    expect(moved(aPaidRecord(), {}, row)).toMatchObject([
      { kind: 'taken', minorUnits: 11_500, confirmMs: null },
      { kind: 'refunded', minorUnits: 3 },
    ]);
  });
});

const draftOf = (...reviews: readonly ReviewItem[]) => new Draft(aRecord({}, { reviews }), NOW + 1);

it('a review that is asked for again keeps its age, and is resolved once', () => {
  const ended = aReview({ createdAt: NOW - 1, resolvedAt: NOW, resolution: 'evidence' });
  const draft = draftOf(ended);
  draft.resolveReview('amount_mismatch', 't-1', 'seen');
  expect(draft.finish()).toBeNull();
  expect(draft.askForReview('t-1', 'amount_mismatch')).toBe(true);
  expect(draft.finish()?.reviews).toEqual([aReview({ createdAt: NOW - 1 })]);
});

const shipped: ReadonlySet<PaymentState> = new Set(['paid', 'captured', 'partially_refunded']);
const asked: ReadonlySet<PaymentState> = new Set(['unpaid', 'pending', 'failed', 'expired']);
const ofTomorrow = 'disputed' as 'paid';

it.each([...everyPaymentState, ofTomorrow])(
  'an order that is %s is paid only where it may be shipped, and payable where it gets a link',
  (state) => {
    expect([isPaid(state), isPayable(state)]).toEqual([shipped.has(state), asked.has(state)]);
    const refusal = linkRefusalOf({ payment: aPayment({ state }), reviews: [], operations: [] });
    expect(refusal === null).toBe(asked.has(state));
  },
);

it('an order without a payment is payable and not paid', () => {
  expect([isPaid(undefined), isPayable(undefined)]).toEqual([false, true]);
});

it.each([{ state: 'paid' }, Promise.resolve({ state: 'paid' }), null])(
  'is neither paid nor payable, but a mistake, where it is given in place of its state: %j',
  (given) => {
    for (const is of [isPaid, isPayable] as ((state: unknown) => boolean)[])
      expect(() => is(given)).toThrow(/retrieve\(orderId\)/);
  },
);

const text = readFileSync(
  new URL('../../../../docs/how-confirmation-works.md', import.meta.url),
  'utf8',
);

/** The cells of a kind's row in the document's table, but for what the gateway answered. */
const cellsOf = (kind: string): readonly string[] =>
  (text.split('\n').find((line) => line.startsWith(`| \`${kind}\` `)) ?? '')
    .split(/ *\| */u)
    .slice(3, -1);

it.each(Object.keys(allows) as AnswerKind[])(
  'what each kind of answer allows, %s: the document says what the code does',
  (kind) => {
    const { isFull, heard, nextLink, expiry, person } = allows[kind];
    expect(cellsOf(kind)).toEqual([isFull ? 'yes' : 'no', heard, nextLink, expiry, person]);
  },
);
