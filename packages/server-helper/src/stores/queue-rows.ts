import type { AuditEntry } from '../payments/audit.ts';
import type { PaymentEvent } from '../payments/payment-record.ts';
import { optionalWhole, text, whole, type Row } from './rows.ts';
import type { Backlog } from './backlog.ts';
import type { QueuedEvent } from './delivery.ts';
import type { PaymentPosition } from './payment-page.ts';
import type { DueAttempt } from './check-request.ts';
import type { HitCount } from './store.ts';

/** Reads an event; one that an older release wrote names no operation. */
export function eventOf(row: Row): PaymentEvent {
  const event = JSON.parse(text(row, 'event')) as PaymentEvent;
  return { ...event, operationId: event.operationId ?? null };
}

/** Reads an event and what became of it. */
export function queuedEventOf(row: Row): QueuedEvent {
  return {
    event: eventOf(row),
    outcome: text(row, 'outcome') as QueuedEvent['outcome'],
    tries: whole(row, 'tries'),
  };
}

/** Reads one entry of an order's log. */
export const auditEntryOf = (row: Row): AuditEntry => JSON.parse(text(row, 'entry')) as AuditEntry;

/** Reads which attempt is due. */
export const dueAttemptOf = (row: Row): DueAttempt => ({
  orderId: text(row, 'order_id'),
  attemptNumber: whole(row, 'number'),
});

/** Reads a counter. */
export const hitCountOf = (row: Row): HitCount => ({
  hits: whole(row, 'hits'),
  endsAt: whole(row, 'ends_at'),
});

/** Reads how much waits. */
export const backlogOf = (row: Row): Backlog => ({
  dueAttempts: whole(row, 'due_attempts'),
  undelivered: whole(row, 'undelivered'),
  openReviews: whole(row, 'open_reviews'),
  deadLetters: whole(row, 'dead_letters'),
  unreadableAnswers: whole(row, 'unreadable_answers'),
  unprovenPayments: whole(row, 'unproven_payments'),
  failingOrders: whole(row, 'failing_orders'),
  oldestFailingAt: optionalWhole(row, 'oldest_failing_at'),
  oldestDueAt: optionalWhole(row, 'oldest_due_at'),
  oldestUndeliveredAt: optionalWhole(row, 'oldest_undelivered_at'),
  oldestUnknownAt: optionalWhole(row, 'oldest_unknown_at'),
});

/** Reads where a payment stands in a list. */
export const positionOf = (row: Row): PaymentPosition => ({
  createdAt: whole(row, 'created_at'),
  orderId: text(row, 'order_id'),
});
