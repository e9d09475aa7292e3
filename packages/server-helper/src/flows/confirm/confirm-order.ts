import { PaymentsError } from '../../errors.ts';
import {
  type Allowance,
  allows,
  isDeclined,
  isKnown,
  showsNothing,
} from '../../payments/answer.ts';
import { type Attempt, isAskable, isEndedByTime, isHinted } from '../../payments/attempt.ts';
import { CHECK_GAP_MS, checkSoon, takeHint } from '../../payments/checks.ts';
import {
  type AnswerOfLink,
  isGivenUp,
  openHint,
  openSilenceReview,
  tookOwnMoney,
  wasHeard,
} from '../../payments/end-unpaid.ts';
import { attemptOf, hasMoney, isCharged, type PaymentRecord } from '../../payments/record.ts';
import { YOUNG_MS } from '../../payments/watch.ts';
import { changePayment } from '../change-payment.ts';
import { type Flight, inTime, loadRecord } from '../waiting.ts';
import type { FlowContext, StoredHint } from '../flow-context.ts';
import { sessionReadings } from './ask.ts';
import { checkStatus, signOf, type StatusCheck } from './check-status.ts';

/** Links that one caller waits for; the background checks ask about the others. */
const MAX_LINKS = 6;

/** Sessions that one {@link confirmEverySession} asks about; the next call asks about the others. */
const MAX_SESSIONS = 4;

/** How long a caller waits. */
export interface WaitOptions {
  /** For the gateway's answer, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * What to do when the gap between status checks ends after the deadline: leave the question to the next
   * tick (`check-soon`), or `wait-for-hints` of others, {@link CHECK_GAP_MS} at most.
   */
  readonly onThrottled: 'check-soon' | 'wait-for-hints';
  /**
   * Whether the shopper seems to have paid. A link that the gateway does not know is then asked about
   * again soon, and does not expire without a person. @defaultValue `false`
   */
  readonly isSignOfMoney?: boolean;
  /** The link that a shopper came back from, by its name, or its order; absent for any other caller. */
  readonly link?: string;
}

/** How long a shopper who comes back waits for the gateway's answer. */
export const shopperReturns: WaitOptions = { deadlineMs: 2_500, onThrottled: 'check-soon' };

/** The state of knowledge when the wait ends. */
export interface Finding {
  readonly record: PaymentRecord | null;
  /** Whether the gateway was asked after this call began; an earlier answer may be outdated. */
  readonly isFresh: boolean;
}

/** Starts a status check of an order, or joins the one that is under way in this process. */
export type ShareCheck = (orderId: string) => Flight<StatusCheck>;

/**
 * Confirms an order for a caller who waits: the answer is as fresh as the wait options allow. Work
 * that is not done by then goes on without the caller.
 *
 * A status check that began before this call may have asked too early. The caller then waits for the
 * gap to end and asks again, or leaves a hint for the next tick. An order with several links is asked
 * about one link after the other, also about those whose watch time alone has ended.
 */
export async function confirmOrder<Tx>(
  context: FlowContext<Tx>,
  shareCheck: ShareCheck,
  orderId: string,
  { deadlineMs, onThrottled, isSignOfMoney = false, link: named }: WaitOptions,
): Promise<Finding> {
  const { clock, store, readings: { asksFor } = sessionReadings } = context;
  const begunAt = clock.now();
  const answered = new Set<number>();
  let giveUpAt = begunAt + deadlineMs;
  // What a shopper says who seems to have paid, against a gateway that knows nothing of it.
  let isDenied = false;
  const isSigned = ({ merchantOrderId: name }: Attempt): boolean =>
    isSignOfMoney && (named === undefined || name === named);
  // For the next tick: a sign of money where the shopper seems to have paid.
  const keep = async (links: readonly Attempt[], at: number): Promise<void> => {
    const [signed, others] = [links.filter(isSigned), links.filter((one) => !isSigned(one))];
    if (signed.length > 0) await leaveHints(context, orderId, signed, at, signOf(context));
    if (others.length > 0) await leaveHints(context, orderId, others, at, checkSoon);
  };
  for (;;) {
    const { result, joined, startedAt } = shareCheck(orderId);
    const check = await inTime(clock, giveUpAt - clock.now(), () => result);
    if (check === null) {
      const known = await loadRecord(store, orderId);
      if (isSignOfMoney) await keep(payableAttempts(known), clock.now());
      return { record: known, isFresh: false };
    }
    const { record, asked } = check;
    if (asked !== null && (!joined || startedAt > begunAt)) {
      answered.add(asked.attemptNumber);
      const link = attemptOf(record, asked.attemptNumber);
      if (link !== undefined && isSigned(link)) {
        const isAlive = link.state === 'open';
        isDenied = (isAlive && showsNothing(asked.answer)) || !isKnown(asked.answer);
        const { hasSignOfMoney, isUnfollowed } = asked.answer;
        const isLeft = (isAlive && asksFor === 'session') || (hasSignOfMoney && !isUnfollowed);
        if (isDenied || isLeft) await keep([link], clock.now());
      }
    }
    // Another link has paid the order, and this one may be paid too.
    const second = record?.attempts.find(
      (one) => isSigned(one) && mayHaveMore(record, one, begunAt),
    );
    if (named !== undefined && record && second !== undefined) {
      const take = tookOwnMoney(record, second) ? checkSoon : signOf(context);
      await leaveHints(context, orderId, [second], clock.now(), take);
    }
    const waiting = payableAttempts(record).filter((one) => !answered.has(one.number));
    if (waiting.length === 0) return { record, isFresh: !isDenied };
    const waits = onThrottled === 'wait-for-hints' && waiting.some(isHinted);
    if (waits) giveUpAt = Math.max(giveUpAt, check.gapEndsAt + deadlineMs);
    if (check.gapEndsAt > giveUpAt || answered.size >= MAX_LINKS) {
      if (onThrottled === 'check-soon') await keep(waiting, begunAt);
      return { record, isFresh: false };
    }
    await clock.sleep(Math.max(1, check.gapEndsAt - clock.now()));
  }
}

