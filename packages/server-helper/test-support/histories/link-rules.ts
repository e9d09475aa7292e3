import type { StatusReadings } from '../../src/flows/confirm/ask.ts';
import { decimalOf, sameMoney } from '../../src/money.ts';
import {
  type Attempt,
  isEndedByTime,
  isOffered,
  SESSION_LIFETIME_MS,
} from '../../src/payments/attempt.ts';
import { BY_EVIDENCE } from '../../src/payments/draft.ts';
import type { PaymentRecord } from '../../src/payments/record.ts';
import type { SimulatedGateway } from '../simulated-gateway.ts';
import { hold } from './hold.ts';

/** What the rules of links are held against. */
export interface WatchedLinks {
  readonly gateway: SimulatedGateway;
  readonly timeline: { readonly now: number };
  readonly asksFor: StatusReadings['asksFor'];
}

/** Amounts are frozen (I6); one link is offered, and every link is watched (I8). */
export function linksHold(
  former: PaymentRecord | undefined,
  { payment, attempts }: PaymentRecord,
  watched: WatchedLinks,
): void {
  const { gateway } = watched;
  for (const attempt of attempts) {
    const before = former?.attempts.find(({ number }) => number === attempt.number);
    if (before === undefined) {
      isNeeded(former, attempt);
      isFounded(former, attempt, watched);
    } else
      hold(sameMoney(before.amount, attempt.amount), 'I6: an amount is frozen', [before, attempt]);
    const session = gateway.sessions.get(attempt.sessionId ?? '');
    const isTheSame =
      session === undefined ||
      (session.amount === decimalOf(attempt.amount.minorUnits) &&
        session.currency === attempt.amount.currency);
    hold(isTheSame, 'I6: amount and currency are sent as they are stored', [attempt, session]);
    const isWithdrawn = (before?.redirectUrl ?? null) !== null && attempt.redirectUrl === null;
    const wasShown = gateway.shown.has(attempt.sessionId ?? '');
    // By the program's clock: a leap that is noticed during a question gives the link more life too late.
    const isOver = payment.updatedAt >= attempt.createdAt + SESSION_LIFETIME_MS || wasShown;
    hold(!isWithdrawn || isOver, 'I8: a link that lives is not withdrawn', [before, session]);
    const isWatched = attempt.state !== 'open' || attempt.nextCheckAt !== null;
    hold(isWatched, 'I8: every open attempt is watched', attempt);
  }
}

/** Work that was held up by slow calls may use an answer that is as old as this. */
const OLDEST_ANSWER_MS = 2 * 3_600_000;

/**
 * Before more money may be taken, the gateway has answered about each link that may be paid, or a person
 * has decided what its answers left open.
 */
function isFounded(
  former: PaymentRecord | undefined,
  attempt: Attempt,
  { gateway: { sessions, answeredAt }, timeline: { now }, asksFor }: WatchedLinks,
): void {
  if (former === undefined || attempt.kind === 'charge') return;
  // A gateway that knows transactions alone can be asked about no link that has ended.
  const isAskable = asksFor !== 'transaction';
  const mayBePaid = (one: Attempt): boolean =>
    one.state === 'open' || (isAskable && isEndedByTime(one));
  for (const other of former.attempts.filter(mayBePaid)) {
    const session = [...sessions.values()].find(({ name }) => name === other.merchantOrderId);
    const at = answeredAt.get(session?.id ?? '') ?? 0;
    const isDecided = former.reviews.some(
      ({ resolvedAt, resolution, subject }) =>
        subject.startsWith(other.merchantOrderId) &&
        resolvedAt !== null &&
        resolution !== BY_EVIDENCE,
    );
    const isKnown = at >= now - OLDEST_ANSWER_MS || isDecided;
    hold(isKnown, 'I8: no second link without an answer about the first', [other, attempt]);
  }
}

/** A new link is made only when there is none to offer; a session that took money is none. */
function isNeeded(former: PaymentRecord | undefined, attempt: Attempt): void {
  if (former === undefined || attempt.kind !== 'link') return;
  const { payment, attempts, ledger } = former;
  const current = attempts.find(({ number }) => number === payment.currentAttempt);
  const isOne =
    current === undefined ||
    !isOffered(current, attempt.createdAt) ||
    ledger.some(({ attemptNumber }) => attemptNumber === current.number) ||
    !sameMoney(current.amount, attempt.amount);
  hold(isOne, 'I8: one link is offered for an order', [current, attempt]);
}
