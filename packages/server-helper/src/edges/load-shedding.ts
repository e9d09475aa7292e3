import { performance } from 'node:perf_hooks';
import type { Answer } from './http.ts';
import { problem } from './problem.ts';
import type { RouteName } from './route-table.ts';

/** How often the event loop is measured, in milliseconds; a request causes it, no timer. */
const SAMPLE_MS = 100;

/** The limit of one turn of the event loop: a checkout needs several turns. */
const LATE_MS = 200;

/** The pressure changes by one in this time. */
const CHANGE_MS = 2_000;

/** The pressure of a process at rest: it is late for {@link CHANGE_MS} before it refuses anything. */
const REST = -1;

/** When the element asks again, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** The refusable requests, cheapest refusal first: a refused poll is only repeated later. */
const refusable: readonly RouteName[] = ['status', 'checkout'];

/**
 * Refuses requests while the process cannot answer all that arrive, so that those it takes are
 * answered in time: status polls first, and checkouts when every poll is refused already. Webhooks
 * and returns are always taken: each is one write.
 *
 * The sign of too much is a late event loop. A process that is merely busy answers each request in
 * the turn in which it arrives; where requests arrive faster than they are answered, each turn has
 * more of them than the last one. The pressure rises while turns are late and falls while they are
 * not. From 0 to 1 it is the share of polls that are refused, from 1 to 2 the share of checkouts.
 */
export class LoadShedding {
  readonly #owed = new Map<RouteName, number>();
  #pressure = REST;
  #measuredAt = performance.now();
  #isMeasuring = false;

  /** The refusal of a request, or `null` when it is to be answered. */
  refusalOf(route: RouteName): Answer | null {
    this.#measure();
    const turn = refusable.indexOf(route);
    if (turn === -1) return null;
    const share = Math.min(1, Math.max(0, this.#pressure - turn));
    const owed = (this.#owed.get(route) ?? 0) + share;
    const isRefused = owed >= 1;
    this.#owed.set(route, share === 0 ? 0 : owed - (isRefused ? 1 : 0));
    return isRefused ? overloaded() : null;
  }

  /** Measures how long this turn of the event loop lasts from now on. */
  #measure(): void {
    const now = performance.now();
    const elapsedMs = now - this.#measuredAt;
    if (this.#isMeasuring || elapsedMs < SAMPLE_MS) return;
    this.#isMeasuring = true;
    setImmediate(() => {
      this.#isMeasuring = false;
      this.#measuredAt = performance.now();
      const isLate = this.#measuredAt - now > LATE_MS;
      // A long time without a request was a time without load.
      const change = isLate ? Math.min(elapsedMs, 2 * LATE_MS) : -elapsedMs;
      const pressure = this.#pressure + change / CHANGE_MS;
      this.#pressure = Math.min(refusable.length, Math.max(REST, pressure));
    });
  }
}

const overloaded = (): Answer =>
  problem('overloaded', `Nothing was charged. Try again in ${RETRY_AFTER_SECONDS} s.`, {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
