import type { PaymentEvent } from '../payments/payment-record.ts';
import type { Delivery, DeliveryReport } from '../stores/store.ts';
import { nameOf } from '../error-name.ts';
import { observe } from '../observability/steps.ts';
import { withDeadline } from './deadline.ts';
import type { FlowContext } from './flow-context.ts';

const EVENTS_PER_TICK = 50;
const DELIVERY_LEASE_MS = 60_000;
/** A handler that takes longer counts as failed, and may be called again beside itself. */
const HANDLER_DEADLINE_MS = 50_000;
/** After this many tries an event is a dead letter. */
const MAX_TRIES = 20;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 3_600_000;

/** What delivering needs. */
type DeliveryContext<Tx> = Pick<FlowContext<Tx>, 'store' | 'clock' | 'on' | 'logger'>;

/**
 * Hands undelivered events to the merchant's `on` handlers: at least once each, again with back-off
 * when a handler throws.
 *
 * @returns how many were handled well.
 */
export async function deliverEvents<Tx>(
  context: DeliveryContext<Tx>,
  signal?: AbortSignal,
): Promise<number> {
  const { store, clock } = context;
  const isOver = (): boolean => signal?.aborted === true;
  let delivered = 0;
  for (let claimed = 0; claimed < EVENTS_PER_TICK && !isOver(); claimed += 1) {
    // One at a time, so that no lease runs while another event's handler is at work.
    const [delivery] = await store.claimEvents(clock.now(), 1, DELIVERY_LEASE_MS);
    if (delivery === undefined) break;
    const report = await deliver(context, delivery);
    if (report.outcome === 'done') delivered += 1;
    await store.reportDelivery(delivery, report);
  }
  return delivered;
}

async function deliver<Tx>(
  { on, clock, logger }: DeliveryContext<Tx>,
  { event, tryNumber }: Delivery,
): Promise<DeliveryReport> {
  const handle: ((event: PaymentEvent) => void | Promise<void>) | undefined = on[event.type];
  try {
    const details = { type: event.type, orderId: event.orderId, tryNumber };
    await observe('delivery', { details }, () =>
      withDeadline(clock, HANDLER_DEADLINE_MS, async () => handle?.(event)),
    );
    return { outcome: 'done' };
  } catch (error) {
    const fields = { eventId: event.id, tryNumber, error: nameOf(error) };
    if (tryNumber >= MAX_TRIES) {
      logger.error(fields, 'an event is a dead letter: its handler kept failing');
      return { outcome: 'dead' };
    }
    logger.warn(fields, 'an event handler failed and will be called again');
    const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tryNumber - 1));
    return { outcome: 'again', at: clock.now() + wait };
  }
}
