import { type Attempt, isAhead, isEndedByTime, SESSION_LIFETIME_MS } from './attempt.ts';
import { ofAnswers } from './reviews.ts';
import { attemptOf, awaitsEvidence, begunAt, type PaymentRecord, sendingUntil } from './record.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** This long after a session's start it is checked once more before it expires. */
const FINAL_CHECK_AGE_MS = SESSION_LIFETIME_MS + 15 * MINUTE_MS;
const DAYS_WATCHED_AFTERWARDS = 7;
const JITTER = 0.2;

/** During this time a shopper is likely to be paying, so money must be known soon, hint or not. */
export const YOUNG_MS = 15 * MINUTE_MS;
/** A link is asked about so long before the end of its life, since afterwards a gateway may forget it. */
const LAST_CHECK_MS = 5 * MINUTE_MS;
/** A refusal to speak of a link that stays so long, after the link's end or a hint, is for a person. */
export const REFUSED_MS = 2 * HOUR_MS;
/** A hint about a link whose watch is over, and that no answer has followed for so long, is for a person. */
export const UNFOLLOWED_MS = DAY_MS;
const LONGEST_YOUNG_WAIT_MS = 5 * MINUTE_MS;

/** Ages, in milliseconds since the attempt was made, at which it is checked without a hint. */
const ages: readonly number[] = [
  15 * SECOND_MS,
  30 * SECOND_MS,
  ...[1, 2, 5, 10, 15, 20, 40].map((minutes) => minutes * MINUTE_MS),
  ...Array.from({ length: 48 }, (_, hour) => (hour + 1) * HOUR_MS),
  FINAL_CHECK_AGE_MS,
  ...Array.from(
    { length: DAYS_WATCHED_AFTERWARDS },
    (_, day) => FINAL_CHECK_AGE_MS + (day + 1) * DAY_MS,
  ),
];

/**
 * When to check again, without a hint, an attempt or a money operation that began at a time.
 *
 * @param since - When it began, in milliseconds since the epoch.
 * @param random - A number in [0, 1); it makes the wait longer by up to a fifth, so that many payments
 * made in one moment are not asked about in one moment. Never shorter: that would be a check more.
 * @returns Milliseconds since the epoch, or `null` when it is not watched any more.
 */
export function nextCheck(since: number, now: number, random: number): number | null {
  const age = now - since;
  const next = ages.find((candidate) => candidate > age);
  if (next === undefined) return null;
  const wait = (next - age) * (1 + JITTER * random);
  const longest = age < YOUNG_MS ? LONGEST_YOUNG_WAIT_MS : Infinity;
  return now + Math.min(longest, Math.max(SECOND_MS, Math.round(wait)));
}

/** From when the age of a link counts: its beginning, or a leap of the clock during its life. */
const agesFrom = ({ expiresAt }: Pick<Attempt, 'expiresAt'>): number =>
  expiresAt - SESSION_LIFETIME_MS;

/** Whether no money can come any more, whatever the clock did during the link's life. */
export const isLifeOver = (attempt: Pick<Attempt, 'expiresAt'>, now: number): boolean =>
  isPastFinalCheck({ createdAt: agesFrom(attempt) }, now);

/** Whether the session's life and the grace after it are over, so that no money can come any more. */
export function isPastFinalCheck({ createdAt }: Pick<Attempt, 'createdAt'>, now: number): boolean {
  return now - createdAt >= FINAL_CHECK_AGE_MS;
}

/** Whether the checks of a link's schedule are over. */
export const isPastWatch = (attempt: Attempt, now: number): boolean =>
  now - agesFrom(attempt) >= (ages.at(-1) ?? 0);

/** When to ask again about an old session whose last status check got no answer. */
const SILENCE_MS = DAY_MS;

/** A link about which the gateway has not answered at this age is not checked any more; a person has it. */
const LONGEST_SILENCE_MS = 90 * DAY_MS;

