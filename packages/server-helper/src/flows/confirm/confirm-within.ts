import { isHinted, type Attempt } from '../../payments/attempt.ts';
import { hasMoney } from '../../payments/payment.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { gapEnd } from '../../stores/check-rules.ts';
import { CHECK_GAP_MS, type Store } from '../../stores/store.ts';
import { loadRecord } from '../commit-change.ts';
import type { Confirmation } from './confirmation.ts';
import { nullWhenLate, withDeadline } from '../deadline.ts';
import type { FlowContext } from '../flow-context.ts';
import type { Flight } from '../single-flight.ts';

/** Links that one caller waits for; the watch looks at the others. */
const MAX_LINKS = 6;

/** How long someone waits at a browser. */
export interface WaitOptions {
  /** For the gateway's answer, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * What to do when the gap between looks puts the next one off for longer: `leave-a-hint` in the
   * store, which the next tick follows, `wait-for-hints` that others have left,
   * {@link CHECK_GAP_MS} at most, or `ask-each-link` in turn, however many there are.
   */
  readonly onThrottled: 'leave-a-hint' | 'wait-for-hints' | 'ask-each-link';
}

/** What is known when the waiting ends. */
export interface Finding {
  readonly record: PaymentRecord | null;
  /** Whether the gateway was asked after the hint; else what it says now may be another thing. */
  readonly isFresh: boolean;
  /** Whether it was asked about every open link after the hint, and answered in full. */
  readonly hasEvidence: boolean;
}

/**
 * Confirms for someone who waits: as fresh an answer as their patience allows. What is not done by
 * then goes on without them.
 *
 * A look that was under way before the hint, or one of moments ago, may have asked too early: then
 * it waits out the gap and looks once more, or leaves the hint in the store for the next tick. An
 * order with several open links is asked about one link after the other.
 */
export async function confirmWithin<Tx>(
  context: Pick<FlowContext<Tx>, 'clock' | 'store'>,
  confirmShared: () => Flight<Confirmation>,
  orderId: string,
  { deadlineMs, onThrottled }: WaitOptions,
): Promise<Finding> {
  const { clock, store } = context;
  const hintedAt = clock.now();
  const answered = new Map<number, boolean>();
  let giveUpAt = hintedAt + deadlineMs;
  for (;;) {
    const { result, joined, startedAt } = confirmShared();
    const confirmation = await withDeadline(clock, giveUpAt - clock.now(), () => result).catch(
      nullWhenLate,
    );
    if (confirmation === null) {
      return { record: await loadRecord(store, orderId), isFresh: false, hasEvidence: false };
    }
    const { record, asked } = confirmation;
    if (asked !== null && (!joined || startedAt > hintedAt)) {
      answered.set(asked.attemptNumber, asked.hasAnswer);
    }
    const links = openLinks(record);
    const waiting = links.filter(({ number }) => !answered.has(number));
    if (waiting.length === 0) {
      const hasEvidence = links.every(({ number }) => answered.get(number) === true);
      return { record, isFresh: true, hasEvidence: hasEvidence && answered.size > 0 };
    }
    const now = clock.now();
    const nextAt = asked === null ? gapEnd(record?.attempts ?? [], now) : now + CHECK_GAP_MS;
    if (onThrottled === 'ask-each-link') {
      const turns = Math.min(MAX_LINKS, waiting.length);
      giveUpAt = Math.max(giveUpAt, hintedAt + (turns + answered.size) * CHECK_GAP_MS + deadlineMs);
    }
    const waits = onThrottled !== 'leave-a-hint';
    if (waits && waiting.some(isHinted)) giveUpAt = Math.max(giveUpAt, nextAt + deadlineMs);
    if (nextAt > giveUpAt || answered.size >= MAX_LINKS) {
      if (!waits) await leaveHints(store, waiting, hintedAt);
      return { record, isFresh: false, hasEvidence: false };
    }
    await clock.sleep(Math.max(1, nextAt - now));
  }
}

/** What may still pay the order; a paid one waits for nothing. */
function openLinks(record: PaymentRecord | null): readonly Attempt[] {
  if (record === null || hasMoney(record.payment.state)) return [];
  return record.attempts.filter(
    ({ state, nextCheckAt }) => state === 'open' && nextCheckAt !== null,
  );
}

async function leaveHints(
  store: Pick<Store<unknown>, 'hint'>,
  links: readonly Attempt[],
  hintedAt: number,
): Promise<void> {
  for (const { merchantOrderId } of links) await store.hint(merchantOrderId, hintedAt);
}
