import { transactionKey, type TransactionId } from '../ids.ts';
import { decimalOf, type Money } from '../money.ts';
import type { Attempt } from './attempt.ts';
import { reasonOfPrice } from './discrepancy.ts';
import { isOutstanding, UNKNOWN_BASELINE } from './operation.ts';
import { isPaid, type PaymentState } from './payment.ts';
import type { LedgerRow, PaymentRecord } from './payment-record.ts';
import { namelessCharge } from './recurring-charge.ts';
import { refundBalance } from './refund-balance.ts';
import { isOpen } from './review.ts';

/** A money operation as the merchant asks for it. */
export type MoneyRequest = {
  /** The operation's id, made of the merchant's key. */
  readonly id: string;
  readonly requestId: string;
  readonly owner: string;
  /** The person who asks, where the caller says so. */
  readonly requestedBy: string | null;
} & (
  | {
      readonly kind: 'refund';
      readonly amountMinorUnits: number;
      /** The transaction to act on; `null` for the one that paid the order. */
      readonly transactionId: TransactionId | null;
      /** The recurring charge to act on, in place of a transaction. */
      readonly operationId?: string | undefined;
      /** Whether the refunded total is unknown, because the gateway did not answer just before. */
      readonly isTotalUnknown?: boolean;
      /** Whether it waits for the approval of another person, and is not sent before. */
      readonly proposes?: boolean;
      /** The review that it answers, which must be open. */
      readonly reviewId?: string | undefined;
    }
  | {
      readonly kind: 'capture';
      readonly amountMinorUnits: number;
      /** The order's price now; `null` for no such order, absent where the merchant was not asked. */
      readonly price?: Money | null | undefined;
    }
  | { readonly kind: 'void' }
  | {
      readonly kind: 'recurring';
      readonly amountMinorUnits: number;
      /** The most that one charge may take. @defaultValue the order's amount */
      readonly ceilingMinorUnits?: number | undefined;
    }
);

/** A person's approval of a proposed operation. */
export interface Approval {
  readonly kind: 'approve';
  /** The operation's id. */
  readonly id: string;
  readonly owner: string;
  readonly approvedBy: string;
  /** Whether the refunded total is unknown, because the gateway did not answer just before. */
  readonly isTotalUnknown?: boolean;
}

/** The reasons to refuse an operation. */
export type MoneyRefusal =
  | 'amount_too_large'
  | 'not_found_in_store'
  | 'operation_in_progress'
  | 'request_id_reused'
  | 'same_person'
  | 'wrong_state';

/** A refusal, with its reason in words. */
export interface Refusal {
  readonly kind: 'refuse';
  readonly code: MoneyRefusal;
  readonly message: string;
}

/** The transaction of an operation, and the most that the operation may move. */
export interface Target {
  readonly attempt: Attempt;
  readonly transactionId: TransactionId;
  readonly amountMinorUnits: number;
  readonly limitMinorUnits: number;
  readonly baselineMinorUnits: number;
}

/** The refusal of an operation. */
export function refuse(code: MoneyRefusal, message: string): Refusal {
  return { kind: 'refuse', code, message };
}

/** Finds the transaction of an operation, or the refusal. */
export function targetOf(record: PaymentRecord, request: MoneyRequest): Target | Refusal {
  switch (request.kind) {
    case 'refund':
      return refundTarget(record, request);
    case 'recurring':
      return recurringTarget(record, request);
    case 'capture':
    case 'void':
      return heldTarget(record, request);
  }
}

const isRefundable = (state: PaymentState): boolean =>
  isPaid(state) || state === 'refunded' || state === 'paid_late';

/** The transaction comes from our evidence; a session's id never gets here. */
function refundTarget(
  record: PaymentRecord,
  request: Extract<MoneyRequest, { kind: 'refund' }>,
): Target | Refusal {
  const { payment, attempts } = record;
  if (request.reviewId !== undefined && !isOpen(record, request.reviewId)) {
    return refuse('not_found_in_store', 'The review is over that this refund answers.');
  }
  const wanted = transactionKey(request.transactionId ?? payment.transactionId ?? '');
  const row =
    request.operationId === undefined
      ? record.ledger.find((one) => transactionKey(one.transactionId) === wanted)
      : chargeRow(record, request.operationId);
  const attempt = attempts.find(({ number }) => number === row?.attemptNumber);
  const isBase = row !== undefined && row.transactionId === payment.transactionId;
  if (row === undefined || attempt === undefined || (isBase && !isRefundable(payment.state))) {
    return refuse(
      'wrong_state',
      `A payment that is ${payment.state} has nothing of this transaction to refund.`,
    );
  }
  if (row.kind === 'charge' && attempt.kind !== 'charge') {
    return refuse(
      'wrong_state',
      'The gateway’s answer to this charge named no transaction: the specification shows none (§4.7), and a refund needs one (§4.3). Refund the charge on the gateway’s dashboard.',
    );
  }
  const { availableMinorUnits, elsewhereMinorUnits } = refundBalance(record, row);
  return {
    attempt,
    transactionId: row.transactionId,
    amountMinorUnits: request.amountMinorUnits,
    limitMinorUnits: availableMinorUnits,
    baselineMinorUnits: request.isTotalUnknown === true ? UNKNOWN_BASELINE : elsewhereMinorUnits,
  };
}

