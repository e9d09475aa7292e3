import { nameOf } from '../error-name.ts';
import type { DueAttempt } from '../stores/store.ts';
import { confirm } from './confirm.ts';
import { withDeadline } from './deadline.ts';
import { deliverEvents } from './deliver-events.ts';
import type { FlowContext } from './flow-context.ts';
import { alignClock } from './open-store.ts';

/** Attempts looked at in one tick; the rest waits for the next. */
const LOOKS_PER_TICK = 20;
/** Events taken in one tick, so that a tick of a timer ends; the background work takes all. */
const EVENTS_PER_TICK = 200;
/** Status calls under way at once. */
const PARALLEL_LOOKS = 5;
/** An attempt that a dying process had claimed is claimed again after this long. */
const CLAIM_LEASE_MS = 60_000;

/** What one tick did. */
export interface TickReport {
  /** Attempts that were due for a look. */
  readonly looked: number;
  /** Events handed to `on` handlers. */
  readonly delivered: number;
}

/**
 * Does the background work that is due: looks at watched attempts, delivers events. Any number of
 * processes may tick at once; they take different work.
 */
export async function tick<Tx>(context: FlowContext<Tx>): Promise<TickReport> {
  // Side by side: a silent gateway must not keep the merchant's handlers waiting.
  const [{ looked }, before] = await Promise.all([
    lookAtDue(context),
    deliverDue(context, undefined, EVENTS_PER_TICK),
  ]);
  const after = looked > 0 ? await deliverDue(context, undefined, EVENTS_PER_TICK) : nothing;
  return { looked, delivered: before.delivered + after.delivered };
}

const nothing: TickReport = { looked: 0, delivered: 0 };

/**
 * Looks at the watched attempts that are due, by the database's clock.
 *
 * @param signal - Lets what is under way end, and begins no more.
 */
export async function lookAtDue<Tx>(
  context: FlowContext<Tx>,
  signal?: AbortSignal,
): Promise<TickReport> {
  const { store, clock } = context;
  await alignClock(context);
  const isOver = (): boolean => signal?.aborted === true;
  let looked = 0;
  while (looked < LOOKS_PER_TICK && !isOver()) {
    const due = await store.claimDue(clock.now(), PARALLEL_LOOKS, CLAIM_LEASE_MS);
    if (due.length === 0) break;
    await Promise.all(due.map((attempt) => lookAt(context, attempt)));
    looked += due.length;
  }
  return { ...nothing, looked };
}

/**
 * Delivers the events that are due.
 *
 * @param most - Events to take at most.
 */
export async function deliverDue<Tx>(
  context: FlowContext<Tx>,
  signal?: AbortSignal,
  most?: number,
): Promise<TickReport> {
  return { ...nothing, delivered: await deliverEvents(context, signal, most) };
}

/** One order's trouble must not keep the others waiting; its lease brings it back. */
async function lookAt<Tx>(context: FlowContext<Tx>, due: DueAttempt): Promise<void> {
  try {
    await withDeadline(context.clock, CLAIM_LEASE_MS, () => confirm(context, due));
  } catch (error) {
    const { orderId } = due;
    context.logger.error({ orderId, error: nameOf(error) }, 'a look failed and will be repeated');
  }
}
