import type { PaymentRecord } from '../payments/payment-record.ts';
import { LOOK_GAP_MS } from '../stores/store.ts';
import { loadRecord } from './commit-change.ts';
import type { Confirmation } from './confirm.ts';
import type { FlowContext } from './flow-context.ts';

/** A confirmation that others may share, and when it began. */
export interface SharedConfirmation {
  readonly result: Promise<Confirmation>;
  /** Whether it was under way before we asked for it. */
  readonly joined: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * Confirms for someone who waits at a browser: as fresh an answer as the deadline allows. What is
 * not done by then goes on without them.
 *
 * A look that was under way before the hint, or one of moments ago, may have asked too early: then
 * it waits out {@link LOOK_GAP_MS} and looks once more, if the deadline allows.
 */
export async function confirmWithin<Tx>(
  { clock, store }: Pick<FlowContext<Tx>, 'clock' | 'store'>,
  confirmShared: () => SharedConfirmation,
  orderId: string,
  deadlineMs: number,
): Promise<PaymentRecord | null> {
  const hintedAt = clock.now();
  const giveUpAt = hintedAt + deadlineMs;
  for (;;) {
    const { result, joined, startedAt } = confirmShared();
    const timeUp = clock.sleep(Math.max(0, giveUpAt - clock.now())).then(() => null);
    const confirmation = await Promise.race([result, timeUp]);
    if (confirmation === null) {
      result.catch(() => undefined); // It ends without us; whoever shares it hears of its fault.
      return loadRecord(store, orderId);
    }
    const { record, hasAsked } = confirmation;
    const isFresh = hasAsked && (!joined || startedAt > hintedAt);
    if (record === null || isFresh) return record;
    const open = record.attempts.filter(({ state }) => state === 'open');
    if (open.length === 0) return record;
    const now = clock.now();
    const nextAt = Math.min(...open.map(({ lastLookAt }) => (lastLookAt ?? now) + LOOK_GAP_MS));
    if (nextAt > giveUpAt) return record;
    await clock.sleep(Math.max(1, nextAt - now));
  }
}