/**
 * How soon a silent gateway is asked again, give or take a fifth. Money that was paid during an
 * outage is then known soon after it, however old the attempt is.
 */
const OUTAGE_MS = 10 * 60_000;

/** How paid orders are watched, and how fast. */
export interface WatchSettings {
  /** Times after a payment at which its session is checked again, in milliseconds, ascending. */
  readonly afterPayment: readonly number[];
  /** Status checks that all processes begin in a second without a shopper who waits. */
  readonly checksPerSecond: number;
  /** How many of these are for links that no shopper waits for any more. */
  readonly oldChecksPerSecond: number;
}

/** The settings of a shop that says nothing else. */
export const usualWatch: WatchSettings = {
  afterPayment: [HOUR_MS, ...[1, 3, 7, 14].map((days) => days * DAY_MS)],
  checksPerSecond: 20,
  oldChecksPerSecond: 5,
};

/** How a status check of an attempt ended. */
export interface CheckOutcome {
  /** Whether the gateway gave no answer at all; an open attempt is then not over for months. */
  readonly isSilent: boolean;
  /** Whether it left open what a hint said. */
  readonly isHintOpen?: boolean;
  /** Whether it refused to speak of the attempt, which is for a person in time. @defaultValue `false` */
  readonly isRefused?: boolean;
  readonly now: number;
  /** A number in [0, 1), for jitter. */
  readonly random: number;
  /** Times after a payment at which its session is checked again. */
  readonly afterPayment: readonly number[];
}

/**
 * When an attempt is checked next: while it may still be paid, while a money operation on it waits
 * for evidence, and for some days after its money came.
 *
 * @param attempt - As it was when the status check began.
 * @returns milliseconds since the epoch, `null` for never, `unchanged` when it is not watched.
 */
export function nextCheckAt(
  record: PaymentRecord,
  attempt: Attempt,
  outcome: CheckOutcome,
): number | null | 'unchanged' {
  const wanted = [whileOpen(record, attempt, outcome), afterMoney(record, attempt, outcome)];
  // An operation whose process died is found then; no check in between may put that off.
  const times = [...wanted, ...sendingUntil(record)].filter((time) => time !== undefined);
  if (times.length === 0) {
    const wasWatched = attempt.state !== 'open' && attempt.nextCheckAt !== null;
    return wasWatched ? afterHint(attempt, outcome) : 'unchanged';
  }
  const next = Math.min(...times.map((time) => time ?? Infinity));
  return next === Infinity ? null : next;
}

/** For money that may still come, and for operations; `undefined` where there is neither. */
function whileOpen(
  record: PaymentRecord,
  attempt: Attempt,
  { isSilent, isRefused = false, now, random }: CheckOutcome,
): number | null | undefined {
  const { operations } = record;
  const state = attemptOf(record, attempt.number)?.state;
  const begun = operations
    .filter((operation) => operation.attemptNumber === attempt.number && awaitsEvidence(operation))
    .map(begunAt)
    // What a clock began that ran ahead is of the link's own age: else it is young until that day comes.
    .filter((at) => state !== 'open' || !isAhead(at, now));
  // A clock that ran ahead has closed a link whose life is not over.
  const isClosedEarly = isEndedByTime(attempt) && now < attempt.expiresAt;
  // A leap of the clock during the check has moved its life.
  const stored = attemptOf(record, attempt.number) ?? attempt;
  if (state === 'open' || isClosedEarly) begun.push(agesFrom(stored));
  if (begun.length === 0) return undefined;
  const next = nextCheck(Math.max(...begun), now, random);
  // Of what was paid or watched to its end, a person has the operation by then.
  if (next === null) {
    const isUnheard = isSilent && state === 'open' && now - attempt.createdAt < LONGEST_SILENCE_MS;
    return isUnheard ? now + SILENCE_MS : null;
  }
  const isAway = isSilent && !isLifeOver(attempt, now);
  const isLink = state === 'open' && attempt.sessionId !== null;
  const lastAt = attempt.expiresAt - LAST_CHECK_MS;
  // A status may lag behind a hint so long: only a later one explains it, and only while the link lives.
  const explainedAt = (stored.hintedAt ?? 0) + YOUNG_MS + SECOND_MS;
  const settledAt = Math.min(explainedAt, attempt.expiresAt - 30 * SECOND_MS);
  const isLate = settledAt > Math.max(now, lastAt);
  const personAt = [attempt.expiresAt, attempt.hintedAt ?? 0].map((at) => at + REFUSED_MS);
  return Math.min(
    next,
    isAway ? soonAfterSilence(now, random) : Infinity,
    isLink && now < lastAt ? lastAt : Infinity,
    isLink && isLate ? settledAt : Infinity,
    ...personAt.filter((at) => isRefused && at > now),
  );
}

