import { type TransactionId, transactionKey } from '../ids.ts';
import {
  type Attempt,
  awaitsHint,
  isAfter,
  isAskable,
  isEndedByTime,
  SESSION_LIFETIME_MS,
} from './attempt.ts';
import { apply } from './document.ts';
import { changeOf } from './draft.ts';
import type { Attributed, HintedAnswer } from './reading.ts';
import { attemptOf, type Change, type PaymentRecord } from './record.ts';
import {
  changedHints,
  type HintChange,
  NAMELESS,
  SIGN_OF_MONEY,
  type TransactionHint,
} from './transaction-hint.ts';

/** The gap between status calls of one order, however many hints arrive. */
export const CHECK_GAP_MS = 5_000;

/** A due status check that is later than this has no waiting shopper any more, until a hint comes. */
export const AWAITED_MS = 120_000;

/** Why an attempt of an order is asked about. */
export interface Question {
  readonly now: number;
  /**
   * Whether the order is due: an attempt that is due then goes before the others, unless a hint awaits one
   * that is due: then all go by turns, so that no schedule keeps a hinted link waiting.
   */
  readonly isDue?: boolean;
  /** Whether attempts that are not watched any more are asked about too. */
  readonly everySession?: boolean;
  /** The attempt that is asked about, unless a hint awaits it: then it goes by turns. */
  readonly attemptNumber?: number | undefined;
}

/**
 * Chooses which of an order's attempts the gateway is asked about; `null` where there is none. The attempt
 * checked longest ago goes first, then the newest; a hint, which anyone can send, does not put its link first.
 */
export function chooseAttempt(
  { attempts }: PaymentRecord,
  { now, isDue = false, everySession = false, attemptNumber }: Question,
): Attempt | null {
  const watched = attempts.filter(
    (one) => isAskable(one) && (one.nextCheckAt !== null || everySession || isEndedByTime(one)),
  );
  const isScheduled = (one: Attempt): boolean =>
    isDue && one.nextCheckAt !== null && one.nextCheckAt <= now;
  const isHinted = watched.some((one) => isScheduled(one) && awaitsHint(one));
  const first = watched.filter(
    (one) =>
      (one.number === attemptNumber || (isScheduled(one) && !isHinted)) &&
      (everySession || !awaitsHint(one)),
  );
  return (first.length > 0 ? first : watched).toSorted(byTurn)[0] ?? null;
}

const byTurn = (left: Attempt, right: Attempt): number =>
  (left.lastCheckAt ?? 0) - (right.lastCheckAt ?? 0) || right.number - left.number;

/** The end of a status check of an attempt. */
export interface CheckEnd {
  readonly attempt: Attempt;
  /** When the order was taken for it. */
  readonly takenAt: number;
  /** What the gateway showed of its session, where it showed one. */
  readonly shown?: Attempt['shown'];
  /** When it was asked, where it knew the attempt. */
  readonly heardAt?: number | undefined;
  /** When to check next without a hint; `null` for never, `unchanged` for one that is not watched. */
  readonly nextCheckAt: number | null | 'unchanged';
  /** When to check next where its watch is over; `null` for never. */
  readonly dailyCheckAt: number | null;
}

/**
 * Adds the end of a status check to a change: when the attempt was checked, and when it is checked next. An
 * open link without a next time is closed. A hint that came during the check still counts, once the gap has
 * passed. When another check of it has ended since, its times stay: a call may have hung for hours.
 *
 * @param change - By the answer, of this record.
 */
export function endCheck(
  record: PaymentRecord,
  change: Change | null,
  end: CheckEnd,
  now: number,
): Change {
  const base = change ?? changeOf(record.payment, [], {}, now);
  const { number } = end.attempt;
  const stored = attemptOf(base, number) ?? attemptOf(record, number);
  const ended = stored && checked(stored, end, now);
  const others = base.attempts.filter((one) => one !== stored);
  return { ...base, attempts: ended ? [...others, ended] : base.attempts, endsCheck: true };
}

