import type { Attempt } from '../../src/payments/attempt.ts';
import { PaymentsError } from '../../src/errors.ts';
import { checkStatus } from '../../src/flows/confirm/check-status.ts';
import { SENDING_TIMEOUT_MS } from '../../src/payments/operation.ts';
import { CHECK_GAP_MS } from '../../src/stores/store.ts';
import { ORDER_IDS, type OrderId } from '../order-ids.ts';
import { aCard } from '../operation-inputs.ts';
import { changesAreKnown } from './changed-money.ts';
import { hold } from './hold.ts';
import { deliveriesHold, logHolds, secretsHold, wordsHold } from './log-rules.ts';
import { refundsFound } from './money-rules.ts';
import { aPhone, type Shop } from './shop.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A paid link is checked for 14 days, and a day longer where the gateway did not answer. */
const WATCHED_DAYS = 16;
/** Calls that were slow when the faults ended have been answered by then, and led to what they lead to. */
const LAST_SLOW_CALLS_MS = 15 * SECOND_MS;

/** A shop whose faults have ended, and the check that follows every step. */
interface Ending {
  readonly shop: Shop;
  readonly run: (untilMs: number, isOver?: () => boolean) => Promise<void>;
}

/** Money that a shopper paid by an address of ours, and when it must be known here at the latest. */
interface Expected {
  readonly orderId: OrderId;
  readonly transactionId: string;
  readonly knownBy: number;
}

/**
 * What must come to pass once nothing goes wrong any more: money that was paid is known in time, the
 * merchant hears of every event, no link is checked for ever, and the books agree.
 */
export async function afterFaults(ending: Ending, isWatchedToItsEnd: boolean): Promise<void> {
  const { shop, run } = ending;
  shop.heal();
  shop.tell(() => 'no more faults');
  await run(shop.timeline.now + LAST_SLOW_CALLS_MS);
  await moneyIsFound(ending);
  await eventsAreTold(ending);
  if (isWatchedToItsEnd) {
    await changesAreKnown(shop, (moment) => tickUntil(ending, moment));
    await watchEnds(ending);
  }
  for (const orderId of ORDER_IDS) await booksAgree(ending, orderId);
}

async function moneyIsFound(ending: Ending): Promise<void> {
  const { shop, run } = ending;
  const begun = shop.timeline.now;
  const expected = await expectations(ending);
  const times = [...new Set(expected.map(({ knownBy }) => knownBy))].toSorted((a, b) => a - b);
  for (const time of times) {
    await tickUntil(ending, time);
    for (const one of expected.filter(({ knownBy }) => knownBy === time)) {
      const record = await shop.record(one.orderId);
      const isKnown =
        record?.ledger.some(({ transactionId }) => transactionId === one.transactionId) === true ||
        record?.reviews.some(({ subject }) => subject === one.transactionId) === true;
      const seconds = (time - begun) / SECOND_MS;
      hold(isKnown, `liveness: money is known within ${seconds} s`, [one, record]);
    }
  }
  await run(shop.timeline.now);
}

/** A hint about some of it; the young rest is found without any. */
async function expectations(ending: Ending): Promise<readonly Expected[]> {
  const { shop } = ending;
  const expected: Expected[] = [];
  const hints: Promise<void>[] = [];
  const begun = shop.timeline.now;
  for (const session of shop.gateway.sessions.values()) {
    const orderId = session.orderId as OrderId;
    const paid = session.transactions.find(({ state }) => state === 'captured');
    const attempt = await watchedBy(shop, orderId, session.id);
    if (paid === undefined || !shop.handedOut.has(session.id) || attempt === undefined) continue;
    const isHinted = shop.chance.is(0.5);
    if (isHinted) {
      const hint = shop.process(0)?.flows.hint(session.name);
      if (hint !== undefined) hints.push(hint);
    }
    const limitMs = isHinted ? MINUTE_MS : limitOf(shop, attempt);
    if (limitMs === null) continue;
    expected.push({ orderId, transactionId: paid.id, knownBy: begun + limitMs });
  }
  await finish(ending, begun + SECOND_MS, Promise.all(hints));
  return expected;
}

