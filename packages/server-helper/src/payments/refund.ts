import { type TransactionId, transactionId as idOf, transactionKey } from '../ids.ts';
import {
  attemptOf,
  begunAt,
  BY_EVIDENCE,
  isOutstanding,
  isPaid,
  isPayable,
  type LedgerRow,
  type Operation,
  type PaymentRecord,
  unseenBaseline,
} from './record.ts';
import { type Attempt, CHECK_SOON_MS, isAfter, newAttempt } from './attempt.ts';
import { discrepancy, endReviewsOf, isOpen, type PriceNow, reasonOfPrice } from './reviews.ts';
import { takenOf } from './document.ts';
import { aboutTransaction, type Draft } from './draft.ts';
import type { Receipt } from './judge.ts';
import { decimalOf, type Money } from '../money.ts';
import { type LinkRefusal, nextNumber } from './link-decision.ts';

/** Our refunds of a transaction as they began, without failed ones and mere proposals. */
export const refundsOf = (operations: readonly Operation[], transactionId: TransactionId) =>
  operations
    .filter((one) => one.kind === 'refund' && one.transactionId === transactionId)
    .filter(({ state }) => state !== 'failed' && state !== 'proposed')
    .toSorted((a, b) => begunAt(a) - begunAt(b));

/** What was refunded elsewhere when the gateway answered last. */
export const baselineOf = ({ baselineMinorUnits: seen }: Pick<Operation, 'baselineMinorUnits'>) =>
  seen >= 0 ? seen : unseenBaseline(seen);

const sumOf = (operations: readonly Operation[]): number =>
  operations.reduce((sum, { amount }) => sum + amount.minorUnits, 0);

const doneSum = (refunds: readonly Operation[]): number =>
  sumOf(refunds.filter(({ state }) => state === 'succeeded'));

/**
 * Refunded of a transaction, as evidence shows or by our refunds that succeeded: one that a person
 * resolved as succeeded may not show yet, and counts all the same.
 */
export const refundedOf = (operations: readonly Operation[], row: LedgerRow): number =>
  Math.max(row.refundedMinorUnits, doneSum(refundsOf(operations, row.transactionId)));

/**
 * What may still be refunded of a transaction: what was captured, less what evidence shows, less
 * every refund that is under way or may have happened. Beside it what the gateway shows as refunded elsewhere.
 */
export function refundBalance(record: PaymentRecord, row: LedgerRow) {
  const { payment, operations } = record;
  const refunds = refundsOf(operations, row.transactionId);
  const isBase = row.transactionId === payment.transactionId;
  // Beside the payment, what is called held may have been captured elsewhere: the gateway decides.
  const taken = takenOf(payment, row) || (isBase ? 0 : row.amount.minorUnits);
  const refunded = refundedOf(operations, row);
  return {
    availableMinorUnits: taken - refunded - sumOf(refunds.filter(isOutstanding)),
    elsewhereMinorUnits: refunded - doneSum(refunds),
  };
}

/**
 * Which refunds a transaction's refunded total proves. The total at which a refund that was taken on is certainly
 * in it counts the ones taken on before, but where later ones alone may make the total; a refund whose answer was
 * lost is proven only by exactly the total of all refunds: of a greater one, more was refunded elsewhere.
 */
export function provenRefunds(
  operations: readonly Operation[],
  transactionId: TransactionId,
  totalMinorUnits: number,
): readonly Operation[] {
  const refunds = refundsOf(operations, transactionId);
  return refunds.filter((operation, index) => {
    const isKnown = operation.baselineMinorUnits >= 0;
    const baseline = baselineOf(operation);
    if (operation.state === 'unknown')
      return isKnown && totalMinorUnits === baseline + sumOf(refunds);
    if (operation.state !== 'pending') return false;
    const before = refunds
      .slice(0, index)
      .filter(({ state }) => state === 'pending' || state === 'succeeded');
    const { minorUnits } = operation.amount;
    const others = refunds
      .slice(index + 1)
      .filter(({ state, amount }) => state === 'pending' && amount.minorUnits !== minorUnits);
    const isReached = totalMinorUnits >= baseline + sumOf(before) + minorUnits;
    return isReached && !mayMake(totalMinorUnits, others);
  });
}

/** More sums than these are not tried: it is not certain then which refunds made the total. */
const MOST_SUMS = 10_000;

