/** Time that moves when nothing else does, so that no sleep is waited for in vain. */
export class QuietTime {
  now = Date.UTC(2026, 0, 1);
  readonly #turn: () => Promise<unknown>;
  readonly #turns: number;
  readonly #sleepers = new Set<{ readonly wakeAt: number }>();

  /**
   * @param turn - Lets others run.
   * @param turns - After so many, all that works on has ended.
   */
  constructor(turn: () => Promise<unknown>, turns: number) {
    this.#turn = turn;
    this.#turns = turns;
  }

  /** Moves time to the end of the sleep that ends first, once nothing has moved for a while. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const own = { wakeAt: this.now + milliseconds };
    this.#sleepers.add(own);
    try {
      for (let quiet = 0; quiet < this.#turns;) {
        const before = this.now;
        await this.#turn();
        if (signal?.aborted === true) throw new Error('aborted');
        const isFirst = [...this.#sleepers].every(({ wakeAt }) => wakeAt >= own.wakeAt);
        quiet = isFirst && before === this.now ? quiet + 1 : 0;
      }
      this.now = Math.max(this.now, own.wakeAt);
    } finally {
      this.#sleepers.delete(own);
    }
  }
}
