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

  /** Resolves when all that is under way has ended, well or not. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#underWay.values()].map(({ result }) => result));
  }
}
