import { PaymentsError } from '../errors.ts';
import type { Clock } from '../clock.ts';
import { withDeadline } from './waiting.ts';
import type { PaymentRecord } from '../payments/record.ts';
import type { Store } from '../stores/store.ts';

/** Asks the store. @throws {@link PaymentsError} `store_unavailable` where it does not answer. */
export async function askStore<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new PaymentsError('store_unavailable', 'The payments store does not answer.', { cause });
  }
}

/** Reads an order's record as it is stored. @throws {@link PaymentsError} `store_unavailable`. */
export function loadRecord(
  store: Pick<Store<unknown>, 'load'>,
  orderId: string,
): Promise<PaymentRecord | null> {
  return askStore(() => store.load(orderId));
}

export type Counters = Pick<Store<unknown>, 'count'>;

/** Longer than any link is watched. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;

/** Adds to what all processes remember of the gateway's word. @returns how often it was said. */
export const remembered = async (store: Counters, key: string, hits: number, now: number) =>
  (await askStore(() => store.count(key, hits, { now, endsAt: now + REMEMBERED_MS }))).hits;

/** How long a result is reused, so that many health checks cause few writes. */
const ANSWER_LIFE_MS = 2_000;

/**
 * Makes the check whether a store can be written, by one write for all concurrent callers. A write that
 * is not answered in time counts as one that failed.
 */
export function writability({ health }: Pick<Store<unknown>, 'health'>, clock: Clock) {
  let answer = Promise.resolve(false);
  /** `null` while a write is under way. */
  let answeredAt: number | null = -Infinity;
  const write = async (): Promise<boolean> => {
    try {
      await health.checkWritable?.();
      return true;
    } catch {
      return false;
    } finally {
      answeredAt = clock.now();
    }
  };
  return (deadlineMs: number): Promise<boolean> => {
    const age = answeredAt === null ? 0 : clock.now() - answeredAt;
    if (age >= ANSWER_LIFE_MS || age < 0) {
      answeredAt = null;
      answer = write();
    }
    return withDeadline(clock, deadlineMs, () => answer).catch(() => false);
  };
}