/**
 * For what may happen to money that came: refunds made elsewhere, a second charge, a reversal. A
 * check that the gateway did not answer is made up for until a day after the last.
 */
function afterMoney(
  record: PaymentRecord,
  attempt: Attempt,
  { isSilent, now, random, afterPayment }: CheckOutcome,
): number | null | undefined {
  if (attemptOf(record, attempt.number)?.state !== 'succeeded') return undefined;
  const own = record.ledger.filter(({ attemptNumber }) => attemptNumber === attempt.number);
  if (own.length === 0) return undefined;
  const paidAt = Math.max(...own.map(({ recordedAt }) => recordedAt));
  const [first = Infinity] = afterPayment;
  const { hintedAt } = attemptOf(record, attempt.number) ?? attempt;
  const isNews = hintedAt !== null && hintedAt >= paidAt + first;
  const last = Math.max(paidAt + (afterPayment.at(-1) ?? -Infinity), isNews ? hintedAt : 0);
  // What the gateway signs of later may show in a status that lags behind.
  const settledAt = isNews ? hintedAt + YOUNG_MS + SECOND_MS : 0;
  const times = [...afterPayment.map((age) => paidAt + age), settledAt];
  const next = Math.min(...times.filter((at) => at > now));
  if (isSilent && now <= last + DAY_MS && now - paidAt >= first)
    return Math.min(soonAfterSilence(now, random), next);
  return next === Infinity ? null : next;
}

/** A hint about an ended link is followed until the gateway answers, or a person has the link after a day. */
function afterHint(
  { state, hintedAt }: Attempt,
  { isSilent, isHintOpen = isSilent, now, random }: CheckOutcome,
): number | null {
  const age = state === 'closed' && hintedAt !== null ? now - hintedAt : Infinity;
  if (!isHintOpen || age >= UNFOLLOWED_MS) return null;
  return age < REFUSED_MS ? soonAfterSilence(now, random) : now + HOUR_MS;
}

/**
 * When to ask again about a link whose watch is over, and whose answers a person was asked about, or whose try
 * was shown undecided last: daily, for months. Money that shows later needs no hint then, a clock that had leapt
 * ahead is put right, and an order about which the person has decided expires. `null` for never.
 */
export function dailyCheckAt(
  { payment: { state, currentAttempt }, ledger, reviews }: PaymentRecord,
  attempt: Attempt,
  now: number,
): number | null {
  const isWaiting =
    attempt.number === currentAttempt && (state === 'pending' || state === 'failed');
  const isHeld = isWaiting && reviews.some(({ reason }) => ofAnswers.has(reason));
  const isLate = isPastWatch(attempt, now) && now - agesFrom(attempt) < LONGEST_SILENCE_MS;
  const hasMoney = ledger.some((row) => row.attemptNumber === attempt.number);
  const isOpen = isHeld || attempt.shown?.undecided !== undefined;
  return isOpen && isLate && !hasMoney ? now + SILENCE_MS : null;
}

const soonAfterSilence = (now: number, random: number): number =>
  now + Math.round(OUTAGE_MS * (0.8 + 0.4 * random));
