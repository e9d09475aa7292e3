import type { Clock } from '../clock.ts';
import type { Store } from '../stores/store.ts';
import { withDeadline } from './deadline.ts';

/** An answer holds for so long, so that a flood of questions is no flood of writes. */
const KEPT_MS = 2_000;

/** Whether a store can be written, found out by writing to it: once for all who ask. */
export class Writability {
  readonly #store: Pick<Store<unknown>, 'checkWritable'>;
  readonly #clock: Clock;
  #answer: Promise<boolean> | undefined;
  #answeredAt: number | undefined;

  constructor(store: Pick<Store<unknown>, 'checkWritable'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A write that is not answered in time counts as one that failed. */
  async ask(deadlineMs: number): Promise<boolean> {
    if (this.#answer === undefined || this.#isStale()) {
      this.#answeredAt = undefined;
      this.#answer = this.#write();
    }
    const answer = this.#answer;
    return withDeadline(this.#clock, deadlineMs, () => answer).catch(() => false);
  }

  /** A write under way is waited for, not doubled. */
  #isStale(): boolean {
    if (this.#answeredAt === undefined) return false;
    const age = this.#clock.now() - this.#answeredAt;
    return age >= KEPT_MS || age < 0;
  }

  async #write(): Promise<boolean> {
    try {
      await this.#store.checkWritable?.();
      return true;
    } catch {
      return false;
    } finally {
      this.#answeredAt = this.#clock.now();
    }
  }
}