/** Whether a link may have been paid beside its order's money, or for a second time. */
const mayHaveMore = (record: PaymentRecord, attempt: Attempt, now: number): boolean =>
  hasMoney(record.payment.state) &&
  isAskable(attempt) &&
  (!tookOwnMoney(record, attempt) || now - (attempt.lastCheckAt ?? 0) >= YOUNG_MS);

/**
 * Has attempts checked as soon as the gap allows. Hints that come to a process while it stores another about
 * the same attempts share one commit, since a flood of commits would fail for conflicts.
 *
 * @param take - What becomes of the record. @defaultValue its attempts have a hint
 * @returns also whether one of the attempts takes hints.
 */
export async function leaveHints<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
  links: readonly Pick<Attempt, 'number'>[],
  at: number,
  take: typeof checkSoon = takeHint,
): Promise<StoredHint> {
  const numbers = links.map(({ number }) => number);
  const leave = async (): Promise<StoredHint> => {
    const isMeant = ({ number }: Attempt): boolean => numbers.includes(number);
    const { decision, record } = await changePayment(
      context,
      orderId,
      // A clock that ran ahead when the hint came may be right again.
      (stored, now) => stored && take(stored, isMeant, Math.min(at, now)),
    );
    return { isTaken: decision !== null, record, at };
  };
  if (context.hints === undefined) return leave();
  for (;;) {
    const key = `${orderId} ${numbers.join(' ')} ${take.name}`;
    const { result, joined } = context.hints.run(key, leave);
    const stored = await result;
    if (!joined || stored.at >= at) return stored;
  }
}

/** Whether the gateway has said all about the link, or a person has decided instead: no order waits for ever. */
function saysAll({ record, asked }: StatusCheck, now: number): boolean {
  const attempt = attemptOf(record, asked?.attemptNumber);
  if (!record || !asked || !attempt || openSilenceReview(record, attempt)) return false;
  const { answer } = asked;
  if (isCharged(record, attempt)) return isGivenUp(record, attempt, answer);
  const isEnough = isEnoughFor[allows[answer.kind].nextLink]({ record, attempt, answer, now });
  return isEnough || isGivenUp(record, attempt, answer);
}

const isEnoughFor: Readonly<Record<Allowance['nextLink'], (given: AnswerOfLink) => boolean>> = {
  // A page that was withdrawn for a declined card, and shows another card all the same, still takes money.
  'unless undecided': ({ attempt: { sessionId, redirectUrl, expiresAt }, answer: { rows }, now }) =>
    sessionId === null || redirectUrl !== null || now >= expiresAt || rows.every(isDeclined),
  'unless hinted': ({ record, attempt }) =>
    isEndedByTime(attempt) || openHint(record, attempt) === null,
  'once ended': ({ record, attempt, answer }) =>
    (isEndedByTime(attempt) || wasHeard(attempt)) &&
    !answer.hasSignOfMoney &&
    (answer.kind !== 'refused' || openHint(record, attempt) === null),
  no: () => false,
};

/**
 * Asks the gateway about every session of an order, the unwatched sessions too, one after the other
 * with the gap between them. An order that was asked about moments ago is not asked about again.
 *
 * @throws {@link PaymentsError} `store_unavailable`, once every session was asked about.
 */
