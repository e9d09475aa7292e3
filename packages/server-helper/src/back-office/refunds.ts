import type { TransactionId } from '../ids.ts';
import type { MoneyOperation } from '../flows/views.ts';
import { decimalOf } from '../money.ts';
import { targetOf } from '../payments/refund.ts';
import type { LedgerRow, PaymentRecord } from '../payments/record.ts';
import type { Fields, Visit } from './office.ts';

/** A transaction of which something can be refunded, and how much. */
export interface Refundable {
  readonly row: LedgerRow;
  readonly leftMinorUnits: number;
}

/** What can be refunded of each transaction of an order, by the rules of the engine. */
export function refundablesOf(record: PaymentRecord): readonly Refundable[] {
  const nobody = { id: '', requestId: '', owner: '', requestedBy: null, amountMinorUnits: 0 };
  return record.ledger.flatMap((row) => {
    const { transactionId } = row;
    const target = targetOf(record, { ...nobody, kind: 'refund', transactionId });
    const leftMinorUnits = 'kind' in target ? 0 : target.limitMinorUnits;
    return leftMinorUnits > 0 ? [{ row, leftMinorUnits }] : [];
  });
}

/**
 * Whether a refund waits for another person. Refunds of the order that nobody approved count with it, so
 * that a large one cannot go out in parts.
 */
export function needsApproval(
  { office }: Pick<Visit, 'office'>,
  { operations }: PaymentRecord,
  minorUnits: number,
): boolean {
  const { approvedAboveMinorUnits: most } = office.settings;
  if (most === null) return false;
  const before = operations
    .filter(({ kind, state }) => kind === 'refund' && state !== 'failed' && state !== 'proposed')
    .filter(({ approvedBy }) => approvedBy === null)
    .reduce((sum, { amount }) => sum + amount.minorUnits, 0);
  return before + minorUnits > most;
}

/** The field by which a confirmation says that its question spoke of a proposal. */
export const PROPOSED_FIELD = 'proposed';

/**
 * Sends a refund or, where another person must approve it, proposes it. Who agreed to a proposal sends
 * nothing, though an earlier refund failed since and the limit has room.
 */
export function refund(
  visit: Visit,
  record: PaymentRecord,
  asked: {
    readonly transactionId: TransactionId;
    readonly minorUnits: number;
    readonly requestId: string;
    readonly fields: Fields;
    /** The review that it answers. */
    readonly reviewId?: string;
  },
): Promise<MoneyOperation> {
  const { transactionId, minorUnits, requestId, fields, reviewId } = asked;
  return visit.office.payments.refund(record.payment.orderId, {
    amount: decimalOf(minorUnits),
    transactionId,
    requestId,
    reviewId,
    by: visit.actor,
    propose: fields[PROPOSED_FIELD] === 'yes' || needsApproval(visit, record, minorUnits),
  });
}