/** How soon it is found without any hint; `null` when only by its schedule. */
function limitOf({ timeline: { now }, awaySince }: Shop, attempt: Attempt): number | null {
  // An order's several links have their turns, five seconds apart.
  if (now - attempt.createdAt < 15 * MINUTE_MS) return 5.5 * MINUTE_MS;
  // One that was asked about in vain is asked about again soon, as long as it can be paid.
  const wasAway =
    awaySince !== undefined && (attempt.lastCheckAt ?? 0) > awaySince + 10 * SECOND_MS;
  return wasAway && now < attempt.expiresAt ? 15 * MINUTE_MS : null;
}

async function watchedBy(
  shop: Shop,
  orderId: OrderId,
  session: string,
): Promise<Attempt | undefined> {
  const attempts = (await shop.record(orderId))?.attempts ?? [];
  return attempts.find(({ sessionId }) => sessionId === session);
}

/**
 * Both processes tick every second; the seconds in which there is nothing to do are skipped. The
 * first is not, since checks that follow hints are under way, and what they claimed looks as if it
 * were not due.
 */
async function tickUntil(ending: Ending, moment: number): Promise<void> {
  const { shop, run } = ending;
  for (let ticks = 0; ; ticks += 1) {
    const next = ticks === 0 ? 0 : await nextWork(shop);
    const at = Math.max(shop.timeline.now + SECOND_MS, next);
    if (at > moment) return run(moment);
    await run(at);
    await finish(ending, moment, shop.process(ticks)?.flows.tick());
  }
}

/** Runs until some work has ended, at most until a moment: it may wait for what comes later. */
async function finish({ run }: Ending, moment: number, work?: Promise<unknown>): Promise<void> {
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

const hasUntold = async (shop: Shop, orderId: OrderId): Promise<boolean> =>
  (await shop.history(orderId)).events.some(({ outcome }) => outcome === 'waiting');

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
    deliveriesHold([...shop.told.values()].filter(({ orderId }) => orderId === id));
    for (const { event, outcome } of (await shop.history(id)).events) {
      const isTold = shop.told.has(event.id) && outcome === 'done';
      hold(isTold, 'liveness: the merchant hears of every event', [event, outcome]);
    }
  }
}

async function watchEnds(ending: Ending): Promise<void> {
  await nothingIsWatchedAfterwards(ending);
  // What is asked for once no link is watched any more is watched for a while as well.
  if (await refundsOfClosedLinks(ending)) await nothingIsWatchedAfterwards(ending);
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
    for (const { attemptNumber, transactionId } of ledger) {
      if (process === undefined || !closed.has(attemptNumber)) continue;
      const request = { amount: '0.01', requestId: `late-${transactionId}`, transactionId };
      // What was refunded whole already is refused.
      refunds.push(process.money.refund(id, request).catch(() => undefined));
    }
  }
  await finish(ending, shop.timeline.now + MINUTE_MS, Promise.all(refunds));
  shop.gateway.transactions.mood = 'well';
  return refunds.length > 0;
}

async function nothingIsWatchedAfterwards(ending: Ending): Promise<void> {
  const { shop } = ending;
  await tickUntil(ending, shop.timeline.now + WATCHED_DAYS * DAY_MS);
  for (const id of ORDER_IDS) {
    const record = await shop.record(id);
    const open = record?.attempts.filter(({ nextCheckAt }) => nextCheckAt !== null) ?? [];
    hold(open.length === 0, 'liveness: nothing is asked about for ever', open);
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
  const transactionId = before?.payment.transactionId ?? null;
  const base = before?.ledger.find((row) => row.transactionId === transactionId);
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
