import { ORDER_IDS, type OrderId } from './history.ts';
import { aPhone, type Shop } from './shop.ts';
import { PaymentsError } from '../../src/errors.ts';
import { checkStatus } from '../../src/flows/confirm/check-status.ts';
import { type PaymentRecord, SENDING_TIMEOUT_MS } from '../../src/payments/record.ts';
import { CHECK_GAP_MS } from '../../src/payments/checks.ts';
import { aCard } from '../operation-inputs.ts';
import { hold } from './hold.ts';
import { deliveriesHold, logHolds, secretsHold, wordsHold } from './log-rules.ts';
import { refundsFound } from './rules.ts';
import { transactionId, transactionKey } from '../../src/ids.ts';
import type { Attempt } from '../../src/payments/attempt.ts';
import { usualWatch } from '../../src/payments/watch.ts';
import type { SimulatedSession } from '../simulated-gateway.ts';
import type { SimulatedTransaction } from '../simulated-transactions.ts';
import { ofAnswers } from '../../src/payments/reviews.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../durations.ts';

/** A shop whose faults have ended, and the check that follows every step. */
export interface Ending {
  readonly shop: Shop;
  readonly run: (untilMs: number, isOver?: () => boolean) => Promise<void>;
}

/**
 * Both processes tick every second; the seconds in which there is nothing to do are skipped. The
 * first is not, since checks that follow hints are under way, and what they claimed looks as if it
 * were not due. Nor are the minutes after it, in which each process looks for what a clock has put off.
 */
export async function tickUntil(ending: Ending, moment: number): Promise<void> {
  const { shop, run } = ending;
  for (let ticks = 0; ; ticks += 1) {
    const { now } = shop.timeline;
    const latest = ticks < 5 ? now + ticks * 35 * SECOND_MS : Infinity;
    const at = Math.max(now + SECOND_MS, Math.min(latest, await nextWork(shop)));
    if (at > moment) return run(moment);
    // Far more than the checks of three orders need in ten days.
    hold(ticks < 5_000, 'I19: no order is asked about every few seconds', at);
    await run(at);
    await finish(ending, moment, shop.process(ticks)?.flows.tick());
  }
}

/** Runs until some work has ended, at most until a moment: it may wait for what comes later. */
export async function finish({ run }: Ending, moment: number, work?: Promise<unknown>) {
  let isDone = work === undefined;
  const ended = work?.finally(() => (isDone = true));
  // No caller waits for an error that comes after the moment.
  ended?.catch(() => undefined);
  await run(moment, () => isDone);
  if (isDone) await ended;
}

/** When the next status check is due, or an event. */
async function nextWork(shop: Shop): Promise<number> {
  let soonest = Infinity;
  for (const orderId of ORDER_IDS) {
    for (const { nextCheckAt } of (await shop.record(orderId))?.attempts ?? []) {
      soonest = Math.min(soonest, nextCheckAt ?? Infinity);
    }
    if (await hasUntold(shop, orderId)) soonest = Math.min(soonest, shop.timeline.now + SECOND_MS);
  }
  return soonest;
}

export const hasUntold = async (shop: Shop, orderId: OrderId): Promise<boolean> =>
  (await shop.history(orderId)).events.some(({ outcome }) => outcome === 'waiting');

/** Calls that were slow when the faults ended have been answered by then, and led to what they lead to. */
const LAST_SLOW_CALLS_MS = 15 * SECOND_MS;

/**
 * What must come to pass once nothing goes wrong any more: money that was paid is known in time, the
 * merchant hears of every event, no link is checked for ever, and the books agree.
 */
export async function afterFaults(ending: Ending, isWatchedToItsEnd: boolean): Promise<void> {
  const { shop, run } = ending;
  shop.heal();
  shop.tell(() => 'no more faults');
  await run(shop.timeline.now + LAST_SLOW_CALLS_MS);
  await moneyIsKnown(ending);
  await eventsAreTold(ending);
  if (isWatchedToItsEnd) await watchEnds(ending);
  for (const orderId of ORDER_IDS) await booksAgree(ending, orderId);
}

