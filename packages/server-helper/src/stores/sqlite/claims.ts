import type { PaymentEventType } from '../../payments/payment-record.ts';
import type { DueAttempt, WantedAttempts } from '../check-request.ts';
import type { Delivery } from '../delivery.ts';
import { dueAttemptOf, eventOf } from '../queue-rows.ts';
import { text, whole } from '../rows.ts';
import type { OpenDatabase } from './open-sqlite.ts';
import { LEASE } from './write-queue.ts';

/** How much a caller takes, and for how long, in milliseconds. */
interface Claim {
  readonly now: number;
  readonly limit: number;
  readonly leaseMs: number;
}

/** Takes attempts that are due for a status check. */
export function claimDue(
  { sql, writes }: OpenDatabase,
  { now, limit, leaseMs }: Claim,
  { dueAfter, madeAfter, bySchedule }: WantedAttempts,
): Promise<readonly DueAttempt[]> {
  const values = [now, limit, dueAfter, madeAfter, Number(bySchedule)];
  return writes.run(() => {
    const due = sql.dueAttempts.all(...values).map(dueAttemptOf);
    for (const { orderId, attemptNumber } of due) {
      sql.lease.run(orderId, attemptNumber, now + leaseMs);
    }
    return due;
  }, LEASE);
}

/** Takes undelivered events of the asked types, the longest due first. */
export function claimEvents(
  { sql, writes }: OpenDatabase,
  { now, limit, leaseMs }: Claim,
  types: readonly PaymentEventType[],
): Promise<readonly Delivery[]> {
  const asked = JSON.stringify(types);
  return writes.run(() => {
    const due = types.flatMap((type) => sql.dueEvents.all(type, now, limit, asked));
    const longest = due.toSorted((a, b) => whole(a, 'next_try_at') - whole(b, 'next_try_at'));
    return longest.slice(0, limit).map((row) => {
      sql.leaseEvent.run(text(row, 'event_id'), now + leaseMs);
      return { event: eventOf(row), tryNumber: whole(row, 'tries') + 1 };
    });
  }, LEASE);
}
