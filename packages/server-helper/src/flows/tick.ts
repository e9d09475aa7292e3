import { confirm } from './confirm.ts';
import { nameOf } from './commit-change.ts';
import { deliverEvents } from './deliver-events.ts';
import type { FlowContext } from './flow-context.ts';

/** Orders looked at in one tick; the rest waits for the next. */
const ORDERS_PER_TICK = 20;
/** Status calls under way at once. */
const PARALLEL_LOOKS = 5;
/** An order that a dying process had claimed is claimed again after this long. */
const CLAIM_LEASE_MS = 60_000;

/** What one tick did. */
export interface TickReport {
  /** Orders that the gateway was asked about. */
  readonly looked: number;
  /** Events handed to `on` handlers. */
  readonly delivered: number;
}

/**
 * Does the background work that is due: looks at watched attempts, delivers events. Any number of
 * processes may tick at once; they take different work.
 */
export async function tick<Tx>(context: FlowContext<Tx>): Promise<TickReport> {
  const { store, clock } = context;
  const orderIds = await store.claimDue(clock.now(), ORDERS_PER_TICK, CLAIM_LEASE_MS);
  for (let start = 0; start < orderIds.length; start += PARALLEL_LOOKS) {
    const batch = orderIds.slice(start, start + PARALLEL_LOOKS);
    await Promise.all(batch.map((orderId) => lookAt(context, orderId)));
  }
  return { looked: orderIds.length, delivered: await deliverEvents(context) };
}

/** One order's trouble must not keep the others waiting; its lease brings it back. */
async function lookAt<Tx>(context: FlowContext<Tx>, orderId: string): Promise<void> {
  try {
    await confirm(context, { orderId, includeSettled: false });
  } catch (error) {
    context.logger.error({ orderId, error: nameOf(error) }, 'a look failed and will be repeated');
  }
}
