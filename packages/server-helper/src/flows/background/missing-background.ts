import { helpAddress } from '../../errors.ts';
import type { Backlog } from '../../stores/store.ts';
import type { FlowContext } from '../flow-context.ts';

/** How often the backlog is read. */
const PAUSE_MS = 60_000;

/** Work that is as late as this was begun by no process. */
const LATE_MS = 60_000;

/**
 * Warns once where events or status checks wait and this process, which takes payments, has done no
 * background work: neither `start()` nor `tick()` was called. Where another process does it, nothing
 * is late, and nothing is said.
 */
export class MissingBackground<Tx> {
  readonly #context: Pick<FlowContext<Tx>, 'clock' | 'notices'>;
  readonly #readBacklog: () => Promise<Backlog>;
  readonly #stop: AbortSignal;
  #isWatching = false;
  #isOver = false;

  constructor(
    context: Pick<FlowContext<Tx>, 'clock' | 'notices'>,
    readBacklog: () => Promise<Backlog>,
    stop: AbortSignal,
  ) {
    this.#context = context;
    this.#readBacklog = readBacklog;
    this.#stop = stop;
  }

  /** Notes that this process does background work. */
  end(): void {
    this.#isOver = true;
  }

  /** Reads the backlog from now on, once a minute. */
  watch(): void {
    if (this.#isWatching || this.#context.notices === undefined) return;
    this.#isWatching = true;
    void this.#watch();
  }

  async #watch(): Promise<void> {
    const { clock } = this.#context;
    while (!this.#isOver && !this.#stop.aborted) {
      await clock.sleep(PAUSE_MS, this.#stop).catch(() => this.end());
      // A store that does not answer is reported where it failed.
      const backlog = this.#isOver ? null : await this.#readBacklog().catch(() => null);
      const waitingMs = backlog === null ? 0 : clock.now() - oldestOf(backlog);
      if (waitingMs > LATE_MS && !this.#isOver) this.#warn(waitingMs);
    }
  }

  #warn(waitingMs: number): void {
    this.end();
    this.#context.notices?.warn(
      { code: 'events_overdue', waitingMs },
      `events or status checks wait, and this process does no background work: call payments.start(), or payments.tick() every minute, in one process at least. See ${helpAddress('events_overdue')}`,
    );
  }
}

const oldestOf = ({ oldestDueAt, oldestUndeliveredAt }: Backlog): number =>
  Math.min(oldestDueAt ?? Infinity, oldestUndeliveredAt ?? Infinity);
