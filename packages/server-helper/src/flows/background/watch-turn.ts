import type { FlowContext } from '../flow-context.ts';

/** Looks that nobody waits for, in one turn. */
export const CHECKS_A_TURN = 5;

/**
 * From one turn to the next: a little over a second, so that calls which leave late do not meet
 * those of the next turn, and no second has more than five.
 */
const TURN_MS = 1_100;

/** What turns are counted under, beside the edges' limits, whose names are longer. */
const KEY = 'watch';

/**
 * Waits for a turn of the watch. All processes share the turns, through the store: a turn is the
 * first hit of a window, and who comes second waits for the window's end.
 *
 * @returns `false` when the work was stopped meanwhile.
 */
export async function takeTurn<Tx>(
  { store, clock }: Pick<FlowContext<Tx>, 'store' | 'clock'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    const now = clock.now();
    const { hits, endsAt } = await store.countHits(KEY, 1, { now, endsAt: now + TURN_MS });
    if (hits === 1) return true;
    await clock.sleep(Math.max(1, endsAt - now), signal).catch(() => undefined);
  }
  return false;
}
