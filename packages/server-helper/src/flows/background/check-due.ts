import { nameOf } from '../../errors.ts';
import { YOUNG_MS } from '../../payments/watch.ts';
import type { DueAttempt } from '../../stores/store.ts';
import { checkStatus } from '../confirm/check-status.ts';
import { withDeadline } from '../deadline.ts';
import type { FlowContext } from '../flow-context.ts';
import { KeyedQueue } from './keyed-queue.ts';

/** Status checks in one turn. */
const CHECKS_A_TURN = 5;

/**
 * From one turn to the next: a little over a second, so that calls which leave late do not meet
 * those of the next turn, and no second has more than five.
 */
const TURN_MS = 1_100;

/** The counter of turns in the store, beside the counters of the routes' limits. */
const TURN_KEY = 'watch';

/** Attempts checked in one call; at the pace of {@link takeTurn} that takes most of a minute. */
const CHECKS_AT_ONCE = 240;
/** Concurrent status calls for attempts that a shopper may wait for. */
const PARALLEL_CHECKS = 5;
/**
 * Concurrent status calls for other attempts. They begin rarely, so a slow gateway may take seconds
 * for each.
 */
const CHECKS_UNDER_WAY = 20;
/** The lease of a claimed attempt, after which another process claims it again. */
const CLAIM_LEASE_MS = 60_000;
/** A status check that is later than this has no waiting shopper any more. */
const AWAITED_MS = 2 * CLAIM_LEASE_MS;

/**
 * Checks the attempts that a shopper may wait for, as soon as they are due: young attempts, and
 * attempts with a hint that no status check has followed. Their number follows the number of
 * shoppers.
 *
 * @param signal - Lets what is under way end, and begins no more.
 * @returns how many were due.
 */
export async function checkAwaited<Tx>(
  context: FlowContext<Tx>,
  signal?: AbortSignal,
): Promise<number> {
  const { store, clock } = context;
  const isOver = (): boolean => signal?.aborted === true;
  let checked = 0;
  while (checked < CHECKS_AT_ONCE && !isOver()) {
    const now = clock.now();
    const wanted = { dueAfter: now - AWAITED_MS, madeAfter: now - YOUNG_MS };
    const due = await store.claimDue(now, PARALLEL_CHECKS, CLAIM_LEASE_MS, wanted);
    if (due.length === 0) break;
    await Promise.all(due.map((attempt) => checkOne(context, attempt)));
    checked += due.length;
  }
  return checked;
}

/**
 * Checks all other due attempts, the oldest first, in turns that all processes share: after an
 * outage of the gateway thousands may be due at once. While the gateway does not answer, one status
 * check at a time is enough to notice its return.
 *
 * @param signal - Lets what is under way end, and begins no more.
 * @returns how many were due.
 */
export async function checkOthers<Tx>(
  context: FlowContext<Tx>,
  signal?: AbortSignal,
): Promise<number> {
  const { store, clock } = context;
  const isOver = (): boolean => signal?.aborted === true;
  const queue = new KeyedQueue(CHECKS_UNDER_WAY);
  let isAnswering = true;
  let checked = 0;
  const begin = (due: DueAttempt): void => {
    queue.begin(due.orderId, async () => {
      isAnswering = (await checkOne(context, due)) ?? isAnswering;
    });
  };
  try {
    while (checked < CHECKS_AT_ONCE && !isOver()) {
      const room = isAnswering ? Math.min(CHECKS_A_TURN, queue.free) : Number(queue.isIdle);
      if (room === 0) {
        await queue.oneEnded();
        continue;
      }
      const due = await store.claimDue(clock.now(), room, CLAIM_LEASE_MS);
      if (due.length === 0 || !(await takeTurn(context, signal))) break;
      for (const attempt of due) begin(attempt);
      checked += due.length;
    }
  } finally {
    await queue.allEnded();
  }
  return checked;
}

/**
 * Checks one attempt. An error of one order must not delay the others; its lease brings the attempt
 * back.
 *
 * @returns whether the gateway answered; `undefined` when it was not asked.
 */
async function checkOne<Tx>(
  context: FlowContext<Tx>,
  due: DueAttempt,
): Promise<boolean | undefined> {
  try {
    const { asked } = await withDeadline(context.clock, CLAIM_LEASE_MS, () =>
      checkStatus(context, due),
    );
    return asked?.hasAnswer;
  } catch (error) {
    const { orderId } = due;
    context.logger.error(
      { orderId, error: nameOf(error) },
      'a status check failed and will be repeated',
    );
    return undefined;
  }
}

/**
 * Waits for a turn. All processes share the turns, through the store: a turn is the
 * first hit of a window, and later processes wait for the window's end.
 *
 * @returns `false` when the work was stopped meanwhile.
 */
async function takeTurn<Tx>(
  { store, clock }: Pick<FlowContext<Tx>, 'store' | 'clock'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const isOver = (): boolean => signal?.aborted === true;
  while (!isOver()) {
    const now = clock.now();
    const { hits, endsAt } = await store.countHits(TURN_KEY, 1, { now, endsAt: now + TURN_MS });
    if (hits === 1) return true;
    await clock.sleep(Math.max(1, endsAt - now), signal).catch(() => undefined);
  }
  return false;
}
