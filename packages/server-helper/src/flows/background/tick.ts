import { checkOthers, type DueChecks, KeyedQueue } from './check-due.ts';
import type { EventHandlers } from '../../options/payments-options.ts';
import type { PaymentEvent, PaymentEventType } from '../../payments/record.ts';
import type { Backlog, Delivery, DeliveryReport } from '../../stores/store.ts';
import type { Clock } from '../../clock.ts';
import { ConfigurationError, helpAddress, nameOf } from '../../errors.ts';
import type { Logger, OnceAMinute, ReportError } from '../../logger.ts';
import { observe } from '../../telemetry.ts';
import { inTime, withDeadline } from '../waiting.ts';
import type { FlowContext } from '../flow-context.ts';

/** Events taken in one tick, so that a tick of a timer ends; the background work takes all. */
const EVENTS_PER_TICK = 200;

/** The result of one tick. */
export interface TickReport {
  /** Attempts that were due for a status check. */
  readonly checked: number;
  /** Events handed to `on` handlers. */
  readonly delivered: number;
}

/** What background work has at hand. */
export interface Background<Tx> extends DueChecks<Tx> {
  /** Checks what a shopper may wait for, in one round at a time in this process. */
  readonly checkAwaited: () => Promise<number>;
  readonly alignClock: () => Promise<void>;
}

/** One kind of background work. */
export type Work = <Tx>(background: Background<Tx>, signal?: AbortSignal) => Promise<TickReport>;

/** Does the background work that is due. Processes that tick at once take different work. */
export async function tick<Tx>(background: Background<Tx>): Promise<TickReport> {
  const { context } = background;
  await background.alignClock();
  // These run concurrently: a silent gateway must not delay the merchant's handlers.
  const [awaited, rest, before] = await Promise.all([
    background.checkAwaited(),
    checkOthers(background),
    deliverEvents(context, undefined, EVENTS_PER_TICK),
  ]);
  const checked = awaited + rest;
  const after = checked > 0 ? await deliverEvents(context, undefined, EVENTS_PER_TICK) : 0;
  return { checked, delivered: before + after };
}

/**
 * What runs in the background, each at its own pace: neither a slow handler nor the rest of an
 * outage may delay a status check that a shopper waits for.
 */
export const backgroundWork: readonly Work[] = [
  async ({ alignClock, checkAwaited }) => {
    await alignClock();
    return { checked: await checkAwaited(), delivered: 0 };
  },
  async (background, signal) => ({ checked: await checkOthers(background, signal), delivered: 0 }),
  async ({ context }, signal) => ({ checked: 0, delivered: await deliverEvents(context, signal) }),
];

/** Concurrent handlers, so that a slow handler delays no other order. */
const PARALLEL_DELIVERIES = 10;
const DELIVERY_LEASE_MS = 60_000;
/** A handler that takes longer counts as failed, and may be called again while the first call still runs. */
const HANDLER_DEADLINE_MS = 50_000;
/** How often the store is asked for further events while handlers run. */
const CLAIM_PAUSE_MS = 1_000;
/** After so many tries an event is dead. A claim is a try: a handler may end the process. */
const MAX_TRIES = 20;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 3_600_000;

/** The parts of the context that delivery uses. */
type Context<Tx> = Pick<FlowContext<Tx>, 'store' | 'clock' | 'on' | 'logger' | 'reportError'>;

/** The types of events that this process delivers: those with a handler. */
export function handledTypes(on: EventHandlers): readonly PaymentEventType[] {
  return (Object.keys(on) as PaymentEventType[]).filter((type) => on[type] !== undefined);
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
  context: Context<Tx>,
  signal?: AbortSignal,
  most = Infinity,
): Promise<number> {
  const { store, clock, logger, on } = context;
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
    // It is on the review list before its last try, which may end the process.
    const fields = { eventId: delivery.event.id, tryNumber: delivery.tryNumber };
    logger.error(fields, 'an event is a dead letter: its deliveries did not end');
    await store.endDelivery(delivery, { outcome: 'dead' });
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
      const isLast = ({ tryNumber }: Delivery): boolean => tryNumber > MAX_TRIES;
      for (const delivery of deliveries.filter((one) => !isLast(one))) begin(delivery);
      for (const delivery of deliveries.filter(isLast)) await beginAlone(delivery);
      if (deliveries.length > 0) continue;
      if (wasIdle) break;
      // An event that was handled during the claim lets the next one of its order be claimed now.
      if (queue.isIdle) continue;
      await inTime(clock, CLAIM_PAUSE_MS, () => queue.oneEnded());
    }
  } finally {
    await queue.allEnded();
  }
  return delivered;
}

