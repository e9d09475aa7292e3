/** Work that several callers share. */
export interface Flight<T> {
  readonly result: Promise<T>;
  /** Whether the work was under way before this call. */
  readonly joined: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Work under way, by key. Calls for the same key share one result. */
export class SingleFlight<T> {
  readonly #underWay = new Map<string, Flight<T>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Starts the work, or joins what is under way for this key. */
  run(key: string, work: () => Promise<T>): Flight<T> {
    const existing = this.#underWay.get(key);
    if (existing !== undefined) return { ...existing, joined: true };
    const result = work().finally(() => this.#underWay.delete(key));
    const flight = { result, joined: false, startedAt: this.#now() };
    this.#underWay.set(key, flight);
    return flight;
  }

  /** Does the work once what is under way for this key has ended, well or not. */
  async inTurn(key: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      const { result, joined } = this.run(key, work);
      if (!joined) return result;
      await result.catch(() => undefined);
    }
  }

  /** Resolves when all that is under way has ended, well or not. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ result }) => result));
  }
}

/**
 * Rounds of one piece of work, one after the other. A call during a round gets the round after it,
 * which all such callers share: that round sees what they have written.
 */
export class Rounds<T> {
  readonly #work: () => Promise<T>;
  #current: Promise<T> | undefined;
  #next: Promise<T> | undefined;

  constructor(work: () => Promise<T>) {
    this.#work = work;
  }

  run(): Promise<T> {
    if (this.#current === undefined) return this.#begin();
    const afterwards = (): Promise<T> => {
      this.#next = undefined;
      return this.#begin();
    };
    this.#next ??= this.#current.then(afterwards, afterwards);
    return this.#next;
  }

  #begin(): Promise<T> {
    const round = this.#work().finally(() => {
      if (this.#current === round) this.#current = undefined;
    });
    this.#current = round;
    return round;
  }
}
