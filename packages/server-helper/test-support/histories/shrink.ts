import type { Action, History } from './action.ts';

/** A history that is tried in so many smaller forms is small enough. */
const MOST_TRIES = 400;

/** Other bad luck may break the rule after fewer actions: so many seeds are tried for each form. */
const SEEDS = 8;

/**
 * Takes away from a history what its failure does not need: first the bad luck, then action after
 * action, in halves, quarters and so on.
 *
 * @param fails - Whether a history still fails in the same way.
 */
export async function shrink(
  history: History,
  fails: (smaller: History) => Promise<boolean>,
): Promise<History> {
  let smallest = history;
  let tries = 0;
  const attempt = async (smaller: History): Promise<void> => {
    tries += 1;
    if (tries > MOST_TRIES) return;
    for (let other = 0; other < SEEDS; other += 1) {
      const form = { ...smaller, seed: smaller.seed + other };
      if (await fails(form)) {
        smallest = form;
        return;
      }
    }
  };
  for (const fault of ['storeFaults', 'slowness', 'handlerFaults'] as const) {
    const { faultProfile } = smallest;
    if (faultProfile[fault] > 0)
      await attempt({ ...smallest, faultProfile: { ...faultProfile, [fault]: 0 } });
  }
  for (let size = Math.ceil(history.actions.length / 2); size > 0;) {
    const before = smallest;
    for (let from = smallest.actions.length - size; from > -size; from -= size) {
      const start = Math.max(0, from);
      await attempt({ ...smallest, actions: without(smallest.actions, start, start + size) });
    }
    if (smallest === before) size = Math.floor(size / 2);
  }
  return smallest;
}

/** What comes after stays when it was; what comes first may come at once. */
function without(actions: readonly Action[], from: number, to: number): readonly Action[] {
  const lost = from === 0 ? 0 : actions.slice(from, to).reduce((sum, { gapMs }) => sum + gapMs, 0);
  const [next, ...rest] = actions.slice(to);
  const after = next === undefined ? [] : [{ ...next, gapMs: next.gapMs + lost }, ...rest];
  return [...actions.slice(0, from), ...after];
}
