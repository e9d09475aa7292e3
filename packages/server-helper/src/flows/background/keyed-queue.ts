/**
 * Work side by side, so much at once; work for the same key one after the other, in the order in
 * which it came.
 */
export class KeyedQueue {
  readonly #width: number;
  readonly #underWay = new Set<Promise<void>>();
  readonly #lastOf = new Map<string, Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(width: number) {
    this.#width = width;
  }

  /** How much more may begin now. */
  get free(): number {
    return this.#width - this.#underWay.size;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Begins the work once all that came before it for this key has ended, well or not. */
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

  /** Resolves when one has ended. @throws what the first that failed threw. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#underWay);
    this.#throwFailure();
  }

  /** Resolves when all have ended. @throws what the first that failed threw. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
