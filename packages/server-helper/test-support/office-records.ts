import { attemptName, sessionId, transactionId } from '../src/ids.ts';
import type { Change, Operation, PaymentEvent } from '../src/payments/record.ts';
import type { PaymentState, ReviewReason } from '../src/payments/record.ts';
import { aboutTransaction, changeOf, eventAbout } from '../src/payments/draft.ts';
import type { Store } from '../src/stores/store.ts';
import { HOUR_MS } from './durations.ts';
import { aLedgerRow, anAttempt, anOperation, aPayment, aReview, aRow } from './records.ts';
import { NOW, SAR_115 } from './records.ts';

/** What a hostile gateway, shopper or colleague may have written. */
export const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>\u202E`;

const change = (orderId: string, at: number, changes: Partial<Change>): Change => ({
  ...changeOf(aPayment(), [attemptOf(orderId)], {}, at),
  payment: aPayment({ orderId, version: 1, createdAt: at, updatedAt: at }),
  ...changes,
});

const attemptOf = (orderId: string, changes: Partial<ReturnType<typeof anAttempt>> = {}) =>
  anAttempt({
    orderId,
    merchantOrderId: attemptName(orderId, changes.number ?? 1),
    sessionId: sessionId(`session-${orderId}`),
    ...changes,
  });

/** An order in a state, with the rows that belong to it. */
export function anOrder(orderId: string, state: PaymentState, hoursAgo = 0): Change {
  const at = NOW - hoursAgo * HOUR_MS;
  const hasMoney = !['unpaid', 'pending', 'failed', 'expired'].includes(state);
  const refunded = { refunded: 11_500, partially_refunded: 2_000 }[state as string] ?? 0;
  const id = transactionId(`t-${orderId}`);
  const attempt = attemptOf(orderId, {
    state: hasMoney ? 'succeeded' : 'open',
    createdAt: at,
    lastCheckAt: at,
  });
  return change(orderId, at, {
    payment: aPayment({
      orderId,
      state,
      version: 1,
      transactionId: hasMoney ? id : null,
      capturedMinorUnits: hasMoney ? 11_500 : 0,
      refundedMinorUnits: refunded,
      createdAt: at,
      updatedAt: at,
    }),
    attempts: [attempt],
    ledger: hasMoney
      ? [aLedgerRow({ orderId, transactionId: id, refundedMinorUnits: refunded })]
      : [],
    because: { attemptNumber: 1, rows: [aRow({ transactionId: id })] },
  });
}

/** An order in review for a reason. */
export function anOrderInReview(orderId: string, reason: ReviewReason): Change {
  const reviews = [aReview({ orderId, reason, subject: `t-${orderId}`, createdAt: NOW })];
  return { ...anOrder(orderId, 'review'), ledger: [], reviews };
}

/** A paid order with a refund that waits for a person, in doubt or for approval. */
export function anOrderWithOperation(
  orderId: string,
  id: string,
  state: Operation['state'],
): Change {
  const known = anOrder(orderId, 'paid');
  const sentAt = state === 'proposed' ? null : NOW;
  const of = { orderId, id, requestId: id.replace('request/', ''), requestedBy: 'Omar' };
  const transaction = known.payment.transactionId;
  const operation = anOperation({ ...of, state, sentAt, transactionId: transaction });
  const unknown = aReview({ orderId, reason: 'unknown_outcome', subject: id });
  return { ...known, operations: [operation], reviews: state === 'unknown' ? [unknown] : [] };
}

/** An order whose every text came from someone who means harm. */
export function aHostileOrder(orderId: string): Change {
  const id = transactionId(HOSTILE);
  const known = anOrder(orderId, 'partially_refunded');
  const of = { orderId, resolvedBy: HOSTILE };
  const words = { transactionStatus: HOSTILE, paymentStatus: HOSTILE };
  return {
    ...known,
    payment: { ...known.payment, transactionId: id },
    attempts: [attemptOf(orderId, { redirectUrl: `https://gateway.example/?x=${HOSTILE}` })],
    ledger: [aLedgerRow({ orderId, transactionId: id, refundedMinorUnits: 2_000 })],
    reviews: [
      aReview({ ...of, subject: HOSTILE, resolvedAt: NOW, resolution: HOSTILE }),
      aReview({ orderId, reason: 'no_evidence', subject: HOSTILE }),
    ],
    operations: [
      anOperation({
        ...of,
        id: `request/${HOSTILE}`,
        requestId: HOSTILE,
        state: 'failed',
        reason: HOSTILE,
        reference: HOSTILE,
        amount: { ...SAR_115, minorUnits: 2_000 },
      }),
    ],
    events: [anEvent(orderId, `${orderId}/${HOSTILE}`)],
    because: { attemptNumber: 1, rows: [aRow({ transactionId: id, ...words })] },
  };
}

export function anEvent(orderId: string, id = `${orderId}/paid`): PaymentEvent {
  const about = aboutTransaction(transactionId(`t-${orderId}`));
  return { ...eventAbout(aPayment({ orderId }), 'paid', NOW, about), id };
}

/** Makes every event that waits a dead letter. */
export async function letEventsDie(store: Store<unknown>): Promise<void> {
  const claimed = await store.claimEvents(Date.now(), 100, 1_000, ['paid']);
  for (const delivery of claimed) await store.endDelivery(delivery, { outcome: 'dead' });
}
