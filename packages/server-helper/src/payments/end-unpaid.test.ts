import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../test-support/durations.ts';
import { aReview, aRow } from '../../test-support/records.ts';
import { ageAt, timeAt, toldLink } from '../../test-support/told-link.ts';
import { type Answer, type AnswerKind, answerOf } from './answer.ts';
import { apply } from './document.ts';
import { decideUnpaid, isGivenUp, openHint } from './end-unpaid.ts';
import type { ReviewItem } from './record.ts';
import { decideStatus } from './transition.ts';

// What becomes of a link of which an answer shows no money. All times are the link's age in hours and minutes:
// its life is over at 48:00, no money can come any more at 48:15, and its watch ends a week later, at 216:15.

/** An answer of a kind about a link, with what is told of both. */
function answerTo(kind: AnswerKind, { has }: ReturnType<typeof toldLink>): Answer {
  const rows = [
    has('pending row') && aRow({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' }),
    has('declined row') && aRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }),
    has('paid row') && aRow(),
  ].filter((row) => row !== false);
  const isUnfollowed = has('unfollowed webhook');
  const hasSignOfMoney = isUnfollowed || has('sign of money');
  return answerOf(kind, { rows, isUnfollowed, hasSignOfMoney });
}

/** Long after every watch. */
const LONG_AFTER = timeAt('340:00');

/** Each time of the tables is a quarter of an hour. */
const nextQuarter = (now: number): number => now - (now % (15 * MINUTE_MS)) + 15 * MINUTE_MS;

/** From which age on such an answer asks a person, and lets the order expire, once all that is told has happened. */
function decisions(kind: AnswerKind, told: string) {
  const link = toldLink(told);
  const answer = answerTo(kind, link);
  const outcomeAt = (now: number) => {
    const change = decideUnpaid(link.record, link.attempt, answer, now);
    if (change?.reviews.length === 1) return 'person';
    return change?.events.some(({ type }) => type === 'expired') === true ? 'expired' : 'nothing';
  };
  const from = { person: 'never', expired: 'never', nothing: '' };
  for (let now = link.start; now <= LONG_AFTER; now = nextQuarter(now)) {
    const outcome = outcomeAt(now);
    if (from[outcome] !== 'never') continue;
    const isEarlier = now > link.start && outcomeAt(now - 1) === outcome;
    from[outcome] = isEarlier ? `before ${ageAt(now)}` : ageAt(now);
  }
  return [from.person, from.expired];
}

/** An answer, what is told, from when a person is asked, from when the order expires. */
type Row = readonly [kind: AnswerKind, told: string, person: string, expired: string];

