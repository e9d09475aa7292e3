import type { PaymentRecord } from '../../src/payments/record.ts';
import { ofAnswers } from '../../src/payments/reviews.ts';
import { ORDER_IDS } from '../order-ids.ts';
import { DAY_MS, type Ending, finish, MINUTE_MS, tickUntil } from './ending.ts';
import { hold } from './hold.ts';

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
  // A check that was in vain just before the faults ended is made up for within a day, and money
  // that is found meanwhile is watched from then on.
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
 * unpaid link was made whose answers a person was asked about.
 */
function endOf(record: PaymentRecord | null): number {
  const { attempts = [], ledger = [], operations = [], reviews = [] } = record ?? {};
  const isHeld = reviews.some(({ reason }) => ofAnswers.has(reason));
  return Math.max(
    0,
    ...attempts.map(({ expiresAt }) => expiresAt + (isHeld ? 91 : 9) * DAY_MS),
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