async function eventsAreTold(ending: Ending): Promise<void> {
  const { shop, run } = ending;
  // A handler that kept failing is called again after up to an hour.
  for (let waitMs = SECOND_MS; waitMs < DAY_MS; waitMs *= 2) {
    const waiting = await Promise.all(ORDER_IDS.map((id) => hasUntold(shop, id)));
    if (!waiting.includes(true)) break;
    await run(shop.timeline.now + waitMs);
    await finish(ending, Infinity, shop.process(0)?.flows.tick());
  }
  for (const id of ORDER_IDS) {
    const history = await shop.history(id);
    const told = [...shop.told.values()].filter(({ orderId }) => orderId === id);
    deliveriesHold(told, history);
    for (const { event, outcome } of history.events) {
      const isTold = shop.told.has(event.id) && outcome === 'done';
      hold(isTold, 'liveness: the merchant hears of every event', [event, outcome]);
    }
  }
}

/** I20: a store that is well again answers. */
function answers(error: unknown): never {
  const isStore = error instanceof PaymentsError && error.code === 'store_unavailable';
  hold(!isStore, 'I20: no order is refused by a store that is well', error);
  throw error;
}

async function booksAgree(ending: Ending, orderId: OrderId): Promise<void> {
  const { shop, run } = ending;
  const before = await shop.record(orderId);
  const history = await shop.history(orderId);
  secretsHold([before, history, shop.logged], [aCard.number, aCard.holderName, aPhone, 'token-']);
  wordsHold(history, shop.gateway.words);
  logHolds(before, history);
  const paidBy = before?.payment.transactionId ?? null;
  const base = before?.ledger.find((row) => row.transactionId === paidBy);
  // Past the gap between status checks, and past the leases of a process that died.
  await run(shop.timeline.now + CHECK_GAP_MS + SENDING_TIMEOUT_MS);
  const about = base === undefined ? {} : { attemptNumber: base.attemptNumber };
  const asked = shop
    .process(0)
    ?.flows.run((context) => checkStatus(context, { orderId, everySession: true, ...about }));
  await finish(ending, shop.timeline.now + MINUTE_MS, asked?.catch(answers));
  const record = await shop.record(orderId);
  if (record === null || base === undefined) return;
  const transaction = shop.gateway.transactions.get(base.transactionId);
  refundsFound(record, transaction);
  const sending = record.operations.filter(({ state }) => state === 'sending');
  hold(sending.length === 0, 'liveness: no operation stays in the middle', sending);
}

/** Some truth of the gateway about an order, and when it must be known here at the latest. */
interface Expected {
  readonly orderId: OrderId;
  readonly attempt: Attempt;
  readonly session: SimulatedSession;
  readonly rule: string;
  readonly knownBy: number;
}

/** Money that was paid, and whatever became of it at the gateway, is known in time. */
export async function moneyIsKnown(ending: Ending): Promise<void> {
  const { shop } = ending;
  const expected = await expectations(ending);
  const times = [...new Set(expected.map(({ knownBy }) => knownBy))].toSorted((a, b) => a - b);
  for (const time of times) {
    await tickUntil(ending, time);
    for (const { orderId, attempt, session, rule } of expected.filter(
      ({ knownBy }) => knownBy === time,
    )) {
      const record = await shop.record(orderId);
      const missing = record === null ? ['all'] : unknownOf(record, attempt, session);
      hold(missing.length === 0, rule, [missing, session, record]);
    }
  }
}

