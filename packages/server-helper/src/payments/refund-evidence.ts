import { isAhead, type Attempt } from './attempt.ts';
import { discrepancy, endReviewsOf } from './discrepancy.ts';
import type { Draft } from './draft.ts';
import { aboutTransaction } from './event.ts';
import type { Receipt } from './judge.ts';
import type { LedgerRow } from './payment-record.ts';
import { begunAt } from './operation.ts';
import { provenRefunds } from './refund-balance.ts';

/** Money beside what paid the order has a refunded total of its own, which moves no state. */
export function takeOverRefund(
  draft: Draft,
  attempt: Attempt,
  receipt: Receipt,
  row: LedgerRow,
): void {
  const { refundedMinorUnits, amountMinorUnits } = receipt;
  if (refundedMinorUnits === row.refundedMinorUnits) return;
  if (refundedMinorUnits < row.refundedMinorUnits || refundedMinorUnits > amountMinorUnits) {
    discrepancy(draft, attempt, { ...row, reason: 'refund_contradiction' });
    return;
  }
  showRefunded(draft, row, refundedMinorUnits, amountMinorUnits);
}

/** A refund of what paid the order moves the order's state. */
export function moveRefund(draft: Draft, attempt: Attempt, receipt: Receipt, row: LedgerRow): void {
  const { refundedMinorUnits } = receipt;
  const { refundedMinorUnits: before, capturedMinorUnits, state } = draft.payment;
  if (refundedMinorUnits === before) return;
  if (refundedMinorUnits < before || refundedMinorUnits > capturedMinorUnits) {
    discrepancy(draft, attempt, { ...row, reason: 'refund_contradiction' });
    return;
  }
  const isFull = refundedMinorUnits === capturedMinorUnits;
  // Money that came late stays late until all of it is refunded: the order must not ship.
  const partly = state === 'paid_late' ? 'paid_late' : 'partially_refunded';
  draft.enter({ state: isFull ? 'refunded' : partly, refundedMinorUnits });
  showRefunded(draft, row, refundedMinorUnits, capturedMinorUnits);
}

/** Each transaction's refunds are reported by an event of their own. */
function showRefunded(
  draft: Draft,
  row: LedgerRow,
  refundedMinorUnits: number,
  wholeMinorUnits: number,
): void {
  const { transactionId } = row;
  draft.showRefunded(transactionId, refundedMinorUnits);
  draft.emit('refunded', {
    ...aboutTransaction(transactionId),
    refundedMinorUnits,
    ...(transactionId === draft.payment.transactionId ? {} : { amountMinorUnits: wholeMinorUnits }),
  });
  if (refundedMinorUnits === wholeMinorUnits) endReviewsOf(draft, row);
}

/**
 * Ends our refunds that the refunded total of their transaction proves.
 *
 * @param askedAt - When the gateway was asked: the answer proves no refund that began later, but by a clock
 * that ran ahead.
 */
export function proveRefunds(
  draft: Draft,
  { transactionId, refundedMinorUnits }: Receipt,
  askedAt: number,
): void {
  const begun = draft.operations.filter((operation) => {
    const at = begunAt(operation);
    return at <= askedAt || isAhead(at, askedAt);
  });
  for (const proven of provenRefunds(begun, transactionId, refundedMinorUnits)) {
    draft.putOperation(proven, 'succeeded', { reason: 'evidence' });
  }
}