/** Whether some of these refunds, and no other, may have made the total. */
function mayMake(totalMinorUnits: number, refunds: readonly Operation[]): boolean {
  if (refunds.every((one) => baselineOf(one) + sumOf(refunds) < totalMinorUnits)) return false;
  const sums = new Set([0]);
  for (const one of refunds)
    for (const sum of [...sums].map((before) => before + one.amount.minorUnits)) {
      if (sum === totalMinorUnits - baselineOf(one)) return true;
      if (sum < totalMinorUnits) sums.add(sum);
      if (sums.size > MOST_SUMS) return true;
    }
  return false;
}

type Totals = Pick<Receipt, 'amountMinorUnits' | 'refundedMinorUnits'>;

/** Takes over a transaction's refunded total, and emits an event. Only what paid the order moves its state. */
export function moveRefund(draft: Draft, attempt: Attempt, receipt: Totals, row: LedgerRow): void {
  const { refundedMinorUnits } = receipt;
  const { transactionId, capturedMinorUnits, state, ...payment } = draft.payment;
  const isBase = row.transactionId === transactionId;
  const before = isBase ? payment.refundedMinorUnits : row.refundedMinorUnits;
  const whole = isBase ? capturedMinorUnits : receipt.amountMinorUnits;
  if (refundedMinorUnits < before || refundedMinorUnits > whole) {
    const said = decimalOf(refundedMinorUnits);
    discrepancy(draft, attempt, { ...row, reason: 'refund_contradiction', said });
    return;
  }
  draft.agree(row.transactionId);
  if (refundedMinorUnits === before) return;
  const isFull = refundedMinorUnits === whole;
  if (isBase) {
    // Money that came late stays late until all of it is refunded: the order must not ship.
    const partly = state === 'paid_late' ? 'paid_late' : 'partially_refunded';
    draft.enter({ state: isFull ? 'refunded' : partly, refundedMinorUnits });
  }
  draft.putRow({ ...row, refundedMinorUnits });
  draft.emit('refunded', {
    ...aboutTransaction(row.transactionId),
    refundedMinorUnits,
    ...(isBase ? {} : { amount: { ...row.amount, minorUnits: whole } }),
  });
  if (isFull) endReviewsOf(draft, row.transactionId);
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
  const begun = draft.operations.filter((operation) => !isAfter(begunAt(operation), askedAt));
  for (const proven of provenRefunds(begun, transactionId, refundedMinorUnits)) {
    draft.putOperation(proven, 'succeeded', { reason: BY_EVIDENCE });
  }
}

/** Who asks for an operation, under which key. */
export type Asked = Pick<Operation, 'id' | 'requestId' | 'owner' | 'requestedBy' | 'reviewId'>;