function checked(before: Attempt, end: CheckEnd, now: number): Attempt {
  const { takenAt, nextCheckAt } = end;
  // Of two questions that overlap the later one's time stays.
  const isLatest = end.heardAt !== undefined && !isAfter(before.heardAt ?? 0, end.heardAt);
  const heard = isLatest ? { ...before, heardAt: end.heardAt } : before;
  const stored = end.shown === undefined ? heard : { ...heard, shown: end.shown };
  const { lastCheckAt, state } = stored;
  if (lastCheckAt !== null && lastCheckAt > takenAt && lastCheckAt <= now) return stored;
  // A hint that was there before the question is followed, whatever the clock said that noted it.
  const isFollowed = stored.hintedAt !== null && stored.hintedAt === end.attempt.hintedAt;
  const followed = isFollowed ? { hintedAt: Math.min(stored.hintedAt, takenAt) } : {};
  const attempt = { ...stored, ...followed, lastCheckAt: takenAt };
  const isWatched = state === 'open' || state === 'succeeded' || stored.nextCheckAt !== null;
  if (nextCheckAt === 'unchanged' || !isWatched) return attempt;
  if (awaitsHint(attempt))
    return { ...attempt, nextCheckAt: Math.min(takenAt, now) + CHECK_GAP_MS };
  const isOver = nextCheckAt === null && state === 'open';
  const next = nextCheckAt ?? end.dailyCheckAt;
  return { ...attempt, nextCheckAt: next, state: isOver ? 'closed' : state };
}

/** A change that says when attempts are checked, and nothing of money. */
export function timesChange(
  { payment, attempts: before }: PaymentRecord,
  attempts: readonly Attempt[],
  now: number,
): Change | null {
  const changed = attempts.filter((one) => !before.includes(one));
  return changed.length === 0 ? null : changeOf(payment, changed, {}, now);
}

/**
 * Follows a hint about attempts of an order: each is checked as soon as {@link CHECK_GAP_MS} allows.
 *
 * @param isHinted - Which attempts.
 * @param sign - Is noted in place of an id.
 * @returns `null` when none of them takes hints.
 */
export function takeHint(
  record: PaymentRecord,
  isHinted: (attempt: Attempt) => boolean,
  now: number,
  follow = withHint,
  sign?: TransactionId,
): Change | null {
  const attempts = record.attempts.map((one) =>
    isHinted(one) && takesHints(record, one) ? follow(one, now) : one,
  );
  const hinted = timesChange(record, attempts, now);
  if (hinted === null || sign === undefined) return hinted;
  const noted = [{ transactionId: sign, source: 'return' as const }];
  return { ...hinted, hints: changedHints(record.hints ?? [], { noted }, now) };
}

/** Has attempts checked as soon as {@link CHECK_GAP_MS} allows, without a word about money. */
export const checkSoon: typeof takeHint = (record, isMeant, now) =>
  takeHint(record, isMeant, now, soon);

/**
 * Whether a hint about an attempt is followed: while it is watched, and for ever afterwards. Money may come after
 * an end by time, and a refund or a reversal made elsewhere shows at its session alone.
 */
function takesHints({ ledger }: PaymentRecord, attempt: Attempt): boolean {
  if (attempt.state === 'open') return attempt.nextCheckAt !== null;
  const isPaid = attempt.state === 'succeeded' && ledger.length > 0;
  return isEndedByTime(attempt) || (isPaid && isAskable(attempt));
}

/** For so long hints wait together: who goes on hinting does not put off that a person is asked. */
const WAIT_TOGETHER_MS = 48 * 3_600_000;

/** An attempt after a hint, which is followed as soon as the gap allows. */
function withHint(attempt: Attempt, now: number): Attempt {
  const { explainedAt, hintedFrom = attempt.hintedAt } = attempt;
  const isOpen = hintedFrom !== null && hintedFrom > (explainedAt ?? 0);
  const isTogether = isOpen && Math.abs(now - hintedFrom) < WAIT_TOGETHER_MS;
  const hintedAt = Math.max(attempt.hintedAt ?? 0, now);
  return { ...soon(attempt, now), hintedAt, hintedFrom: isTogether ? hintedFrom : now };
}