it.each<Row>([
  // Nothing names the link.
  ['silent', '', '72:00', 'never'],
  ['refused', '', '50:00', 'never'],
  ['unknown', '', 'never', '216:15'],
  ['forgotten', '', '0:15', 'never'],
  ['gone', '', 'never', '48:15'],
  ['part', '', 'never', '216:15'],
  ['whole', '', 'never', '48:15'],
  ['transactions', '', 'never', '216:15'],
  ['some-transactions', '', 'never', '216:15'],
  // A leap of the clock has moved the end of the life.
  ['unknown', 'lives until 60:00', 'never', '228:15'],
  // A hint.
  ['refused', 'hinted 1:00', '3:00', 'never'],
  ['unknown', 'hinted 1:00', '1:15', 'never'],
  ['forgotten', 'hinted 1:00', '1:00', 'never'],
  ['gone', 'hinted 1:00', '1:15', 'never'],
  // Near the end of the life there is no time to wait.
  ['unknown', 'hinted 47:40', '47:45', 'never'],
  ['gone', 'hinted 47:40', '47:45', 'never'],
  ['refused', 'hinted 47:45', '49:45', 'never'],
  // What is explained waits no more.
  ['unknown', 'explained 1:00, hinted 1:00', 'never', '216:15'],
  ['unknown', 'explained 1:00, hinted 1:15', '1:30', 'never'],
  // Hints wait together from the first on, or since an explanation or the look of a person.
  ['refused', 'hinted first 1:00, hinted 2:30', '3:00', 'never'],
  ['refused', 'hinted first 1:00, explained 2:00, hinted 2:30', '4:00', 'never'],
  ['refused', 'hinted first 1:00, resolved 2:30, hinted 2:45', '4:30', 'never'],
  // Own money explains a hint; what needs a person itself, and another link's money, do not.
  ['unknown', 'hinted 1:00, own money', 'never', '216:15'],
  ['unknown', 'hinted 1:00, own discrepancy', '1:15', 'never'],
  ['unknown', 'hinted 1:00, order paid', '1:15', 'never'],
  ['refused', 'hinted 1:00, order paid', '3:00', 'never'],
  ['whole', 'order in review', 'never', 'never'],
  ['whole', 'next link 1:00, next link is current', 'never', 'never'],
  // A sign of money.
  ['part', 'sign of money', '216:15', 'never'],
  ['part', 'sign of money, hinted 1:00', '3:00', 'never'],
  ['gone', 'sign of money', '0:00', 'never'],
  // A webhook whose transaction cannot be asked about is for a person, unless a row may be its payment.
  ['transactions', 'unfollowed webhook, hinted 1:00', '1:15', 'never'],
  ['some-transactions', 'unfollowed webhook, declined row, hinted 1:00', '1:15', 'never'],
  ['transactions', 'unfollowed webhook, pending row, hinted 1:00', '3:00', 'never'],
  // A card that was charged, whatever the answer says of it.
  ['whole', 'charged', '2:00', 'never'],
  // The gateway has shown the link since the hint, and does not know it any more after its life (N3).
  ['unknown', 'hinted 40:00, shown 40:15, asked 48:00', '48:00', 'never'],
  ['unknown', 'hinted 40:00, shown 40:20, asked 48:00', 'never', '216:15'],
  ['unknown', 'hinted 40:00, shown 40:20, asked 47:00', '47:00', '216:15'],
  // How an undecided try ended is not known for longer.
  ['unknown', 'hinted 40:00, shown undecided 42:00, asked 48:00', '48:00', 'never'],
  ['unknown', 'hinted 40:00, shown undecided 42:05, asked 48:00', 'never', '216:15'],
  // It has shown the end of each try, so that a refusal leaves nothing open.
  ['refused', 'shown 48:15', 'never', 'never'],
  ['refused', 'shown 48:10', '50:00', 'never'],
  ['refused', 'shown undecided 48:15', '50:00', 'never'],
  ['silent', 'shown 48:15', '216:15', 'never'],
  ['silent', 'shown 48:10', '72:00', 'never'],
  // A link that time has ended, or whose order has expired by it.
  ['silent', 'closed', 'never', 'never'],
  ['silent', 'closed, hinted 300:00', '324:00', 'never'],
  ['unknown', 'closed, hinted 300:00', '300:00', 'never'],
  ['part', 'closed, order expired, sign of money, hinted 300:00', '302:00', 'never'],
  ['transactions', 'closed, unfollowed webhook, hinted 300:00', '300:00', 'never'],
  ['refused', 'order expired, hinted 100:00', '102:00', 'never'],
  ['part', 'order expired, sign of money', 'never', 'never'],
  // A person has decided.
  ['refused', 'resolved 50:00', 'never', '50:00'],
  ['unknown', 'hinted 1:00, resolved 2:00', 'never', '216:15'],
  // The end of the life is news to who decided before.
  ['refused', 'resolved 47:55', '50:00', 'never'],
  ['refused', 'resolved 48:00', 'never', '48:15'],
  ['forgotten', 'resolved 1:00', '48:00', 'never'],
  ['forgotten', 'resolved 48:00', 'never', '48:15'],
  // So is a hint. Evidence decides nothing for good.
  ['refused', 'resolved 50:00, hinted 60:00', '60:00', 'never'],
  ['refused', 'proven 50:00', '50:00', 'never'],
  // What a person has of another link stops the expiry until it is over.
  ['whole', 'another link with a person', 'never', 'never'],
  ['whole', 'another link decided', 'never', '48:15'],
  ['refused', 'another link with a person', '50:00', 'never'],
])('%s, %s: a person from %s, expired from %s', (kind, told, ...from) => {
  expect(decisions(kind, told)).toEqual(from);
});

describe('an order that expires', () => {
  it.each([
    ['order failed', '1001/expired/session-1'],
    ['next link 1:00', '1001/expired.2/session-1'],
  ])('says so once, and once more after each later attempt (%s)', (told, id) => {
    const { record, attempt } = toldLink(told);
    const change = decideUnpaid(record, attempt, answerOf('whole'), timeAt('48:15'));
    expect(change).toMatchObject({
      payment: { state: 'expired', version: 3 },
      attempts: [],
      events: [{ id, type: 'expired' }],
    });
  });

  it('is one whose process has stood still since it asked no sooner than at that time', () => {
    const { record, attempt } = toldLink('');
    const answer = answerOf('whole', { askedAt: timeAt('48:15') - 1 });
    expect(decideUnpaid(record, attempt, answer, timeAt('49:00'))).toBeNull();
  });

  it.each([
    ['hinted 48:10', null],
    ['hinted 48:16', timeAt('48:16')],
  ])('explains the hints up to its question, 48:15, and no later one (%s)', (told, open) => {
    const { record, attempt } = toldLink(told);
    const askedAt = timeAt('48:15');
    const change = decideUnpaid(record, attempt, answerOf('whole', { askedAt }), timeAt('48:20'));
    const [after = attempt] = change?.attempts ?? [];
    expect([after.explainedAt, openHint(record, after)]).toEqual([askedAt, open]);
  });
});

