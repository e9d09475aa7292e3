import { decimalOf } from '../src/money.ts';
import { apply } from '../src/payments/document.ts';
import type { Change, PaymentEvent, PaymentRecord } from '../src/payments/record.ts';

/**
 * What a change makes of a record, as `captured took 20.00 captured/t-1 of 20.00`: the state, what
 * was taken of a hold, the events but those of reviews, the operations and the open reviews.
 */
export function changeInWords(before: PaymentRecord, change: Change | null): string {
  const { payment, reviews, attempts } = change === null ? before : apply(before, change);
  const more = payment.capturedMinorUnits - before.payment.capturedMinorUnits;
  const isOfHold = attempts.some(({ kind }) => kind === 'authorization') && more > 0;
  const took = isOfHold ? [`took ${decimalOf(more)}`] : [];
  const events = (change?.events ?? []).filter(({ type }) => type !== 'review').map(nameOf);
  const ends = (change?.operations ?? []).map(
    ({ id, state, reason }) => `${id}:${state}:${reason}`,
  );
  const open = reviews.filter(({ resolvedAt }) => resolvedAt === null);
  const asked = open.map(({ reason, subject }) => `${reason}:${subject}`);
  return [payment.state, ...took, ...events, ...ends, ...asked].join(' ');
}

function nameOf(event: PaymentEvent): string {
  const isOfHold = event.type === 'authorized' || event.type === 'captured';
  const by = 'operationId' in event && event.operationId !== null && `by ${event.operationId}`;
  return [event.id.replace(`${event.orderId}/`, ''), isOfHold && `of ${event.amount}`, by]
    .filter((part) => part !== false)
    .join(' ');
}