/**
 * An attempt that is checked as soon as the gap since its last status check allows. One that is overdue has
 * a waiting shopper again. Only its first hint puts it behind what became due meanwhile: hints delay none for ever.
 */
function soon(attempt: Attempt, now: number): Attempt {
  const { lastCheckAt } = attempt;
  const isLate = attempt.nextCheckAt !== null && attempt.nextCheckAt <= now - AWAITED_MS;
  const nextCheckAt = isLate && !awaitsHint(attempt) ? null : attempt.nextCheckAt;
  const isKnown = lastCheckAt !== null && lastCheckAt <= now + CHECK_GAP_MS;
  const soonest = isKnown ? Math.max(now, lastCheckAt + CHECK_GAP_MS) : now;
  return { ...attempt, nextCheckAt: Math.min(nextCheckAt ?? soonest, soonest) };
}

/** Notes transactions that a hint named for an order. @returns `null` where they are noted already. */
export function noteTransactions(
  record: PaymentRecord,
  noted: NonNullable<HintChange['noted']>,
  now: number,
): Change | null {
  const before = record.hints ?? [];
  const hints = changedHints(before, { noted }, now);
  const isSame = hints.length === before.length && hints.every((one) => before.includes(one));
  return isSame ? null : { ...changeOf(record.payment, [], {}, now), hints };
}

/** Notes that a shopper came back as if a link was paid, and has it checked soon. The sign counts from now on. */
export const noteSignOfMoney: typeof takeHint = (record, isHinted, now) =>
  takeHint(record, isHinted, now, withHint, SIGN_OF_MONEY);

/** Follows a hint of which no id is noted: a later process may ask about ids. */
export const noteNameless: typeof takeHint = (record, isHinted, now) =>
  takeHint(record, isHinted, now, withHint, NAMELESS);

/** A hint that is no older than this made its attempt due again, and outlives the end of the watch. */
const NEW_HINT_MS = 60_000;

/**
 * Adds to the end of a status check which hinted transactions the gateway was asked about. Forgotten are those of other
 * orders, those whose money is bound and, where no attempt is watched any more, all but new ones. Those that may become
 * money are asked about again, and an attempt that one of them names is checked soon.
 */
export function endHints(
  record: PaymentRecord,
  change: Change,
  { asked, answered, needless }: HintedAnswer,
  { forgotten, unsettled, due }: Attributed,
  now: number,
): Change {
  const after = apply(record, change);
  const before = record.hints ?? [];
  const isOver = after.attempts.every(({ nextCheckAt }) => nextCheckAt === null);
  const bound = new Set(after.ledger.map(({ transactionId }) => transactionKey(transactionId)));
  const ended = before.filter(
    ({ transactionId: id, hintedAt }) =>
      bound.has(transactionKey(id)) || (isOver && now - hintedAt > NEW_HINT_MS),
  );
  const heard = {
    asked: idsOf(asked),
    answered: idsOf(answered).filter((id) => !unsettled.includes(id)),
    forgotten: [...forgotten, ...needless, ...idsOf(ended)],
  };
  const hints = changedHints(before, heard, now);
  const isDue = ({ merchantOrderId }: Attempt): boolean => due.includes(merchantOrderId);
  const hinted = takeHint(after, isDue, now)?.attempts ?? [];
  const isHinted = ({ number }: Attempt): boolean => hinted.some((one) => one.number === number);
  return {
    ...change,
    attempts: [...change.attempts.filter((one) => !isHinted(one)), ...hinted],
    ...(record.hints === undefined && hints.length === 0 ? {} : { hints }),
  };
}

const idsOf = (hints: readonly TransactionHint[]) => hints.map((hint) => hint.transactionId);

/** The clocks of several machines may differ by this much. */
export const CLOCK_SKEW_MS = 60_000;

/** What is known of a clock that was wrong. */
export interface WrongClock {
  /** A time that is further in the future comes from a clock that ran ahead, in milliseconds. */
  readonly aheadMs: number;
  /** The earliest time before or after a leap of the clock; absent where none was noticed. */
  readonly leaptFrom?: number | undefined;
}