/** The ledger's row of a recurring charge that was made. */
function chargeRow({ ledger, operations }: PaymentRecord, wanted: string): LedgerRow | undefined {
  const charge = operations.find(({ id, kind }) => id === wanted && kind === 'recurring');
  return ledger.find(
    ({ kind, transactionId }) =>
      kind === 'charge' &&
      (transactionId === charge?.transactionId || transactionId === namelessCharge(wanted)),
  );
}

function recurringTarget(
  { payment, attempts, ledger }: PaymentRecord,
  { amountMinorUnits, ceilingMinorUnits }: Extract<MoneyRequest, { kind: 'recurring' }>,
): Target | Refusal {
  const row = ledger.find((one) => one.transactionId === payment.transactionId);
  const attempt = attempts.find(({ number }) => number === row?.attemptNumber);
  const { transactionId, recurringToken, state } = payment;
  const isAllowed = isPaid(state) && recurringToken !== null;
  if (attempt === undefined || transactionId === null || !isAllowed) {
    return refuse(
      'wrong_state',
      `A payment that is ${state}${recurringToken === null ? ', without a recurring token,' : ''} cannot be charged again.`,
    );
  }
  const limitMinorUnits = ceilingMinorUnits ?? payment.amount.minorUnits;
  if (amountMinorUnits > limitMinorUnits) {
    return refuse(
      'amount_too_large',
      `One recurring charge is at most ${decimalOf(limitMinorUnits)} ${payment.amount.currency} (recurringCeiling).`,
    );
  }
  return { attempt, transactionId, amountMinorUnits, limitMinorUnits, baselineMinorUnits: 0 };
}

/** Capture and void exclude each other, whatever the state of the first. */
function heldTarget(
  { payment, attempts, operations }: PaymentRecord,
  request: Extract<MoneyRequest, { kind: 'capture' | 'void' }>,
): Target | Refusal {
  const { state, currentAttempt, capturedMinorUnits } = payment;
  const attempt = attempts.find(
    ({ number, kind }) => number === currentAttempt && kind === 'authorization',
  );
  // After a challenge the gateway may not show that it holds the money; a capture then shows it.
  const isHeld =
    state === 'authorized' ||
    state === 'pending' ||
    (state === 'paid_late' && capturedMinorUnits === 0 && request.kind === 'void');
  const transactionId = payment.transactionId ?? attempt?.transactionId ?? null;
  if (attempt === undefined || transactionId === null || !isHeld) {
    return refuse('wrong_state', `A payment that is ${state} holds nothing to ${request.kind}.`);
  }
  // A capture would be the first to show that the money is held, so the price was not asked before.
  const isPriced = payment.transactionId !== null || request.kind === 'void';
  if (!isPriced && reasonOfPrice(attempt.amount, request.price) !== null) {
    return refuse(
      'wrong_state',
      'The order’s price has changed since this authorization, or there is no such order any more. Void it.',
    );
  }
  const outstanding = operations.filter(isOutstanding);
  const isUnderWay = outstanding.some(
    ({ kind, attemptNumber }) =>
      (kind === 'capture' || kind === 'void') && attemptNumber === attempt.number,
  );
  if (isUnderWay) {
    return refuse(
      'operation_in_progress',
      'A capture or a void of this authorization is under way, or its outcome is unknown.',
    );
  }
  const isSelling = outstanding.some(
    ({ kind, attemptNumber }) => kind === 'sale' && attemptNumber !== attempt.number,
  );
  if (isSelling) {
    return refuse(
      'operation_in_progress',
      'Another sale of this order is under way, or its outcome is unknown.',
    );
  }
  const held = attempt.amount.minorUnits;
  return {
    attempt,
    transactionId,
    amountMinorUnits: request.kind === 'capture' ? request.amountMinorUnits : held,
    limitMinorUnits: held,
    baselineMinorUnits: attempt.state === 'succeeded' ? held : 0,
  };
}
