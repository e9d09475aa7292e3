import { deliverEvents } from './deliver-events.ts';
import { checkOthers, type DueChecks } from './check-due.ts';

/** Events taken in one tick, so that a tick of a timer ends; the background work takes all. */
const EVENTS_PER_TICK = 200;

/** The result of one tick. */
export interface TickReport {
  /** Attempts that were due for a status check. */
  readonly checked: number;
  /** Events handed to `on` handlers. */
  readonly delivered: number;
}

const nothing: TickReport = { checked: 0, delivered: 0 };

/** What background work has at hand. */
export interface Background<Tx> extends DueChecks<Tx> {
  /**
   * Checks the attempts that a shopper may wait for, in one round at a time in this process.
   *
   * @returns how many were due.
   */
  readonly checkAwaited: () => Promise<number>;
  readonly alignClock: () => Promise<void>;
}

/** One kind of background work. */
export type Work = <Tx>(background: Background<Tx>, signal?: AbortSignal) => Promise<TickReport>;

/**
 * Does the background work that is due: checks watched attempts, delivers events. Any number of
 * processes may tick at once; they take different work.
 */
export async function tick<Tx>(background: Background<Tx>): Promise<TickReport> {
  const { context } = background;
  await background.alignClock();
  // These run concurrently: a silent gateway must not delay the merchant's handlers.
  const [awaited, rest, before] = await Promise.all([
    background.checkAwaited(),
    checkOthers(background),
    deliverEvents(context, undefined, EVENTS_PER_TICK),
  ]);
  const checked = awaited + rest;
  const after = checked > 0 ? await deliverEvents(context, undefined, EVENTS_PER_TICK) : 0;
  return { checked, delivered: before + after };
}

/**
 * What runs in the background, each at its own pace: neither a slow handler nor the rest of an
 * outage may delay a status check that a shopper waits for.
 */
export const backgroundWork: readonly Work[] = [
  async ({ alignClock, checkAwaited }) => {
    await alignClock();
    return { ...nothing, checked: await checkAwaited() };
  },
  async (background, signal) => ({ ...nothing, checked: await checkOthers(background, signal) }),
  async ({ context }, signal) => ({ ...nothing, delivered: await deliverEvents(context, signal) }),
];
