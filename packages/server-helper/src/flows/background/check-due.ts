import { nameOf } from '../../errors.ts';
import { YOUNG_MS } from '../../payments/watch.ts';
import type { DueAttempt } from '../../stores/store.ts';
import { checkStatus } from '../confirm/check-status.ts';
import { withDeadline } from '../deadline.ts';
import type { FlowContext } from '../flow-context.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { CHECKS_A_TURN, takeTurn } from './watch-turn.ts';

/** Attempts looked at in one go; at the watch's pace that takes most of a minute. */
const CHECKS_AT_ONCE = 240;
/** Status calls under way at once, for those whom somebody waits for. */
const PARALLEL_CHECKS = 5;
/** And for the rest, which begins so few a second that a slow gateway may take seconds for each. */
const CHECKS_UNDER_WAY = 20;
/** An attempt that a dying process had claimed is claimed again after this long. */
const CLAIM_LEASE_MS = 60_000;
/** A look that is late by more than this has been given up by whoever waited for it. */
const AWAITED_MS = 2 * CLAIM_LEASE_MS;

/**
 * Looks at what somebody may be waiting for, as soon as it is due: young attempts, and those with a
 * hint that nobody has followed yet. How many there are is the shoppers' doing.
 *
 * @param signal - Lets what is under way end, and begins no more.
 * @returns how many were due.
 */
export async function checkAtAwaited<Tx>(
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
    await Promise.all(due.map((attempt) => checkAt(context, attempt)));
    checked += due.length;
  }
  return checked;
}

/**
 * Looks at everything else that is due, the longest due first, in turns that all processes share:
 * after an outage of the gateway thousands may be due at once. While the gateway does not answer,
 * one status check at a time is enough to see that it is back.
 *
 * @param signal - Lets what is under way end, and begins no more.
 * @returns how many were due.
 */
export async function checkAtRest<Tx>(
  context: FlowContext<Tx>,
  signal?: AbortSignal,
): Promise<number> {
  const { store, clock } = context;
  const isOver = (): boolean => signal?.aborted === true;
  const queue = new KeyedQueue(CHECKS_UNDER_WAY);
  let isHeard = true;
  let checked = 0;
  const begin = (due: DueAttempt): void => {
    queue.begin(due.orderId, async () => {
      isHeard = (await checkAt(context, due)) ?? isHeard;
    });
  };
  try {
    while (checked < CHECKS_AT_ONCE && !isOver()) {
      const room = isHeard ? Math.min(CHECKS_A_TURN, queue.free) : Number(queue.isIdle);
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
 * One order's trouble must not keep the others waiting; its lease brings it back.
 *
 * @returns whether the gateway answered; `undefined` when it was not asked.
 */
async function checkAt<Tx>(
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
    context.logger.error({ orderId, error: nameOf(error) }, 'a look failed and will be repeated');
    return undefined;
  }
}
