import { performance } from 'node:perf_hooks';
import type { Answer } from './http.ts';
import { problem } from './problem.ts';
import type { RouteName } from './route-table.ts';

/** From then on a turn of the event loop is late and takes no further poll. */
const POLLS_MS = 100;

/** From then on a turn takes no further checkout. A checkout needs several turns. */
const CHECKOUTS_MS = 200;

/** A process that waited for work for longer than this has nothing left of the turn before. */
const REST_MS = 1;

/** Turns are late for this long before anything is refused. */
const LATE_FOR_MS = 1_000;

/** Turns are late no more when none was for this long. */
const CALM_MS = 2_000;

/** When the element asks again, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Refuses requests while the process cannot answer all that arrive, so that those it takes are
 * answered in time: status polls first, because a refused poll is only repeated later, and checkouts
 * when every poll is refused already. Webhooks and returns are always taken: each is one write.
 *
 * The sign of too much is a late event loop. A turn of the loop takes all the requests that arrived
 * during the turn before it, and goes on with those of earlier turns. A process that is merely busy
 * has done so after some milliseconds; where requests arrive faster than they are answered, each turn
 * has more to do than the last one. So each turn takes requests for a time only, and refuses the
 * others that it has.
 */
export class LoadShedding {
  #isInTurn = false;
  #turnBeganAt = -Infinity;
  #idleMsAtEnd = -Infinity;
  #lateSince = 0;
  #lateAt = -Infinity;
  #checkoutRefusedAt = -Infinity;

  /** The refusal of a request, or `null` when it is to be answered. */
  refusalOf(route: RouteName): Answer | null {
    const now = performance.now();
    const turnMs = this.#turnMs(now);
    if (turnMs > POLLS_MS) {
      if (now - this.#lateAt > CALM_MS) this.#lateSince = now;
      this.#lateAt = now;
    }
    const isLate = now - this.#lateAt <= CALM_MS;
    if (!isLate || this.#lateAt - this.#lateSince < LATE_FOR_MS) return null;
    if ((route === 'checkout' || route === 'link') && turnMs > CHECKOUTS_MS) {
      this.#checkoutRefusedAt = now;
      return overloaded();
    }
    const checkoutsAreRefused = now - this.#checkoutRefusedAt <= CALM_MS;
    if (route === 'status' && (turnMs > POLLS_MS || checkoutsAreRefused)) return overloaded();
    return null;
  }

  /**
   * How long this turn lasts: since the turn before had taken its last request, or, where the process
   * has rested since then, since its own first request.
   */
  #turnMs(now: number): number {
    if (!this.#isInTurn) {
      this.#isInTurn = true;
      if (idleMs() - this.#idleMsAtEnd > REST_MS) this.#turnBeganAt = now;
      // It runs when this turn has taken its last request.
      setImmediate(() => {
        this.#isInTurn = false;
        this.#turnBeganAt = performance.now();
        this.#idleMsAtEnd = idleMs();
      });
    }
    return now - this.#turnBeganAt;
  }
}

/** How long the event loop has waited for something to do, ever. */
const idleMs = (): number => performance.eventLoopUtilization().idle;

const overloaded = (): Answer =>
  problem('overloaded', `Nothing was charged. Try again in ${RETRY_AFTER_SECONDS} s.`, {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
