import type { Effect } from './domain/effect.ts';
import type { Machine } from './machine.ts';

/**
 * Moves a tenant's clock forward and fires what falls due on the way, in the order of time. A
 * webhook that is sent on the way is answered, or given up, before time goes on: so a retry that
 * its failure calls for falls due on the same journey. Null: the goal lies in the past.
 */
export async function travel(
  machine: Machine,
  tenant: string,
  goal: { readonly byMs: number } | { readonly toMs: number },
): Promise<{ now: number; fired: readonly Effect[] } | null> {
  await machine.outcomes(tenant);
  const fired: Effect[] = [];
  const target = 'byMs' in goal ? machine.now(tenant) + goal.byMs : goal.toMs;
  let leg = goal;
  for (;;) {
    const { reply, effects } = await machine.execute({ kind: 'advance-clock', tenant, ...leg });
    if (reply.kind === 'in-the-past') return null;
    fired.push(...effects);
    if (reply.pausedAt === null) return { now: reply.now, fired };
    await machine.outcomes(tenant);
    // A running clock may have gone past the target while the outcome was awaited.
    leg = { byMs: Math.max(target - machine.now(tenant), 0) };
  }
}