/** A money operation as the merchant asks for it. */
export type MoneyRequest = Asked &
  (
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
      }
    | {
        readonly kind: 'capture';
        readonly amountMinorUnits: number;
        readonly price?: PriceNow;
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

export interface Refusal {
  readonly kind: 'refuse';
  readonly code:
    | LinkRefusal
    | 'amount_too_large'
    | 'not_confirmed'
    | 'not_found_in_store'
    | 'operation_in_progress'
    | 'request_id_reused'
    | 'same_person'
    | 'wrong_state';
  readonly message: string;
}

export const refuse = (code: Refusal['code'], message: string): Refusal => {
  return { kind: 'refuse', code, message };
};

/** What an operation acts on, and the most that it may move. */
export interface Target extends Pick<Operation, 'transactionId' | 'baselineMinorUnits'> {
  readonly attempt: Attempt;
  readonly amount: Money;
  readonly limitMinorUnits: number;
}

/** Finds the transaction of an operation, or the refusal. */
export function targetOf(record: PaymentRecord, request: MoneyRequest): Target | Refusal {
  if (request.kind === 'refund') return refundTarget(record, request);
  if (request.kind === 'recurring') return recurringTarget(record, request);
  return heldTarget(record, request);
}

/** The transaction comes from our evidence; a session's id never gets here. */
function refundTarget(
  record: PaymentRecord,
  request: Extract<MoneyRequest, { kind: 'refund' }>,
): Target | Refusal {
  const { payment } = record;
  const isRefundable = isPaid(payment.state) || ['refunded', 'paid_late'].includes(payment.state);
  if (request.reviewId !== undefined && !isOpen(record, request.reviewId)) {
    return refuse('not_found_in_store', 'The review is over that this refund answers.');
  }
  const wanted = transactionKey(request.transactionId ?? payment.transactionId ?? '');
  const row =
    request.operationId === undefined
      ? record.ledger.find((one) => transactionKey(one.transactionId) === wanted)
      : chargeRow(record, request.operationId);
  const attempt = attemptOf(record, row?.attemptNumber);
  const isBase = row !== undefined && row.transactionId === payment.transactionId;
  if (row === undefined || attempt === undefined || (isBase && !isRefundable)) {
    const words = `A payment that is ${payment.state} has nothing of this transaction to refund.`;
    return refuse('wrong_state', words);
  }
  if (row.kind === 'charge' && attempt.kind !== 'charge') {
    const words =
      'The gateway’s answer to this charge named no transaction: the specification shows none (§4.7), and a refund needs one (§4.3). Refund the charge on the gateway’s dashboard.';
    return refuse('wrong_state', words);
  }
  const { availableMinorUnits, elsewhereMinorUnits } = refundBalance(record, row);
  return {
    attempt,
    transactionId: row.transactionId,
    amount: { ...row.amount, minorUnits: request.amountMinorUnits },
    limitMinorUnits: availableMinorUnits,
    baselineMinorUnits:
      request.isTotalUnknown === true ? unseenBaseline(elsewhereMinorUnits) : elsewhereMinorUnits,
  };
}

/** The ledger's row of a recurring charge that was made. */
function chargeRow({ ledger, operations }: PaymentRecord, wanted: string): LedgerRow | undefined {
  const charge = operations.find(({ id, kind }) => id === wanted && kind === 'recurring');
  const names = new Set([charge?.transactionId, namelessCharge(wanted)]);
  return ledger.find((one) => one.kind === 'charge' && names.has(one.transactionId));
}

/** The row of what paid the order, or is held for it. */
const baseRow = ({ payment, ledger }: PaymentRecord): LedgerRow | undefined =>
  ledger.find((one) => one.transactionId === payment.transactionId);

function recurringTarget(
  record: PaymentRecord,
  { amountMinorUnits, ceilingMinorUnits }: Extract<MoneyRequest, { kind: 'recurring' }>,
): Target | Refusal {
  const { payment } = record;
  const attempt = attemptOf(record, baseRow(record)?.attemptNumber);
  const { transactionId, recurringToken, state } = payment;
  const isAllowed = isPaid(state) && recurringToken !== null;
  if (attempt === undefined || transactionId === null || !isAllowed) {
    const words = `A payment that is ${state}${recurringToken === null ? ', without a recurring token,' : ''} cannot be charged again.`;
    return refuse('wrong_state', words);
  }
  const limitMinorUnits = ceilingMinorUnits ?? payment.amount.minorUnits;
  if (amountMinorUnits > limitMinorUnits) {
    const words = `One recurring charge is at most ${decimalOf(limitMinorUnits)} ${payment.amount.currency} (recurringCeiling).`;
    return refuse('amount_too_large', words);
  }
  const amount = { ...payment.amount, minorUnits: amountMinorUnits };
  return { attempt, transactionId, amount, limitMinorUnits, baselineMinorUnits: 0 };
}

/** Whether an operation has released what was held. */
export const hasReleased = ({ kind, state }: Operation): boolean =>
  kind === 'void' && state === 'succeeded';

/** Money beside the payment that is held, and that no void of ours has released: what was not tried comes first. */
function heldBeside({ payment, ledger, operations }: PaymentRecord): LedgerRow | undefined {
  const others = [payment, ...operations.filter(hasReleased)];
  const excluded = new Set(others.map(({ transactionId }) => transactionId));
  const held = ledger.filter(
    (row) =>
      !excluded.has(row.transactionId) && row.amount.minorUnits > 0 && takenOf(payment, row) === 0,
  );
  const tried = new Set(operations.map((one) => one.kind === 'void' && one.transactionId));
  return held.find((row) => !tried.has(row.transactionId)) ?? held[0];
}

/** The order's own authorization: its shopper may have gone on to another way to pay before it was shown. */
function ownHold(record: PaymentRecord, wanted: 'capture' | 'void'): Attempt | undefined {
  const { payment, attempts, operations } = record;
  const released = new Set(operations.filter(hasReleased).map((one) => one.attemptNumber));
  const holds = attempts.filter(({ kind }) => kind === 'authorization');
  const unreleased = holds.filter(
    ({ state, number, shown }) =>
      state === 'open' && !released.has(number) && shown?.isDeclined !== true,
  );
  // What the gateway refused to release keeps no other hold from it.
  const tried = new Set(operations.map((one) => one.kind === 'void' && one.attemptNumber));
  const open = unreleased.findLast(({ number }) => !tried.has(number)) ?? unreleased.at(-1);
  const unshown = wanted === 'void' ? open?.number : payment.currentAttempt;
  const number = baseRow(record)?.attemptNumber ?? unshown;
  return holds.find((one) => one.number === number);
}

/** Capture and void exclude each other, whatever the state of the first. */
function heldTarget(
  record: PaymentRecord,
  request: Extract<MoneyRequest, { kind: 'capture' | 'void' }>,
): Target | Refusal {
  const { payment, operations } = record;
  const { state, capturedMinorUnits, cancelled } = payment;
  // After a challenge the gateway may not show that it holds the money; a capture then shows it.
  const isHeldLate = state === 'paid_late' && capturedMinorUnits === 0;
  const isUnshown = request.kind === 'void' ? isPayable(state) : state === 'pending';
  const isHeld = state === 'authorized' || isUnshown || isHeldLate;
  const own = isHeld ? ownHold(record, request.kind) : undefined;
  // Of an order that was given up, what is held is only released: a captured one ships.
  const isGivenUp = (cancelled || state === 'paid_late') && request.kind === 'capture';
  const beside = own === undefined && request.kind === 'void' ? heldBeside(record) : undefined;
  const attempt = own ?? attemptOf(record, beside?.attemptNumber);
  const transactionId =
    beside?.transactionId ?? payment.transactionId ?? attempt?.transactionId ?? null;
  if (attempt === undefined || transactionId === null || isGivenUp) {
    return refuse('wrong_state', `A payment that is ${state} holds nothing to ${request.kind}.`);
  }
  // A capture would be the first to show that the money is held, so the price was not asked before.
  const isPriced = payment.transactionId !== null || request.kind === 'void';
  if (!isPriced && reasonOfPrice(attempt.amount, request.price) !== null) {
    const words =
      'The order’s price has changed since this authorization, or there is no such order any more. Void it.';
    return refuse('wrong_state', words);
  }
  const outstanding = operations.filter(isOutstanding);
  const isOwn = ({ attemptNumber }: Operation): boolean => attemptNumber === attempt.number;
  if (outstanding.some((one) => isOwn(one) && (one.kind === 'capture' || one.kind === 'void'))) {
    const words =
      'A capture or a void of this authorization is under way, or its outcome is unknown.';
    return refuse('operation_in_progress', words);
  }
  // A sale whose challenge is not passed stays pending for ever.
  if (outstanding.some((one) => !isOwn(one) && one.kind === 'sale' && one.state !== 'pending')) {
    const words = 'Another sale of this order is under way, or its outcome is unknown.';
    return refuse('operation_in_progress', words);
  }
  // A person may have accepted another amount than was asked for.
  const { amount } = beside ?? baseRow(record) ?? attempt;
  const minorUnits = request.kind === 'capture' ? request.amountMinorUnits : amount.minorUnits;
  return {
    attempt,
    transactionId,
    amount: { ...amount, minorUnits },
    limitMinorUnits: amount.minorUnits,
    baselineMinorUnits: 0,
  };
}

/**
 * The id in the ledger of a charge whose transaction is not known: its operation's. Transactions compare
 * without case and operations do not, so capitals are marked.
 */
export const namelessCharge = (operationId: string): TransactionId =>
  idOf(operationId.replaceAll(/[A-Z]/g, (letter) => `^${letter}`));

/**
 * Records a recurring charge that was made, beside what pays the order. Where the gateway named the
 * charge's own transaction, an attempt watches it; the specification shows no such name (§4.7), and
 * without one the ledger's row has the operation's id.
 *
 * @param named - The transaction in the gateway's answer, if any.
 * @returns the charge's own transaction, if it is known.
 */
export function recordCharge(
  draft: Draft,
  operation: Operation,
  named: TransactionId | null,
): TransactionId | null {
  const { before, now } = draft;
  const origin = attemptOf(before, operation.attemptNumber);
  if (origin === undefined) return null;
  const { id, orderId, amount } = operation;
  // A gateway may name the first payment's transaction, which is not the charge's own.
  const own = named === null || draft.rowOf(named) !== undefined ? null : named;
  if (own === null) {
    draft.bind(namelessCharge(id), 'charge', origin, { amount });
  } else {
    const attempt: Attempt = {
      ...newAttempt({ orderId, number: nextNumber(before.attempts), kind: 'charge', amount }, now),
      state: 'succeeded',
      transactionId: own,
      ...(origin.keys && { keys: origin.keys }),
      nextCheckAt: now + CHECK_SOON_MS,
    };
    draft.addAttempt(attempt);
    draft.bind(own, 'charge', attempt, { amount });
  }
  const about = { subject: id, transactionId: own ?? operation.transactionId, operationId: id };
  draft.emit('charged', { ...about, reason: null, amount });
  return own;
}
