import { StoreDeadlineError } from '../store-errors.ts';

/** Lets so many pieces of work run at once; the others wait for their turn, in their order. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Does a piece of work in its turn.
   *
   * @param waitMs - How long to wait for the turn, in milliseconds.
   * @throws {@link StoreDeadlineError} when the turn did not come; nothing was begun then.
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
