import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { Answer } from './http.ts';
import { problem } from './problem.ts';
import type { RouteHandlers } from './route-table.ts';

/** How often the event loop is measured, in milliseconds; requests cause it, no timer. */
const SAMPLE_MS = 100;

/** From this share of the time on, the process takes more requests than it answers. */
const BUSY = 0.95;

/** How far one sample raises or lowers {@link LoadShedding}'s pressure. */
const STEP = 0.05;

/** The pressure of a process at rest: two seconds without a pause pass before anything is refused. */
const REST = -1;

/** What the element waits for before it asks again, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** What can be refused, the cheapest for a shopper first: a poll is only repeated later. */
const turns: readonly (keyof RouteHandlers)[] = ['status', 'checkout'];

/** How busy the event loop was since the last call, from 0 to 1. */
export type MeasureBusyness = () => number;

/**
 * Refuses requests while the process cannot answer all that arrive, so that those it takes are
 * answered in time: status polls first, and checkouts only when every poll is refused already.
 * Webhooks and returns are always taken: each is one write, and the payment behind it is not asked
 * for again by anybody but us.
 *
 * The pressure rises while the event loop is busy without a pause and falls while it is not. From 0
 * to 1 it is the share of polls that are refused, from 1 to 2 the share of checkouts; below 0 a
 * process that is busy for a moment refuses nothing.
 */
export class LoadShedding {
  readonly #measure: MeasureBusyness;
  readonly #now: () => number;
  readonly #owed = new Map<keyof RouteHandlers, number>();
  #pressure = REST;
  #sampledAt: number;

  /** @param now - A clock that never goes back, in milliseconds. */
  constructor(measure: MeasureBusyness = eventLoopBusyness(), now = () => performance.now()) {
    this.#measure = measure;
    this.#now = now;
    this.#sampledAt = now();
  }

  /** The refusal of a request, or `null` when it is to be answered. */
  refusalOf(route: keyof RouteHandlers): Answer | null {
    this.#sample();
    const turn = turns.indexOf(route);
    if (turn === -1) return null;
    const share = Math.min(1, Math.max(0, this.#pressure - turn));
    const owed = (this.#owed.get(route) ?? 0) + share;
    const isRefused = owed >= 1;
    this.#owed.set(route, share === 0 ? 0 : owed - (isRefused ? 1 : 0));
    return isRefused ? overloaded() : null;
  }

  #sample(): void {
    const now = this.#now();
    const samples = Math.floor((now - this.#sampledAt) / SAMPLE_MS);
    if (samples === 0) return;
    this.#sampledAt = now;
    // A long time without a request was a time without load: it counts for each of its samples.
    const change = this.#measure() > BUSY ? STEP : -STEP * samples;
    this.#pressure = Math.min(turns.length, Math.max(REST, this.#pressure + change));
  }
}

function eventLoopBusyness(): MeasureBusyness {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

const overloaded = (): Answer =>
  problem('overloaded', `Nothing was charged. Try again in ${RETRY_AFTER_SECONDS} s.`, {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
