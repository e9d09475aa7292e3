import { PaymentsError } from '../../src/errors.ts';
import { checkStatus } from '../../src/flows/confirm/check-status.ts';
import { SENDING_TIMEOUT_MS } from '../../src/payments/record.ts';
import { CHECK_GAP_MS } from '../../src/payments/checks.ts';
import { ORDER_IDS, type OrderId } from '../order-ids.ts';
import { aCard } from '../operation-inputs.ts';
import { DAY_MS, type Ending, finish, hasUntold, MINUTE_MS, SECOND_MS } from './ending.ts';
import { hold } from './hold.ts';
import { moneyIsKnown } from './known-in-time.ts';
import { deliveriesHold, logHolds, secretsHold, wordsHold } from './log-rules.ts';
import { refundsFound } from './money-rules.ts';
import { aPhone } from './shop.ts';
import { watchEnds } from './watch-ends.ts';

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
