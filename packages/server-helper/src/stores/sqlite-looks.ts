import type { MerchantOrderId } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import { chooseLook, lookEndOf, takenForLook, withAttempt } from './look-rules.ts';
import { text } from './rows.ts';
import { writeLookEnd } from './sqlite-commit.ts';
import type { OpenDatabase } from './sqlite-open.ts';
import { readRecord } from './sqlite-record.ts';
import { LOOK_GAP_MS, type Look, type LookRequest } from './store.ts';
import { LEASE } from './write-queue.ts';

/** Takes the attempt whose turn it is; see `Store.beginLook`. */
export async function beginLook(
  { sql, writes }: OpenDatabase,
  request: LookRequest,
): Promise<Look | null> {
  // Where there is nothing to take, and that is most polls, the write lock is not needed.
  const before = readRecord(sql, request.orderId);
  if (before === null) return null;
  if (chooseLook(before, request) === null) return { record: before, taken: null };
  return writes.run(() => {
    const record = readRecord(sql, request.orderId);
    if (record === null) return null;
    const chosen = chooseLook(record, request);
    if (chosen === null) return { record, taken: null };
    const taken = takenForLook(chosen, request);
    sql.takeLook.run(taken.orderId, taken.number, taken.lastLookAt, taken.nextLookAt);
    return { record: withAttempt(record, taken), taken };
  }, LEASE);
}

/**
 * Says when to look again; see `Store.endLook`. Lost with the power, it leaves the lease of the look,
 * which ends by itself; that an attempt is closed is in its order's log, and waits for the disk.
 */
export function endLook(
  { sql, writes }: OpenDatabase,
  attempt: Attempt,
  nextLookAt: number | null,
  now: number,
): Promise<void> {
  const end = (): void => {
    writeLookEnd(sql, attempt.orderId, lookEndOf(attempt, nextLookAt), now);
  };
  return writes.run(end, nextLookAt === null ? {} : LEASE);
}

/** Notes a hint; see `Store.hint`. One about nobody, as anybody may send, takes no write lock. */
export async function hint(
  { sql, writes }: OpenDatabase,
  merchantOrderId: MerchantOrderId,
  now: number,
): Promise<string | null> {
  if (sql.watchedAttempt.get(merchantOrderId) === undefined) return null;
  return writes.run(() => {
    const hinted = sql.hint.get(merchantOrderId, now, LOOK_GAP_MS);
    return hinted === undefined ? null : text(hinted, 'order_id');
  });
}
