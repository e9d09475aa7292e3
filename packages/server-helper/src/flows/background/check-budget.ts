import type { FlowContext } from '../flow-context.ts';

/** How many status checks all processes may begin in a second. */
export interface Allowance {
  /** The counter in the store, beside those of the routes' limits. */
  readonly key: string;
  readonly perSecond: number;
}

/**
 * A little over a second, so that calls which leave late do not meet those of the next window, and
 * no second has more than its allowance.
 */
const WINDOW_MS = 1_100;

/**
 * Waits until each allowance has room for so many status checks. All processes share the allowances,
 * through counters in the store.
 *
 * @param count - At most what each allows in a second.
 * @returns `false` when the work was stopped meanwhile.
 */
export async function takeChecks<Tx>(
  { store, clock }: Pick<FlowContext<Tx>, 'store' | 'clock'>,
  allowances: readonly Allowance[],
  count: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const isOver = (): boolean => signal?.aborted === true;
  for (const { key, perSecond } of allowances) {
    for (;;) {
      if (isOver()) return false;
      const now = clock.now();
      const { hits, endsAt } = await store.count(key, count, { now, endsAt: now + WINDOW_MS });
      if (hits <= perSecond) break;
      await clock.sleep(Math.max(1, endsAt - now), signal).catch(() => undefined);
    }
  }
  return true;
}