/** A hint about some of it; the rest must be found without any. */
async function expectations(ending: Ending): Promise<readonly Expected[]> {
  const { shop } = ending;
  const begun = shop.timeline.now;
  const expected: Expected[] = [];
  const hints: Promise<void>[] = [];
  for (const session of shop.gateway.sessions.values()) {
    const orderId = session.orderId as OrderId;
    const record = await shop.record(orderId);
    const attempt = record?.attempts.find((one) => one.merchantOrderId === session.name);
    if (record === null || attempt === undefined) continue;
    if (unknownOf(record, attempt, session).length === 0) continue;
    const isPaid = attempt.state === 'succeeded';
    if (!isPaid && !shop.handedOut.has(session.id)) continue;
    const isHinted = shop.lastChance.is(isPaid ? 0.75 : 0.5);
    // Of a session that is never asked about, only the id of a transaction tells.
    if (!isPaid && !isHinted && shop.asksFor === 'transaction') continue;
    if (isHinted) hints.push(hint(shop, session));
    const scheduled = isPaid
      ? afterPayment(shop, record, attempt)
      : limitOf(shop, attempt, session.createdAt);
    // An answer of before the time at which a clock that ran ahead recorded money does not contradict it.
    const isByNow = record.ledger.every(({ recordedAt }) => recordedAt <= begun);
    const limitMs = isHinted && isByNow ? MINUTE_MS : scheduled;
    if (limitMs === null) continue;
    const rule = isPaid
      ? `I18: what becomes of paid money is known within ${isHinted ? '60 s' : 'its schedule'}`
      : `liveness: money is known within ${limitMs / SECOND_MS} s`;
    expected.push({ orderId, attempt, session, rule, knownBy: begun + limitMs });
  }
  await finish(ending, begun + SECOND_MS, Promise.all(hints));
  return expected;
}

/** A signed webhook about a session's last transaction. */
async function hint(shop: Shop, { orderId, name, transactions }: SimulatedSession): Promise<void> {
  const flows = shop.process(0)?.flows;
  const last = transactions.at(-1);
  if (shop.asksFor !== 'session' && last !== undefined) {
    const named = { transactionId: transactionId(last.id), source: 'signed' as const };
    await flows?.noteTransactions(orderId, [named]);
  }
  await flows?.hint(name);
}

/** How soon unpaid money is found without any hint; `null` when only by its schedule. */
function limitOf({ timeline: { now }, awaySince }: Shop, attempt: Attempt, madeAt: number) {
  // The age of a link that a clock made which ran ahead is not known.
  if (attempt.createdAt > madeAt) return null;
  // An order's several links have their turns, five seconds apart.
  if (now - attempt.createdAt < 15 * MINUTE_MS) return 5.5 * MINUTE_MS;
  // One that was asked about in vain is asked about again soon, as long as it can be paid.
  const wasAway =
    awaySince !== undefined && (attempt.lastCheckAt ?? 0) > awaySince + 10 * SECOND_MS;
  return wasAway && now < attempt.expiresAt ? 15 * MINUTE_MS : null;
}

/** How soon a change of paid money is found without any hint; `null` when the schedule is over, or a leap ended it. */
function afterPayment(
  { timeline: { now }, hasLeapt }: Shop,
  { ledger }: PaymentRecord,
  { number }: Attempt,
): number | null {
  if (hasLeapt) return null;
  const own = ledger.filter(({ attemptNumber }) => attemptNumber === number);
  // A recurring charge begins the schedule anew, at the next check: until then that of any row before holds.
  const times = own.map(({ recordedAt: paidAt }) => {
    const age = usualWatch.afterPayment.find((one) => paidAt + one > now);
    return age === undefined ? Infinity : paidAt + age;
  });
  const latest = Math.max(...times);
  // Several links have their turns.
  return latest === Infinity ? null : latest - now + MINUTE_MS;
}

/** What the gateway knows of an attempt's money, and the record does not: in words. */
export function unknownOf(
  record: PaymentRecord,
  attempt: Attempt,
  { transactions }: SimulatedSession,
): readonly string[] {
  return transactions.flatMap((one) =>
    attempt.state === 'succeeded' ? unknownChange(record, one) : unknownMoney(record, one),
  );
}

function unknownMoney(record: PaymentRecord, { id, state }: SimulatedTransaction): string[] {
  const isKnown = rowOf(record, id) !== undefined || isReviewed(record, id);
  return state === 'captured' && !isKnown ? [`${id} was paid`] : [];
}

