import { isHinted, type Attempt } from '../payments/attempt.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import { LOOK_GAP_MS, type Store } from '../stores/store.ts';
import { loadRecord } from './commit-change.ts';
import type { Confirmation } from './confirm.ts';
import { DeadlineError, withDeadline } from './deadline.ts';
import type { FlowContext } from './flow-context.ts';
import type { Flight } from './single-flight.ts';

/** How long someone waits at a browser. */
export interface Patience {
  /** For the gateway's answer, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * What to do when the gap between looks puts the next one off for longer: `leave-a-hint` in the
   * store, which the next tick follows, or `wait-for-hints` that others have left,
   * {@link LOOK_GAP_MS} at most.
   */
  readonly ifPutOff: 'leave-a-hint' | 'wait-for-hints';
}

/** What is known when the waiting ends. */
export interface Finding {
  readonly record: PaymentRecord | null;
  /** Whether the gateway was asked after the hint; else what it says now may be another thing. */
  readonly isFresh: boolean;
  /** Whether it was asked after the hint, and answered. */
  readonly hasEvidence: boolean;
}

/**
 * Confirms for someone who waits: as fresh an answer as their patience allows. What is not done by
 * then goes on without them.
 *
 * A look that was under way before the hint, or one of moments ago, may have asked too early: then
 * it waits out the gap and looks once more, or leaves the hint in the store for the next tick.
 */
export async function confirmWithin<Tx>(
  context: Pick<FlowContext<Tx>, 'clock' | 'store'>,
  confirmShared: () => Flight<Confirmation>,
  orderId: string,
  { deadlineMs, ifPutOff }: Patience,
): Promise<Finding> {
  const { clock, store } = context;
  const hintedAt = clock.now();
  let giveUpAt = hintedAt + deadlineMs;
  for (;;) {
    const { result, joined, startedAt } = confirmShared();
    const confirmation = await withDeadline(clock, giveUpAt - clock.now(), () => result).catch(
      nullWhenLate,
    );
    if (confirmation === null) {
      return { record: await loadRecord(store, orderId), isFresh: false, hasEvidence: false };
    }
    const { record, hasAsked, hasEvidence } = confirmation;
    const watched = record?.attempts.filter(({ state }) => state === 'open') ?? [];
    const isFresh = hasAsked && (!joined || startedAt > hintedAt);
    if (isFresh || watched.length === 0) return { record, isFresh: true, hasEvidence };
    const now = clock.now();
    const nextAt = Math.min(...watched.map(({ lastLookAt }) => (lastLookAt ?? now) + LOOK_GAP_MS));
    const waits = ifPutOff === 'wait-for-hints';
    if (waits && watched.some(isHinted)) giveUpAt = Math.max(giveUpAt, nextAt + deadlineMs);
    if (nextAt > giveUpAt) {
      if (!waits) await leaveHints(store, watched, hintedAt);
      return { record, isFresh: false, hasEvidence: false };
    }
    await clock.sleep(Math.max(1, nextAt - now));
  }
}

async function leaveHints(
  store: Pick<Store<unknown>, 'hint'>,
  watched: readonly Attempt[],
  hintedAt: number,
): Promise<void> {
  for (const { merchantOrderId } of watched) await store.hint(merchantOrderId, hintedAt);
}

function nullWhenLate(error: unknown): null {
  if (error instanceof DeadlineError) return null;
  throw error;
}
