import { ConfigurationError, PaymentsError } from '../errors.ts';
import { DeadlineError, withDeadline } from './deadline.ts';
import type { FlowContext } from './flow-context.ts';

/** How long a caller waits for the store to be opened. */
const DEADLINE_MS = 4_000;

/** Opens the store once: connects, migrates, and sets the clock by the database's. */
export class Opening<Tx> {
  readonly #context: FlowContext<Tx>;
  #opened: Promise<void> | undefined;
  #isOpen = false;

  constructor(context: FlowContext<Tx>) {
    this.#context = context;
  }

  /**
   * Resolves when the store is open; a failure is tried again by the next caller. Opening that takes
   * long, as a migration may, goes on without those who waited.
   *
   * @throws {@link PaymentsError} `store_unavailable`.
   */
  async ready(): Promise<void> {
    if (this.#isOpen) return;
    this.#opened ??= this.#open();
    const opened = this.#opened;
    try {
      await withDeadline(this.#context.clock, DEADLINE_MS, () => opened);
    } catch (error) {
      if (!(error instanceof DeadlineError) && this.#opened === opened) this.#opened = undefined;
      if (error instanceof ConfigurationError) throw error;
      throw new PaymentsError('store_unavailable', 'The payments store cannot be opened.', {
        cause: error,
      });
    }
  }

  /** Resolves when nothing is being opened any more, well or not; for as long as a caller waits. */
  async ended(): Promise<void> {
    const { clock } = this.#context;
    const opened = this.#opened ?? Promise.resolve();
    await withDeadline(clock, DEADLINE_MS, () => opened).catch(() => undefined);
  }

  async #open(): Promise<void> {
    const { store, scope } = this.#context;
    await store.open(scope);
    await alignClock(this.#context);
    this.#isOpen = true;
  }
}

/** Sets the clock by the database's, where there is one: machines' clocks drift apart. */
export async function alignClock<Tx>({ store, alignClock: align }: FlowContext<Tx>): Promise<void> {
  const offsetMs = await store.clockOffsetMs?.();
  if (offsetMs !== undefined) align?.(offsetMs);
}
