import { nextCheck, YOUNG_MS } from '../src/payments/watch.ts';
import { Chance } from './histories/chance.ts';

const DAY_MS = 86_400_000;
/** No store and no gateway is asked: a day is cut into windows, as the allowance is. */
const WINDOW_MS = 1_100;

/** A shop whose links nobody pays, at a pace. */
export interface Abandoned {
  readonly linksADay: number;
  /** The allowance of links that no shopper waits for. */
  readonly oldChecksPerSecond: number;
  readonly days: number;
}

/** How the checks of old links went on the last day. */
export interface Load {
  readonly checksASecond: number;
  /** How late the latest check was, in milliseconds. */
  readonly latestMs: number;
  /** Checks that were due and not made at the end. */
  readonly waiting: number;
}

/**
 * Plays the schedule of abandoned links in virtual time. A young link is checked when it is due; of
 * the old ones, what the allowance lets go, the longest due first. A link that is late stays on its
 * schedule from its late check on.
 */
export function playAbandoned({ linksADay, oldChecksPerSecond, days }: Abandoned): Load {
  const chance = new Chance(1);
  const due = new Map<number, number[]>();
  let queue: { readonly madeAt: number; readonly dueAt: number }[] = [];
  let first = 0;
  const windowOf = (at: number): number => Math.ceil(at / WINDOW_MS);
  const plan = (madeAt: number, now: number): void => {
    const at = nextCheck(madeAt, now, chance.next());
    if (at === null) return;
    const links = due.get(windowOf(at)) ?? [];
    if (links.length === 0) due.set(windowOf(at), links);
    links.push(madeAt);
  };
  const load = { checks: 0, latestMs: 0 };
  const windows = windowOf(days * DAY_MS);
  let made = 0;
  for (let window = 1; window <= windows; window += 1) {
    const now = window * WINDOW_MS;
    for (; made < (now / DAY_MS) * linksADay; made += 1) plan(now, now);
    for (const madeAt of due.get(window) ?? []) {
      if (now - madeAt < YOUNG_MS) plan(madeAt, now);
      else queue.push({ madeAt, dueAt: now });
    }
    due.delete(window);
    const isLastDay = now > (days - 1) * DAY_MS;
    for (let checks = 0; checks < oldChecksPerSecond && first < queue.length; checks += 1) {
      const next = queue[first];
      first += 1;
      if (next === undefined) break;
      if (isLastDay) {
        load.checks += 1;
        load.latestMs = Math.max(load.latestMs, now - next.dueAt);
      }
      plan(next.madeAt, now);
    }
    if (first > 100_000) {
      queue = queue.slice(first);
      first = 0;
    }
  }
  const checksASecond = load.checks / (DAY_MS / 1_000);
  return { checksASecond, latestMs: load.latestMs, waiting: queue.length - first };
}
