import { drawHistory, type History, shrink } from './history.ts';
import { BrokenRule } from './hold.ts';
import type { Store } from '../../src/stores/store.ts';
import { ORDER_IDS } from './history.ts';
import { afterFaults } from './ending.ts';
import { figuresHold } from './log-rules.ts';
import { Invariants } from './rules.ts';
import { perform } from './perform.ts';
import { Shop } from './shop.ts';
import { world } from './world.ts';
import type { Variant } from './variant-parts.ts';

/** A history in which a rule was broken. */
export interface Failure {
  readonly seed: number;
  readonly rule: string;
  /** The rule, and what was seen. */
  readonly message: string;
  /** The smallest form of it that was found to fail in the same way. */
  readonly history: History;
  /** What happened in that, line by line. */
  readonly lines: readonly string[];
}

/** What came of a run. */
export interface Run {
  readonly played: number;
  readonly failure: Failure | null;
}

/**
 * Plays so many histories, with the seeds from one on, until a rule is broken.
 *
 * @param isOver - Asked after each history.
 */
export async function runHistories(
  { seed, histories }: { readonly seed: number; readonly histories: number },
  stage: Stage,
  isOver: (played: number) => boolean = () => false,
): Promise<Run> {
  const { stackTraceLimit } = Error;
  // Expected errors come by the million, and no reader needs their stacks.
  Error.stackTraceLimit = 0;
  try {
    let played = 0;
    while (played < histories) {
      const history = drawHistory(seed + played);
      const error = await errorOf(history, stage);
      played += 1;
      if (error !== null) return { played, failure: await explained(history, stage, error) };
      if (isOver(played)) break;
    }
    return { played, failure: null };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function errorOf(history: History, stage: Stage): Promise<Error | null> {
  try {
    await playHistory(history, stage);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function explained(history: History, stage: Stage, error: Error): Promise<Failure> {
  const rule = ruleOf(error);
  const smallest = await shrink(history, async (smaller) => {
    const found = await errorOf(smaller, stage);
    return found !== null && ruleOf(found) === rule;
  });
  Error.stackTraceLimit = 10;
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const found = await errorOf(smallest, { ...stage, write });
  const { seed } = history;
  return { seed, rule, message: found?.stack ?? error.message, history: smallest, lines };
}

const ruleOf = (error: Error): string =>
  error instanceof BrokenRule ? error.rule : `${error.name}: ${error.message}`;

/** How a history is played. */
export interface Stage {
  /** An empty, open store for the history of a seed. */
  readonly openStore: (seed: number) => Promise<Store<unknown>>;
  readonly variant?: Variant | undefined;
  /** Resolves when that store has answered; absent where it does so at once. */
  readonly settled?: () => Promise<unknown>;
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
  { openStore, variant, settled, write, isWatchedToItsEnd }: Stage,
): Promise<Ending> {
  const store = await openStore(seed);
  const asksFor = questions[seed % questions.length];
  try {
    const shop = new Shop({ store, seed, faultProfile, variant, settled, write, asksFor });
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