export async function confirmEverySession<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
): Promise<PaymentRecord | null> {
  const known = await loadRecord(context.store, orderId);
  const sessions = Math.min(MAX_SESSIONS, sessionsOf(known).length);
  const asked = new Set<number>();
  const failures: unknown[] = [];
  for (let checks = 0; checks < sessions; checks += 1) {
    if (checks > 0) await context.clock.sleep(CHECK_GAP_MS);
    // A failure about one session must not hide the money on another.
    try {
      const check = await checkStatus(context, { orderId, everySession: true });
      if (check.asked === null) break;
      asked.add(check.asked.attemptNumber);
      if (failures.length === 0 && isAnswered(check.record, asked)) break;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  // Another check may have found money while the gateway was slow to answer this one.
  return loadRecord(context.store, orderId);
}

const sessionsOf = (record: PaymentRecord | null): readonly Attempt[] =>
  record?.attempts.filter(isAskable) ?? [];

/**
 * Of a paid order, its open links are worth a question, since they may have taken money too, and
 * those with money, since it may have been refunded elsewhere.
 */
function isAnswered(record: PaymentRecord | null, asked: ReadonlySet<number>): boolean {
  if (record === null || !hasMoney(record.payment.state)) return false;
  const withMoney = new Set(record.ledger.map(({ attemptNumber }) => attemptNumber));
  return sessionsOf(record).every(
    ({ number, state }) => asked.has(number) || (state !== 'open' && !withMoney.has(number)),
  );
}

/** How long the answers may take. That outlasts a checkout, so that its shopper learns of a time-out. */
const EVIDENCE_WAIT_MS = 15_000;

/**
 * Requires an answer of the gateway about every link of an order that may be paid, to a question that was
 * asked after this call began: else a shopper who has paid could be asked for the money again. All are asked
 * at once, whatever was asked a moment ago: hints and polls, which have turns too, keep no order from its link.
 *
 * @param consequence - What is not done without it, such as "it was not cancelled".
 * @param before - What the same call has found so far.
 * @returns these links, and when the gateway had answered; a link that came meanwhile is none of them.
 * @throws {@link PaymentsError} `not_confirmed`, `store_unavailable`.
 */
export async function requireFreshEvidence<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
  consequence: string,
  before?: AskedAttempts,
): Promise<AskedAttempts> {
  const { clock, store } = context;
  const askedAt = clock.now();
  const links = payableAttempts(await loadRecord(store, orderId));
  const questions = links.map(({ number: attemptNumber }) =>
    checkStatus(context, { orderId, attemptNumber, ignoresGap: true }),
  );
  const checks = await inTime(clock, EVIDENCE_WAIT_MS, () => Promise.all(questions));
  const answered = checks?.filter((check) => saysAll(check, clock.now())) ?? [];
  const said = new Set(answered.map(({ asked }) => asked?.attemptNumber));
  // One of them may have paid the order: no other one matters then.
  const left = payableAttempts(await loadRecord(store, orderId));
  const attempts = links.filter(({ number }) => attemptOf({ attempts: left }, number));
  if (attempts.every(({ number }) => said.has(number)))
    return { attempts, askedAt, answeredAt: clock.now(), isSecond: before !== undefined };
  const words = `The gateway did not say whether the order was paid, so ${consequence}. Try again in a moment.`;
  throw new PaymentsError('not_confirmed', words);
}

/** The attempts that may have paid the order, or may still: the open ones, and those ended by time. */
export function payableAttempts(record: PaymentRecord | null): readonly Attempt[] {
  if (record === null || hasMoney(record.payment.state)) return [];
  return record.attempts.filter((one) => one.state === 'open' || isEndedByTime(one));
}

/** The attempts that the gateway was asked about, when, and when it had answered. */
export interface AskedAttempts {
  readonly attempts: readonly Attempt[];
  readonly askedAt: number;
  readonly answeredAt: number;
  /** Whether it was asked before in the same call. Anyone can send hints: these have it asked once more only. */
  readonly isSecond: boolean;
}

/** A commit that waits for longer than this takes no money by the answers from before. */
const EVIDENCE_AGE_MS = 30_000;

/**
 * Whether the gateway is to be asked before more money may be taken: also where a hint came since it was asked.
 *
 * @param made - The link that is about to be handed out.
 */
export function lacksEvidence(
  record: PaymentRecord | null,
  found: AskedAttempts | undefined,
  now: number,
  made?: Attempt,
): boolean {
  const others = payableAttempts(record).filter(({ number }) => number !== made?.number);
  if (found === undefined) return others.length > 0;
  const { attempts, askedAt, answeredAt, isSecond } = found;
  const isOutdated = now - answeredAt >= EVIDENCE_AGE_MS;
  const asked = new Set(attempts.map(({ number }) => number));
  return others.some(({ number, hintedAt }) => {
    const isNamed = !isSecond && hintedAt !== null && hintedAt > askedAt && hintedAt <= now;
    return isOutdated || isNamed || !asked.has(number);
  });
}