/**
 * Makes due now what a clock has put off or ended: a watched attempt whose last status check, hint or
 * beginning is too far in the future, an open link whose next check is planned too late, and a living link
 * that was ended in the future. A transaction that a hint named in the future was named now. A link that ends too
 * far in the future gets a whole life from now on. After a leap every watched attempt is due; so is each link that
 * lived by either of the clock's times then, also one that time had ended, and its life ends 48 hours later.
 *
 * @returns `null` where no clock has.
 */
export function rightTimes(record: PaymentRecord, now: number, wrong: WrongClock): Change | null {
  const isOfFuture = record.payment.updatedAt > now + wrong.aheadMs;
  const attempts = record.attempts.map((one) => rightAttempt(one, now, wrong, isOfFuture));
  const change = timesChange(record, attempts, now);
  const isAheadHint = (hint: TransactionHint): boolean => hint.hintedAt > now + wrong.aheadMs;
  if (record.hints?.some(isAheadHint) !== true) return change;
  const never = { hintedAt: now, askedAt: null, answeredAt: null };
  const hints = record.hints.map((hint) => (isAheadHint(hint) ? { ...hint, ...never } : hint));
  return { ...(change ?? changeOf(record.payment, [], {}, now)), hints };
}

function rightAttempt(
  attempt: Attempt,
  now: number,
  { aheadMs, leaptFrom }: WrongClock,
  isOfFuture: boolean,
): Attempt {
  const { state, createdAt, expiresAt, lastCheckAt, hintedAt, nextCheckAt } = attempt;
  const { sessionId, explainedAt, shown } = attempt;
  // A hint that nothing explained stays later than what explains the others.
  const rightly = (hintedAt ?? 0) > (explainedAt ?? 0) ? now - 1 : now;
  const aheadOf = now + aheadMs;
  const hasLeapt = leaptFrom !== undefined;
  const aliveAt = hasLeapt ? Math.min(now, leaptFrom) : now + SESSION_LIFETIME_MS + aheadMs;
  const isWaiting = nextCheckAt !== null && nextCheckAt > now;
  const isLink = isAskable(attempt) && (state === 'open' || state === 'closed');
  const isRearmed = isLink && expiresAt > aliveAt && (isWaiting || hasLeapt);
  const latest = Math.max(lastCheckAt ?? createdAt, hintedAt ?? 0);
  const isPutOff = isWaiting && (latest > aheadOf || hasLeapt || isPlannedAhead(attempt, now));
  // A living link that was checked in the future, or whose payment has changed then, was ended by a
  // clock that ran ahead. Its process may be gone, and no other one has noticed a leap.
  const isLiving = sessionId !== null && state === 'closed' && expiresAt > now;
  const wasOfFuture = isOfFuture || (lastCheckAt ?? 0) > aheadOf;
  const isEnded = isLiving && nextCheckAt === null && wasOfFuture;
  if (!isRearmed && !isPutOff && !isEnded) return attempt;
  return {
    ...attempt,
    expiresAt: isRearmed ? now + SESSION_LIFETIME_MS : expiresAt,
    lastCheckAt: (lastCheckAt ?? 0) > aheadOf ? null : lastCheckAt,
    hintedAt: (hintedAt ?? 0) > aheadOf ? now : hintedAt,
    explainedAt: (explainedAt ?? 0) > aheadOf ? rightly : explainedAt,
    shown: shown && shown.at > aheadOf ? { ...shown, at: createdAt } : shown,
    nextCheckAt: now,
  };
}

/** A link is checked before its age triples, or in minutes: a later plan is of a wrong clock. */
const LONGEST_FIRST_WAIT_MS = 6 * 60_000;

function isPlannedAhead({ state, expiresAt, nextCheckAt }: Attempt, now: number): boolean {
  const age = now - (expiresAt - SESSION_LIFETIME_MS);
  const latest = now + LONGEST_FIRST_WAIT_MS + 2 * Math.max(0, age);
  return state === 'open' && (nextCheckAt ?? 0) > latest;
}