function unknownChange(record: PaymentRecord, transaction: SimulatedTransaction): string[] {
  const { id, state, refunds } = transaction;
  const row = rowOf(record, id);
  if (row === undefined) return unknownMoney(record, transaction);
  if (isReviewed(record, id, 'refund_contradiction')) return [];
  const pays = record.payment.transactionId === row.transactionId;
  if (state === 'reversed') {
    const isOver = record.payment.state === 'refunded' || !pays;
    const isKnown = isOver || isReviewed(record, id, 'payment_contradiction');
    return isKnown ? [] : [`${id} was reversed`];
  }
  const total = refunds.reduce((sum, { minorUnits }) => sum + minorUnits, 0);
  // Of a discrepancy whose amount was misread, no refund can be read either.
  const isRead =
    row.kind !== 'discrepancy' || row.amount.minorUnits === transaction.capturedMinorUnits;
  const isShown = state === 'captured' && isRead;
  return isShown && row.refundedMinorUnits !== total ? [`${id} was refunded: ${total}`] : [];
}

const rowOf = ({ ledger }: PaymentRecord, id: string) =>
  ledger.find((row) => transactionKey(row.transactionId) === transactionKey(id));

const isReviewed = ({ reviews }: PaymentRecord, id: string, reason?: string): boolean =>
  reviews.some(
    (one) =>
      transactionKey(one.subject) === transactionKey(id) &&
      (reason === undefined || one.reason === reason),
  );

/** I19: nothing is checked for ever. */
export async function watchEnds(ending: Ending): Promise<void> {
  await nothingIsWatchedAfterwards(ending);
  // What is asked for once no link is watched any more is watched for a while as well.
  if (await refundsOfClosedLinks(ending)) await nothingIsWatchedAfterwards(ending);
}

async function nothingIsWatchedAfterwards(ending: Ending): Promise<void> {
  const { shop } = ending;
  const end = async (): Promise<number> =>
    Math.max(...(await Promise.all(ORDER_IDS.map(async (id) => endOf(await shop.record(id))))));
  // A check in vain just before the faults ended is made up for within a day; found money is watched.
  let until = shop.timeline.now + DAY_MS;
  while (shop.timeline.now < until) {
    await tickUntil(ending, until);
    until = (await end()) + 10 * MINUTE_MS;
  }
  for (const id of ORDER_IDS) {
    const record = await shop.record(id);
    const open = record?.attempts.filter(({ nextCheckAt }) => nextCheckAt !== null) ?? [];
    hold(open.length === 0, 'I19: nothing is asked about for ever', open);
  }
}

/**
 * 15 days after the last payment, 9 after the end of an unpaid link or of an operation's proof, 91 after an
 * unpaid link was made whose answers a person was asked about, or whose try was undecided.
 */
function endOf(record: PaymentRecord | null): number {
  const { attempts = [], ledger = [], operations = [], reviews = [] } = record ?? {};
  const isHeld = reviews.some(({ reason }) => ofAnswers.has(reason));
  const daysOf = ({ shown }: Attempt) => (isHeld || shown?.undecided !== undefined ? 91 : 9);
  return Math.max(
    0,
    ...attempts.map((attempt) => attempt.expiresAt + daysOf(attempt) * DAY_MS),
    ...operations.map(({ createdAt }) => createdAt + (2 + 9) * DAY_MS),
    ...ledger.map(({ recordedAt }) => recordedAt + 15 * DAY_MS),
  );
}

/** Money on links that are closed is refunded, and every answer is lost. @returns whether there was any. */
async function refundsOfClosedLinks(ending: Ending): Promise<boolean> {
  const { shop } = ending;
  const process = shop.process(0);
  const refunds: Promise<unknown>[] = [];
  shop.gateway.transactions.mood = 'request-lost';
  for (const id of ORDER_IDS) {
    const { attempts = [], ledger = [] } = (await shop.record(id)) ?? {};
    const closed = new Set(attempts.filter(({ state }) => state === 'closed').map((a) => a.number));
    for (const { attemptNumber, transactionId: of } of ledger) {
      if (process === undefined || !closed.has(attemptNumber)) continue;
      const request = { amount: '0.01', requestId: `late-${of}`, transactionId: of };
      // What was refunded whole already is refused.
      refunds.push(process.money.refund(id, request).catch(() => undefined));
    }
  }
  await finish(ending, shop.timeline.now + MINUTE_MS, Promise.all(refunds));
  shop.gateway.transactions.mood = 'well';
  return refunds.length > 0;
}
