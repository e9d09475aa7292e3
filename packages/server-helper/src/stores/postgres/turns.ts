import { StoreDeadlineError } from '../store-errors.ts';

/** Limits how many pieces of work run at once. Further work waits in the order of arrival. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Runs a piece of work in its turn.
   *
   * @param waitMs - How long to wait for the turn, in milliseconds.
   * @throws {@link StoreDeadlineError} when no turn came in time. The work has not begun then.
   */
  async run<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
    await this.#turn(waitMs);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The turn is handed over, so that a newcomer does not take it.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(waitMs: number): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new StoreDeadlineError('others held the database for too long'));
      }, waitMs);
      this.#waiting.push(take);
    });
  }
}
