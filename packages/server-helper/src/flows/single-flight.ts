/** Work that others may share. */
export interface Flight<T> {
  readonly result: Promise<T>;
  /** Whether it was under way before it was asked for. */
  readonly joined: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Work under way, by key: calls for the same key meanwhile get the same result. */
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
