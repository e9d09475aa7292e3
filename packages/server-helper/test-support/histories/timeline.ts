/** A process that waits for something; a dead one waits for nothing. */
export interface Waiter {
  readonly isDead: boolean;
}

/** The world outlives every process. */
export const world: Waiter = { isDead: false };

interface Happening {
  readonly at: number;
  readonly waiter: Waiter;
  readonly work: () => unknown;
}

/**
 * Virtual time: one queue holds everything that any work waits for, and its items happen one after
 * the other. No other work runs meanwhile, so a history is the same each time.
 */
export class Timeline {
  #now = Date.UTC(2026, 0, 1);
  #queue: Happening[] = [];
  readonly #settled: () => Promise<unknown>;

  get now(): number {
    return this.#now;
  }

  /** @returns takes it back. */
  in(milliseconds: number, waiter: Waiter, work: () => unknown): () => void {
    const happening = { at: this.#now + milliseconds, waiter, work };
    // Behind what happens at the same time, so that equal moments keep their order.
    let index = this.#queue.length;
    while (index > 0 && (this.#queue[index - 1]?.at ?? 0) > happening.at) index -= 1;
    this.#queue.splice(index, 0, happening);
    return () => {
      this.#queue = this.#queue.filter((one) => one !== happening);
    };
  }

  /** @param settled - Resolves when no work can go on without something in the queue. */
  constructor(settled: () => Promise<unknown> = nextTurn) {
    this.#settled = settled;
  }

  /**
   * Lets everything happen until a moment; with `isOver`, at most until that is so.
   *
   * @param after - Called after each happening, when no work can go on without another one.
   */
  async runUntil(
    moment: number,
    isOver: () => boolean = () => false,
    after: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.#settled();
    while (!isOver() && (await this.#happen(moment))) await after();
    if (!isOver()) this.#now = Math.max(this.#now, moment);
  }

  /** Lets things happen while somebody waits, as long as there are any. */
  async runWhile(isWaiting: () => boolean): Promise<void> {
    await this.#settled();
    while (isWaiting() && (await this.#happen(Infinity)));
  }

  /** Lets the next thing happen. @returns whether there was one, at the moment or before. */
  async #happen(moment: number): Promise<boolean> {
    let next = this.#queue[0];
    while (next?.waiter.isDead === true) {
      this.#queue.shift();
      next = this.#queue[0];
    }
    if (next === undefined || next.at > moment) return false;
    this.#queue.shift();
    this.#now = Math.max(this.#now, next.at);
    await next.work();
    await this.#settled();
    return true;
  }

  sleep(waiter: Waiter, milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(new Error('aborted'));
      const takeBack = this.in(milliseconds, waiter, resolve);
      const wake = (): void => {
        takeBack();
        reject(new Error('aborted'));
      };
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}

/** A turn of the event loop. */
const nextTurn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
