import { transactionId } from '../src/ids.ts';
import type { Attempt } from '../src/payments/attempt.ts';
import type { PaymentRecord } from '../src/payments/record.ts';
import { NAMELESS, SIGN_OF_MONEY, type TransactionHint } from '../src/payments/transaction-hint.ts';
import { HOUR_MS, MINUTE_MS } from './durations.ts';
import { aLedgerRow, anAttempt, anOperation, aRecord, aReview, NOW } from './records.ts';

/**
 * What can be told of a link and its order, most of it with its time: when the gateway is `asked`, which hint came
 * `hinted first` of those that wait together, until when a link lives after a leap of the clock, what `shown` says
 * that the gateway showed of it last, when the review of its silence was `opened` and `resolved`, or `proven` by
 * evidence. A `charged` card is one that the gateway called SUCCESS.
 */
const facts: ReadonlySet<string> = new Set(
  [
    'asked, made, lives until, hinted, hinted first, explained, success return, nameless webhook',
    'unknown id',
    'shown, shown declined, shown undecided, closed, withdrawn, without a session, charged',
    'own money, own discrepancy, order paid, order expired, order failed, order in review',
    'opened, resolved, proven, another link with a person, another link decided',
    'next link, next link asked, next is a sale, next link is current, paid by it, next link took it',
    'bound to another order, signed for another order',
    'sign of money, unfollowed webhook, pending row, declined row, paid row',
    'signed webhooks, a key that was not asked, not-yet, ends gone, one card a page',
  ].flatMap((line) => line.split(', ')),
);

/** When a link has an age such as `48:15`. */
export function timeAt(age: string): number {
  const [hours = 0, minutes = 0] = age.split(':').map(Number);
  return NOW + hours * HOUR_MS + minutes * MINUTE_MS;
}

/** The age of a link at a time. */
export function ageAt(time: number): string {
  const minutes = (time - NOW) / MINUTE_MS;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}

/** A link by a text such as `hinted 1:00, shown declined 1:30`, and its order. */
export function toldLink(text: string) {
  const told = new Map<string, number>();
  for (const part of text.split(', ').filter(Boolean)) {
    const [, fact = '', age = '0:00'] = /^(.*?)(?: (\d+:\d\d))?$/.exec(part) ?? [];
    told.set(fact, timeAt(age));
  }
  const has = (fact: string): boolean => told.has(fact);
  const when = (fact: string): number | null => told.get(fact) ?? null;
  const strange = [...told.keys()].filter((fact) => !facts.has(fact));
  if (strange.length > 0) throw new Error(`No facts of a link: ${strange.join(', ')}`);
  const isClosed = has('closed');
  const shownAt = when('shown') ?? when('shown declined') ?? when('shown undecided');
  const attempt = anAttempt({
    state: isClosed ? 'closed' : 'open',
    nextCheckAt: isClosed ? null : NOW,
    createdAt: when('made') ?? NOW,
    expiresAt: when('lives until') ?? timeAt('48:00'),
    hintedAt: when('hinted'),
    hintedFrom: told.get('hinted first'),
    explainedAt: when('explained'),
    ...(has('withdrawn') && { redirectUrl: null }),
    ...(has('without a session') && { sessionId: null, transactionId: transactionId('t-sale') }),
    ...(shownAt !== null && {
      shown: {
        at: shownAt,
        isDeclined: has('shown declined'),
        undecided: has('shown undecided') ? { ids: [], since: shownAt } : undefined,
      },
    }),
  });
  const record: PaymentRecord = aRecord(
    { state: stateBy(has), currentAttempt: has('next link is current') ? 2 : 1 },
    {
      attempts: [attempt, ...nextBy(when)],
      ...booksBy(has),
      reviews: reviewsBy(when),
      hints: signsBy(when),
    },
  );
  /** All that was told has happened by then. */
  const start = Math.max(
    NOW,
    ...[...told].map(([fact, at]) => (fact === 'lives until' ? NOW : at)),
  );
  return { record, attempt, start, has, when };
}

function stateBy(has: (fact: string) => boolean) {
  if (has('order paid')) return 'paid';
  if (has('order expired')) return 'expired';
  if (has('order in review')) return 'review';
  return has('order failed') ? 'failed' : 'pending';
}

function nextBy(when: (fact: string) => number | null): readonly Attempt[] {
  const createdAt = when('next link');
  if (createdAt === null) return [];
  const lastCheckAt = when('next link asked');
  const next = anAttempt({ number: 2, createdAt, lastCheckAt });
  return [when('next is a sale') === null ? next : { ...next, sessionId: null }];
}

function booksBy(has: (fact: string) => boolean) {
  const own = transactionId('t-own');
  const attemptNumber = has('next link took it') ? 2 : 1;
  const ledger = [
    has('paid by it') && aLedgerRow({ attemptNumber }),
    has('order paid') && aLedgerRow({ transactionId: transactionId('t-2'), attemptNumber: 2 }),
    has('own money') && aLedgerRow({ transactionId: own, kind: 'duplicate' }),
    has('own discrepancy') && aLedgerRow({ transactionId: own, kind: 'discrepancy' }),
  ].filter((row) => row !== false);
  const sale = anOperation({ kind: 'sale', state: 'pending', reason: 'accepted' });
  return { ledger, operations: has('charged') ? [sale] : [] };
}

function reviewsBy(when: (fact: string) => number | null) {
  const silence = { reason: 'no_evidence', subject: '1001~1' } as const;
  const [opened, resolvedAt, provenAt] = [when('opened'), when('resolved'), when('proven')];
  const byPerson = { resolvedAt, resolution: 'nothing on the dashboard' };
  const byEvidence = { resolvedAt: provenAt, resolution: 'evidence' };
  return [
    opened !== null && aReview({ ...silence, createdAt: opened }),
    resolvedAt !== null && aReview({ ...silence, ...byPerson }),
    provenAt !== null && aReview({ ...silence, ...byEvidence }),
    when('another link with a person') !== null && aReview({ ...silence, subject: '1001~2' }),
    when('another link decided') !== null &&
      aReview({ ...silence, subject: '1001~2', resolvedAt: NOW, resolution: 'nothing' }),
  ].filter((item) => item !== false);
}

function signsBy(when: (fact: string) => number | null): readonly TransactionHint[] {
  const notAsked = { askedAt: null, answeredAt: null };
  const signs = [
    { transactionId: SIGN_OF_MONEY, source: 'return', hintedAt: when('success return') },
    { transactionId: NAMELESS, source: 'unsigned', hintedAt: when('nameless webhook') },
    { transactionId: transactionId('t-9'), source: 'unsigned', hintedAt: when('unknown id') },
  ] as const;
  return signs.flatMap(({ hintedAt, ...sign }) =>
    hintedAt === null ? [] : [{ ...sign, hintedAt, ...notAsked }],
  );
}
