import type { EventHandlers } from '../../options/payments-options.ts';
import type { PaymentEvent, PaymentEventType } from '../../payments/payment-record.ts';
import type { Delivery, DeliveryReport } from '../../stores/store.ts';
import { nameOf } from '../../errors.ts';
import { observe } from '../../observability/steps.ts';
import { nullWhenLate, withDeadline } from '../deadline.ts';
import type { FlowContext } from '../flow-context.ts';
import { KeyedQueue } from './keyed-queue.ts';

/** Concurrent handlers, so that a slow handler delays no other order. */
const PARALLEL_DELIVERIES = 10;
const DELIVERY_LEASE_MS = 60_000;
/**
 * A handler that takes longer counts as failed. It may be called again while the first call still
 * runs.
 */
const HANDLER_DEADLINE_MS = 50_000;
/** How often the store is asked for further events while handlers run. */
const PAUSE_MS = 1_000;
/**
 * After this many tries an event is a dead letter. A claim is a try, whatever came of it: a handler
 * may end the whole process.
 */
const MAX_TRIES = 20;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 3_600_000;

/** The parts of the context that delivery uses. */
type DeliveryContext<Tx> = Pick<
  FlowContext<Tx>,
  'store' | 'clock' | 'on' | 'logger' | 'reportError'
>;

/** The types of events that this process delivers: those with a handler. */
export function handledTypes(on: EventHandlers): readonly PaymentEventType[] {
  const types = Object.keys(on) as PaymentEventType[];
  return types.filter((type) => on[type] !== undefined);
}

/**
 * Hands undelivered events to the merchant's `on` handlers until none is due: at least once each,
 * again with back-off when a handler throws. Different orders' events are delivered side by side, one
 * order's one after the other, each after the handler of the one before has ended well or the event
 * has become a dead letter. Events without a handler here are left to a process that has one.
 *
 * An event whose tries are over although none was reported is delivered a last time, alone and as a
 * dead letter: its own handler or the handler of another event has ended the process again and again.
 *
 * @param most - Events to take at most.
 * @returns how many were handled well.
 */
export async function deliverEvents<Tx>(
  context: DeliveryContext<Tx>,
  signal?: AbortSignal,
  most = Infinity,
): Promise<number> {
  const { store, clock, on } = context;
  const types = handledTypes(on);
  if (types.length === 0) return 0;
  const queue = new KeyedQueue(PARALLEL_DELIVERIES);
  const isOver = (): boolean => signal?.aborted === true;
  let claimed = 0;
  let delivered = 0;
  const begin = (delivery: Delivery): void => {
    queue.begin(delivery.event.orderId, async () => {
      const report = await deliver(context, delivery);
      if (report.outcome === 'done') delivered += 1;
      await store.endDelivery(delivery, report);
    });
  };
  const beginAlone = async (delivery: Delivery): Promise<void> => {
    await queue.allEnded();
    if (isOver()) return;
    await markDead(context, delivery);
    begin(delivery);
    await queue.allEnded();
  };
  try {
    while (claimed < most && !isOver()) {
      if (queue.free === 0) {
        await queue.oneEnded();
        continue;
      }
      const wanted = Math.min(queue.free, most - claimed);
      const wasIdle = queue.isIdle;
      const deliveries = await store.claimEvents(clock.now(), wanted, DELIVERY_LEASE_MS, types);
      claimed += deliveries.length;
      const [usual, last] = byTries(deliveries);
      for (const delivery of usual) begin(delivery);
      for (const delivery of last) await beginAlone(delivery);
      if (deliveries.length > 0) continue;
      if (wasIdle) break;
      // An event that was handled during the claim lets the next one of its order be claimed now.
      if (queue.isIdle) continue;
      await withDeadline(clock, PAUSE_MS, () => queue.oneEnded()).catch(nullWhenLate);
    }
  } finally {
    await queue.allEnded();
  }
  return delivered;
}

/** Those with tries left, and those that no try was reported of. */
function byTries(
  deliveries: readonly Delivery[],
): readonly [readonly Delivery[], readonly Delivery[]] {
  const isLast = ({ tryNumber }: Delivery): boolean => tryNumber > MAX_TRIES;
  return [deliveries.filter((one) => !isLast(one)), deliveries.filter(isLast)];
}

/** Puts an event on the review list before its last try, which may end the process. */
async function markDead<Tx>(
  { store, logger }: DeliveryContext<Tx>,
  delivery: Delivery,
): Promise<void> {
  const { event, tryNumber } = delivery;
  logger.error(
    { eventId: event.id, tryNumber },
    'an event is a dead letter: its deliveries did not end',
  );
  await store.endDelivery(delivery, { outcome: 'dead' });
}

async function deliver<Tx>(
  { on, clock, logger, reportError }: DeliveryContext<Tx>,
  { event, tryNumber }: Delivery,
): Promise<DeliveryReport> {
  // The handler of a type takes the events of that type.
  const handle = on[event.type] as ((given: PaymentEvent) => void | Promise<void>) | undefined;
  try {
    const details = { type: event.type, orderId: event.orderId, tryNumber };
    await observe('delivery', { details }, () =>
      withDeadline(clock, HANDLER_DEADLINE_MS, async () => handle?.(event)),
    );
    return { outcome: 'done' };
  } catch (error) {
    const { type, orderId, id: eventId } = event;
    reportError?.(error, { where: `on.${type}`, orderId, eventId });
    const fields = { eventId, tryNumber, error: nameOf(error) };
    if (tryNumber >= MAX_TRIES) {
      logger.error(fields, 'an event is a dead letter: its handler kept failing');
      return { outcome: 'dead' };
    }
    logger.warn(fields, 'an event handler failed and will be called again');
    const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tryNumber - 1));
    return { outcome: 'again', at: clock.now() + wait };
  }
}
