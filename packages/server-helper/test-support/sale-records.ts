import type { AttemptKind } from '../src/payments/attempt.ts';
import type { Operation, Payment, PaymentRecord, ReviewItem } from '../src/payments/record.ts';
import { anAttempt, anOperation, aRecord, NOW } from './records.ts';

/** An order whose sale was sent; other payments of it may have changed its state meanwhile. */
export function selling(
  kind: AttemptKind,
  payment: Partial<Payment> = {},
  rest: Partial<PaymentRecord> = {},
  sale: Partial<Operation> = {},
): PaymentRecord {
  const attempt = anAttempt({ number: 2, kind, state: 'creating', sessionId: null });
  const operation = anOperation({
    id: 'request/s-1',
    kind: 'sale',
    attemptNumber: 2,
    transactionId: null,
    ...sale,
  });
  return aRecord(
    { state: 'unpaid', currentAttempt: 0, ...payment },
    { attempts: [attempt], operations: [operation], ...rest },
  );
}

/** The matter of a sale that is unknown, or another one. */
export const discrepant = (
  subject = 'request/s-1',
  resolvedAt: number | null = null,
): ReviewItem => ({
  orderId: '1001',
  reason: 'unknown_outcome',
  subject,
  createdAt: NOW,
  resolvedAt,
  resolution: null,
  resolvedBy: null,
});
