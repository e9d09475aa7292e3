import type { FlowContext } from './flow-context.ts';

/** Connects, migrates, and sets the clock by the database's. */
export async function openStore<Tx>(context: FlowContext<Tx>): Promise<void> {
  await context.store.open(context.scope);
  await alignClock(context);
}

/** Sets the clock by the database's, where there is one: machines' clocks drift apart. */
export async function alignClock<Tx>({ store, alignClock: align }: FlowContext<Tx>): Promise<void> {
  const offsetMs = await store.clockOffsetMs?.();
  if (offsetMs !== undefined) align?.(offsetMs);
}