it.each<[kind: AnswerKind, told: string, isWithdrawn: boolean]>([
  ['unknown', 'shown declined 1:00', true],
  ['unknown', 'shown 1:00', false],
  ['refused', 'shown declined 1:00', false],
  // A page that takes no other card after a declined one.
  ['whole', 'one card a page, declined row', true],
  ['whole', 'one card a page, declined row, pending row', false],
  ['part', 'one card a page, declined row', false],
])('a link that is %s (%s) is not on offer any more: %s', (kind, told, isWithdrawn) => {
  const link = toldLink(told);
  const { record, attempt, start } = link;
  const afterFailure = link.has('one card a page') ? 'closed' : 'payable';
  const change = decideStatus(record, attempt, answerTo(kind, link), start, { afterFailure });
  const withdrawn = [{ state: 'open', redirectUrl: null }];
  expect(change?.attempts ?? []).toMatchObject(isWithdrawn ? withdrawn : []);
});

// Whether an answer ends the review of a link's silence: the order's state then, or `stays`.
it.each<[kind: AnswerKind, told: string, ends: string]>([
  ['silent', 'opened 73:00, asked 220:00', 'stays'],
  ['forgotten', 'opened 49:00, asked 220:00', 'stays'],
  ['part', 'opened 2:00, asked 3:00', 'pending'],
  ['part', 'opened 2:00, sign of money, asked 220:00', 'stays'],
  ['part', 'opened 2:00, sign of money, paid row, asked 3:00', 'paid'],
  ['transactions', 'opened 2:00, asked 220:00', 'stays'],
  ['transactions', 'opened 2:00, pending row, asked 3:00', 'pending'],
  ['whole', 'opened 2:00, asked 47:55', 'pending'],
  ['whole', 'opened 2:00, declined row, asked 3:00', 'failed'],
  ['whole', 'opened 2:00, paid row, asked 3:00', 'paid'],
  ['whole', 'charged, opened 2:00, pending row, asked 3:00', 'stays'],
  // Some gateways have no rows for a session after its life, or do not know it then (N3).
  ['whole', 'opened 2:00, asked 48:00', 'stays'],
  ['whole', 'opened 2:00, pending row, asked 48:00', 'pending'],
  ['whole', 'opened 49:00, asked 50:00', 'expired'],
  ['whole', 'hinted 48:30, opened 49:00, asked 220:00', 'stays'],
  ['unknown', 'opened 2:00, asked 220:00', 'stays'],
  ['unknown', 'opened 49:00, asked 50:00', 'pending'],
  ['unknown', 'opened 49:00, asked 220:00', 'expired'],
  ['gone', 'opened 49:00, asked 50:00', 'expired'],
])('an open review: %s, %s: %s', (kind, told, ends) => {
  const link = toldLink(told);
  const { record, attempt, start } = link;
  const change = decideStatus(record, attempt, answerTo(kind, link), start);
  if (change === null) return expect(ends).toBe('stays');
  expect(apply(record, change)).toMatchObject({
    payment: { state: ends },
    reviews: [{ reason: 'no_evidence', resolution: 'evidence' }],
  });
});

describe('a person has given a link up who has decided', () => {
  const decided = { resolvedAt: timeAt('3:00'), resolution: 'nothing on the dashboard' };
  const ofSilence = { reason: 'no_evidence', subject: '1001~1' } as const;
  const silence = aReview({ ...ofSilence, ...decided });
  const another = aReview({ ...ofSilence, subject: '1001~2' });
  const row = aReview({ reason: 'unreadable_answer', ...decided });
  const refused = answerOf('refused');
  const part = answerOf('part');

  it.each<[what: string, reviews: readonly ReviewItem[], of: Answer, is: boolean, told?: string]>([
    ['its silence', [silence], refused, true],
    ['its silence, and a hint came since', [silence], refused, false, 'hinted 3:05'],
    ['its silence, no earlier than a hint', [silence], refused, true, 'hinted 3:00'],
    ['nothing, since evidence did', [{ ...silence, resolution: 'evidence' }], refused, false],
    ['nothing yet', [aReview(ofSilence)], refused, false],
    ['its silence and not a row', [silence, aReview({ ...row, resolvedAt: null })], part, false],
    ['its silence, not another’s', [silence, another], part, true],
    ['a row', [row], part, true],
    ['a row, which says nothing of an outage', [row], answerOf('silent'), false],
    ['a row, beside a sign of money', [row], answerOf('part', { hasSignOfMoney: true }), false],
    ['a row from before the link', [{ ...row, createdAt: timeAt('0:00') - 1 }], part, false],
  ])('%s', (_what, reviews, answer, is, told = '') => {
    const { record, attempt } = toldLink(told);
    expect(isGivenUp({ ...record, reviews }, attempt, answer)).toBe(is);
  });
});
