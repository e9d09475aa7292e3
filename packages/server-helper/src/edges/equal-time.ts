/** Longer than a store takes over a hint on a usual day, and short for a sender of webhooks. */
export const EQUAL_TIME_MS = 50;

/**
 * Waits for work, and then for the end of the current period since its start. Work that takes less
 * than a period seems to take the same time whatever it found: the timers do not depend on it.
 */
export async function inEqualTime<T>(work: () => Promise<T>): Promise<T> {
  const period = () => new Promise((resolve) => setTimeout(resolve, EQUAL_TIME_MS));
  const first = period();
  const state = { isDone: false };
  const result = work().finally(() => (state.isDone = true));
  // A rejection is for the caller, who is given it at the end of the period.
  result.catch(() => undefined);
  await first;
  while (!state.isDone) await period();
  return result;
}
