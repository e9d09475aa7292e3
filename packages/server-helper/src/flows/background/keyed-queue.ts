/**
 * Runs a limited amount of work concurrently. Work for the same key runs in the order of arrival,
 * one piece after the other.
 */
export class KeyedQueue {
  readonly #width: number;
  readonly #underWay = new Set<Promise<void>>();
  readonly #lastOf = new Map<string, Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(width: number) {
    this.#width = width;
  }

  /** How many more pieces may begin now. */
  get free(): number {
    return this.#width - this.#underWay.size;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Begins the work after all earlier work for this key has ended, also after failures. */
  begin(key: string, work: () => Promise<void>): void {
    const before = this.#lastOf.get(key) ?? Promise.resolve();
    const underWay = before
      .then(work)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#underWay.delete(underWay);
        if (this.#lastOf.get(key) === underWay) this.#lastOf.delete(key);
      });
    this.#underWay.add(underWay);
    this.#lastOf.set(key, underWay);
  }

  /** Resolves when one piece has ended. @throws the first failure. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#underWay);
    this.#throwFailure();
  }

  /** Resolves when all pieces have ended. @throws the first failure. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
