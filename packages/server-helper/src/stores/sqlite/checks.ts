import { attemptOfName, type MerchantOrderId } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import {
  chooseCheck,
  endedCheck,
  takenForCheck,
  takesHints,
  withAttempt,
  withHint,
} from '../check-rules.ts';
import type { CheckRequest, StartedStatusCheck } from '../check-request.ts';
import { logClosed, writeWatch } from './commit.ts';
import type { OpenDatabase } from './open-sqlite.ts';
import { readRecord } from './record.ts';
import { LEASE } from './write-queue.ts';

/** Takes the attempt whose turn it is; see `Store.beginStatusCheck`. */
export async function beginStatusCheck(
  { sql, writes }: OpenDatabase,
  request: CheckRequest,
): Promise<StartedStatusCheck | null> {
  // Most polls take no attempt, and need no write lock to find that out.
  const before = readRecord(sql, request.orderId);
  if (before === null) return null;
  if (chooseCheck(before, request) === null) return { record: before, taken: null };
  return writes.run(() => {
    const record = readRecord(sql, request.orderId) ?? before;
    const chosen = chooseCheck(record, request);
    if (chosen === null) return { record, taken: null };
    const taken = takenForCheck(chosen, request);
    writeWatch(sql, taken);
    return { record: withAttempt(record, taken), taken };
  }, LEASE);
}

/**
 * Says when to check again; see `Store.endStatusCheck`. When the power fails, the lease of the
 * status check remains and ends on time. The log of a closed attempt waits for the disk.
 */
export function endStatusCheck(
  { sql, writes }: OpenDatabase,
  attempt: Attempt,
  nextCheckAt: number | null,
  now: number,
): Promise<void> {
  const end = (): void => {
    const attempts = readRecord(sql, attempt.orderId)?.attempts ?? [];
    const stored = attempts.find(({ number }) => number === attempt.number);
    if (stored === undefined) return;
    const ended = endedCheck(stored, { attempt, nextCheckAt }, attempts, now);
    if (ended !== stored) writeWatch(sql, ended);
    if (ended.state !== stored.state) logClosed(sql, ended, now);
  };
  return writes.run(end, nextCheckAt === null ? {} : LEASE);
}

/** Records a hint; see `Store.hint`. A hint about no attempt, as anyone may send, takes no lock. */
export async function hint(
  { sql, writes }: OpenDatabase,
  name: MerchantOrderId,
  now: number,
): Promise<string | null> {
  const hinted = (): Attempt | null => hintedAttempt((id) => readRecord(sql, id), name);
  if (hinted() === null) return null;
  return writes.run(() => {
    const attempt = hinted();
    if (attempt === null) return null;
    writeWatch(sql, withHint(attempt, now));
    return attempt.orderId;
  });
}

/** The attempt that a hint is about, where it takes hints. */
function hintedAttempt(
  load: (orderId: string) => PaymentRecord | null,
  name: MerchantOrderId,
): Attempt | null {
  const named = attemptOfName(name);
  const record = named && load(named.orderId);
  const attempt = record?.attempts.find(({ number }) => number === named?.attemptNumber);
  if (!record || attempt === undefined) return null;
  return takesHints(record, attempt) ? attempt : null;
}
