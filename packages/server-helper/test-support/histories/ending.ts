import { ORDER_IDS, type OrderId } from '../order-ids.ts';
import type { Shop } from './shop.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

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
    await run(at);
    await finish(ending, moment, shop.process(ticks)?.flows.tick());
  }
}

/** Runs until some work has ended, at most until a moment: it may wait for what comes later. */
export async function finish(
  { run }: Ending,
  moment: number,
  work?: Promise<unknown>,
): Promise<void> {
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
