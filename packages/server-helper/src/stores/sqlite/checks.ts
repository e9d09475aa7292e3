import type { MerchantOrderId } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { chooseCheck, checkEndOf, takenForCheck, withAttempt } from '../check-rules.ts';
import { text } from '../rows.ts';
import { writeCheckEnd } from './commit.ts';
import type { OpenDatabase } from './open-sqlite.ts';
import { readRecord } from './record.ts';
import { CHECK_GAP_MS, type StartedStatusCheck, type CheckRequest } from '../store.ts';
import { LEASE } from './write-queue.ts';

/** Takes the attempt whose turn it is; see `Store.beginStatusCheck`. */
export async function beginStatusCheck(
  { sql, writes }: OpenDatabase,
  request: CheckRequest,
): Promise<StartedStatusCheck | null> {
  // Where there is nothing to take, and that is most polls, the write lock is not needed.
  const before = readRecord(sql, request.orderId);
  if (before === null) return null;
  if (chooseCheck(before, request) === null) return { record: before, taken: null };
  return writes.run(() => {
    const record = readRecord(sql, request.orderId);
    if (record === null) return null;
    const chosen = chooseCheck(record, request);
    if (chosen === null) return { record, taken: null };
    const taken = takenForCheck(chosen, request);
    sql.takeCheck.run(taken.orderId, taken.number, taken.lastCheckAt, taken.nextCheckAt);
    return { record: withAttempt(record, taken), taken };
  }, LEASE);
}

/**
 * Says when to look again; see `Store.endStatusCheck`. Lost with the power, it leaves the lease of the status check,
 * which ends by itself; that an attempt is closed is in its order's log, and waits for the disk.
 */
export function endStatusCheck(
  { sql, writes }: OpenDatabase,
  attempt: Attempt,
  nextCheckAt: number | null,
  now: number,
): Promise<void> {
  const end = (): void => {
    writeCheckEnd(sql, attempt.orderId, checkEndOf(attempt, nextCheckAt), now);
  };
  return writes.run(end, nextCheckAt === null ? {} : LEASE);
}

/** Notes a hint; see `Store.hint`. One about nobody, as anybody may send, takes no write lock. */
export async function hint(
  { sql, writes }: OpenDatabase,
  merchantOrderId: MerchantOrderId,
  now: number,
): Promise<string | null> {
  if (sql.watchedAttempt.get(merchantOrderId) === undefined) return null;
  return writes.run(() => {
    const hinted = sql.hint.get(merchantOrderId, now, CHECK_GAP_MS);
    return hinted === undefined ? null : text(hinted, 'order_id');
  });
}