async function deliver<Tx>(
  { on, clock, logger, reportError }: Context<Tx>,
  { event, tryNumber }: Delivery,
): Promise<DeliveryReport> {
  // The handler of a type takes the events of that type.
  const handle = on[event.type] as ((given: PaymentEvent) => void | Promise<void>) | undefined;
  try {
    const details = { type: event.type, orderId: event.orderId, tryNumber };
    await observe('delivery', { details }, () =>
      // What the handler changes of it is its own, also where it is tried again.
      withDeadline(clock, HANDLER_DEADLINE_MS, async () => handle?.(structuredClone(event))),
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

/** How often the backlog is read. */
const LOOK_PAUSE_MS = 60_000;

/** Work that is as late as this was begun by no process. */
const LATE_MS = 60_000;

/**
 * Warns once where events or status checks wait and this process, which takes payments, has done no
 * background work: no `start()`, no `tick()`. Where another process does it, nothing is late.
 */
export function missingBackground<Tx>(
  { clock, notices }: Pick<FlowContext<Tx>, 'clock' | 'notices'>,
  readBacklog: () => Promise<Backlog>,
  stop: AbortSignal,
) {
  let isWatching = notices === undefined;
  let isOver = false;
  /** Notes that this process does background work. */
  const end = (): void => void (isOver = true);
  const watchLateness = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_PAUSE_MS, stop).catch(end);
      if (isOver || stop.aborted) return;
      // A store that does not answer is reported where it failed.
      const backlog = await readBacklog().catch(() => null);
      const { oldestDueAt = null, oldestUndeliveredAt = null } = backlog ?? {};
      const waitingMs =
        clock.now() - Math.min(oldestDueAt ?? Infinity, oldestUndeliveredAt ?? Infinity);
      if (waitingMs <= LATE_MS || isOver) continue;
      end();
      notices?.warn(
        { code: 'events_overdue', waitingMs },
        `events or status checks wait, and this process does no background work: call payments.start(), or payments.tick() every minute, in one process at least. See ${helpAddress('events_overdue')}`,
      );
    }
  };
  /** Reads the backlog from now on, once a minute. */
  const watch = (): void => {
    if (!isWatching) void watchLateness();
    isWatching = true;
  };
  return { watch, end };
}

/** The ways by which the merchant hears of trouble. */
export interface Reports {
  readonly logger: Logger;
  /** Where the shop reads what it must know: the logger, or else the console. */
  readonly notices: Pick<Logger, 'error' | 'warn'>;
  readonly once: OnceAMinute;
  readonly reportError: ReportError;
}

/** The background work of a process: a loop for each kind, started and stopped together, none ever twice at once. */
export function backgroundLoops(
  flows: { readonly background: (work: Work, signal: AbortSignal) => Promise<unknown> },
  clock: Clock,
  { logger, once, reportError }: Reports,
) {
  const onError = (error: unknown): void => {
    // Work that comes behind the end of its shop is no failure.
    if (error instanceof ConfigurationError && error.code === 'closed') return;
    reportError(error, { where: 'background' });
    if (!once.lets(`background ${nameOf(error)}`)) return;
    logger.error({ error: nameOf(error) }, 'background work failed and will be repeated');
  };
  let stop: AbortController | undefined;
  /** What was stopped before may not have ended yet. */
  let former: Promise<unknown> = Promise.resolve();
  return {
    start: (): void => {
      if (stop !== undefined) return;
      const { signal } = (stop = new AbortController());
      const begin = (work: Work): Promise<void> =>
        repeat(() => flows.background(work, signal), clock, onError, signal);
      former = former.then(() => Promise.all(backgroundWork.map(begin)));
    },
    stop: (): void => {
      stop?.abort();
      stop = undefined;
    },
  };
}

/** Between the end of one tick and the start of the next. */
const PAUSE_MS = 1_000;

/** Repeats a piece of work until it is stopped. Resolves when the work under way has ended. */
export async function repeat(
  work: () => Promise<unknown>,
  clock: Clock,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
    await clock.sleep(PAUSE_MS, signal).catch(() => undefined);
  }
}
