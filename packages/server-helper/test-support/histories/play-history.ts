import type { Store } from '../../src/stores/store.ts';
import { ORDER_IDS } from '../order-ids.ts';
import type { History } from './action.ts';
import { afterFaults } from './after-faults.ts';
import { figuresHold } from './figure-rules.ts';
import { Invariants } from './invariants.ts';
import { perform } from './perform.ts';
import { Shop } from './shop.ts';
import { world } from './timeline.ts';
import type { Variant } from './variant.ts';

/** How a history is played. */
export interface Stage {
  /** An empty, open store for the history of a seed. */
  readonly openStore: (seed: number) => Promise<Store<unknown>>;
  readonly variant?: Variant | undefined;
  /** Receives a line for each thing that happens. */
  readonly write?: ((line: string) => void) | undefined;
  /** Whether it is followed until nothing is watched any more. @defaultValue one of many is */
  readonly isWatchedToItsEnd?: boolean;
}

/** What the gateway is asked for, by turns. */
const questions = ['either', 'session', 'transaction', 'either', 'session', 'session'] as const;

/** How a history ended. */
export interface Ending {
  /** Of the orders' payments. */
  readonly states: readonly string[];
}

/** Every so many histories are followed until nothing is watched any more: 10 days. */
const WATCHED_TO_THE_END = 32;

/**
 * Plays a history, and holds the shop against every rule after every write.
 *
 * @throws {@link BrokenRule}, or the bug's own error.
 */
export async function playHistory(
  { seed, faultProfile, actions }: History,
  { openStore, variant, write, isWatchedToItsEnd }: Stage,
): Promise<Ending> {
  const store = await openStore(seed);
  const asksFor = questions[seed % questions.length];
  try {
    const shop = new Shop({ store, seed, faultProfile, variant, write, asksFor });
    const { timeline, gateway } = shop;
    const invariants = new Invariants(shop);
    gateway.isBound = (id) => shop.bound.has(id);
    const check = async (): Promise<void> => {
      if (shop.broken.length > 0) throw shop.broken[0];
      if (!shop.isWritten) return;
      shop.isWritten = false;
      await invariants.check();
      for (const orderId of ORDER_IDS) {
        for (const row of (await shop.record(orderId))?.ledger ?? [])
          shop.bound.add(row.transactionId);
      }
    };
    const run = (until: number, isOver?: () => boolean): Promise<void> =>
      timeline.runUntil(until, isOver, check);
    let at = 0;
    for (const action of actions) {
      at += action.gapMs;
      timeline.in(at, world, () => perform(shop, action));
    }
    await run(timeline.now + at);
    await afterFaults({ shop, run }, isWatchedToItsEnd ?? seed % WATCHED_TO_THE_END === 0);
    const records = await Promise.all(ORDER_IDS.map((orderId) => shop.record(orderId)));
    await figuresHold(store, await endedOf(shop));
    return { states: records.map((record) => record?.payment.state ?? 'none') };
  } finally {
    await store.close();
  }
}

/** The orders that have a payment, and their logs. */
async function endedOf(shop: Shop) {
  const all = ORDER_IDS.map(async (orderId) => {
    const record = await shop.record(orderId);
    return record === null ? [] : [{ record, history: await shop.history(orderId) }];
  });
  return (await Promise.all(all)).flat();
}
