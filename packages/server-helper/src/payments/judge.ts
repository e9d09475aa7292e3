import { isOfOther, nameIn, type TransactionId } from '../ids.ts';
import { currencyOf, type Money, parseAmount } from '../money.ts';
import { type Attempt, isNameOf } from './attempt.ts';
import {
  areDeclined,
  type EvidenceRow,
  goesBack,
  isCapture,
  isMoney,
  isOfRefund,
  statusRow,
  wentBackIn,
} from './answer.ts';
import type { LedgerRow, ReviewItem, ReviewReason } from './record.ts';

/** A money row that is what we asked for. */
export interface Receipt {
  readonly transactionId: TransactionId;
  /** The paid amount: the attempt's; of an authorization, what was captured or is held. */
  readonly amountMinorUnits: number;
  readonly refundedMinorUnits: number;
  /** Taken of it; zero where it may be only held. */
  readonly takenMinorUnits: number;
  /** Whether the row says that it was taken, of an authorization. @defaultValue `false` */
  readonly isCapture?: boolean;
  /** Charges the customer again, where the row bears it (assumption N10). Encrypted. */
  readonly recurringToken: string | null;
}

/** A money row that a person must review. */
export interface Discrepancy {
  readonly transactionId: TransactionId;
  readonly reason: ReviewReason;
  /** What really came; `null` where the rows do not say it, or disagree. */
  readonly amount: Money | null;
  /** Refunded of it, as far as that can be read. */
  readonly refundedMinorUnits: number;
  /** Taken of it, where it is new. */
  readonly takenMinorUnits?: number | undefined;
  /** What the gateway says of it, where that can change. */
  readonly said?: string;
}

/**
 * What a status answer means for the attempt it was asked for.
 *
 * `nothing` no change · `failed` every try so far was declined; the link is still payable ·
 * `money` the gateway says money moved: `receipts` are what we asked for, `discrepancies` are not.
 */
export type Verdict =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'money';
      readonly receipts: readonly Receipt[];
      readonly discrepancies: readonly Discrepancy[];
    };

/** What the judge needs to know. */
export interface Case {
  readonly attempt: Attempt;
  readonly rows: readonly EvidenceRow[];
  /** Whether the answer held all that was asked about; part of it proves money, but no failure. */
  readonly isFull: boolean;
  /** The order's known transactions. Each is compared with the amount that came, not with the attempt's. */
  readonly ledger: readonly LedgerRow[];
  /** The order's reviews. What a person was asked about before does not hide a refund of the money. */
  readonly reviews?: readonly ReviewItem[];
  /** What the order knows to be taken of what it holds. @defaultValue 0 */
  readonly captured?: number;
  /** Money that nothing but a webhook brought to the attempt. @defaultValue none */
  readonly unattributed?: readonly TransactionId[];
  /** Transactions of other orders, with those orders. */
  readonly boundElsewhere: ReadonlyMap<TransactionId, string>;
}

/**
 * Decides what evidence means for an attempt. Pure and total: what it does not know exactly is no money.
 *
 * @see `docs/how-confirmation-works.md` for the rules by number.
 */
export function judge(given: Case): Verdict {
  const { attempt, rows, isFull } = given;
  const moneyRows = rows.filter(isMoney);
  if (moneyRows.length === 0) {
    // Another order's tries say nothing of this one, however its name is written.
    const own = rows.filter(
      (row) => knownIn(given, row) || !isOfOther(row.merchantOrderId, attempt.merchantOrderId),
    );
    return { kind: isFull && areDeclined(own) ? 'failed' : 'nothing' };
  }
  const receipts: Receipt[] = [];
  const discrepancies: Discrepancy[] = [];
  const isGone = wentBackUntold(rows, attempt, given.captured);
  for (const transactionId of new Set(moneyRows.map((row) => row.transactionId))) {
    // A gateway may write the session's id into every row (§4.2): each is one of its tries then, or a charge.
    const isNameless = isNameOf(attempt, transactionId);
    const isTold = (row: EvidenceRow): boolean =>
      isNameless || (isOfRefund(row) && !(isGone && goesBack(row)));
    const own = rows
      .filter((row) => row.transactionId === transactionId)
      .filter((row) => isMoney(row) || !isTold(row));
    let found = examineTransaction(own, given);
    if (typeof found !== 'string' && isNameless && (isGone || own.length > 1))
      found = 'payment_contradiction';
    if (typeof found !== 'string' && isGone && !knownIn(given, { transactionId }))
      found = 'refunded_before_confirmed';
    // What went back since, before a capture was seen, ships nothing.
    const isUntaken = isGone && attempt.kind === 'authorization';
    const taken = isUntaken ? { takenMinorUnits: 0, isCapture: false } : {};
    if (typeof found !== 'string') receipts.push({ ...found, ...taken });
    else discrepancies.push({ transactionId, reason: found, ...whatCame(own, attempt, found) });
  }
  return { kind: 'money', receipts, discrepancies };
}

/** The order's row of a transaction, where it has one. */
const knownIn = ({ ledger }: Case, { transactionId: id }: Pick<EvidenceRow, 'transactionId'>) =>
  ledger.find(({ transactionId }) => transactionId === id);

/** Which reason is given where rows of one transaction give several, whatever their order. */
const reasonsByWeight: readonly ReviewReason[] = [
  'transaction_of_another_order',
  'order_mismatch',
  'currency_mismatch',
  'amount_mismatch',
  'refund_contradiction',
  'payment_contradiction',
  'unattributed_payment',
];

/**
 * Rows of one transaction are a receipt if each of them is and all agree; else there is a reason
 * for a review: an answer that calls a transaction both paid and failed proves neither.
 */
function examineTransaction(rows: readonly EvidenceRow[], given: Case): Receipt | ReviewReason {
  const reasons = new Set<ReviewReason>();
  let receipt: Receipt | undefined;
  for (const row of rows) {
    const found = isMoney(row) ? examine(row, given) : 'payment_contradiction';
    if (typeof found === 'string') {
      reasons.add(found);
      continue;
    }
    const recurringToken = receipt?.recurringToken ?? found.recurringToken;
    receipt = { ...(receipt ?? found), recurringToken };
    // An authorization may be shown with what is held, and with what was captured of it.
    if (found.amountMinorUnits !== receipt.amountMinorUnits) reasons.add('amount_mismatch');
    if (found.refundedMinorUnits !== receipt.refundedMinorUnits)
      reasons.add('refund_contradiction');
  }
  if (receipt !== undefined && reasons.size === 0) return receipt;
  return reasonsByWeight.find((reason) => reasons.has(reason)) ?? 'payment_contradiction';
}

/** A money row is a receipt, or there is a reason for a review. */
function examine(row: EvidenceRow, given: Case): Receipt | ReviewReason {
  const { attempt, reviews = [], unattributed = [], boundElsewhere } = given;
  if (boundElsewhere.has(row.transactionId)) return 'transaction_of_another_order';
  const known = knownIn(given, row);
  const expected = known?.amount ?? attempt.amount;
  const { merchantOrderId: name } = row;
  const namesAnother = nameIn(name) !== undefined && name !== attempt.merchantOrderId;
  if (namesAnother && !(known !== undefined && wasReviewed(row, reviews))) return 'order_mismatch';
  if (row.currencyCode !== undefined && currencyOf(row.currencyCode) !== expected.currency) {
    return 'currency_mismatch';
  }
  const amount = parseAmount(row.amount);
  if (amount === undefined || !matches(amount, expected, given, row)) {
    // A person may have accepted another amount than the attempt's: that is not the matter any more.
    return known?.kind === 'payment' ? 'payment_contradiction' : 'amount_mismatch';
  }
  if (!refundIsConsistent(row, amount)) return 'refund_contradiction';
  // What is only held can be released, and is not the order's money yet.
  if (isHold(row) && attempt.kind !== 'authorization' && known?.kind !== 'payment')
    return 'payment_contradiction';
  if (unattributed.includes(row.transactionId)) return 'unattributed_payment';
  return {
    transactionId: row.transactionId,
    amountMinorUnits: amount,
    refundedMinorUnits: refundedOf(row),
    takenMinorUnits: takenIn(row, amount, attempt),
    ...(isCapture(row) && { isCapture: true }),
    recurringToken: row.recurringToken ?? null,
  };
}

/** Whether a row says that its money is held (assumption N13). */
const isHold = ({ type }: EvidenceRow): boolean => /^\W*(?:pre\W*)?auth/i.test(String(type));

/**
 * What a row proves to be taken of its amount. A gateway may call an authorization approved before it is captured, and
 * show that amount also of a part which was captured and refunded; a smaller amount can only have been captured.
 */
function takenIn(row: EvidenceRow, amount: number, { kind, amount: asked }: Attempt): number {
  if (isCapture(row)) return amount;
  return isHold(row) || (kind === 'authorization' && amount >= asked.minorUnits) ? 0 : amount;
}

/** Whether a person was asked about another order's name on the money before. */
const wasReviewed = ({ transactionId }: EvidenceRow, reviews: readonly ReviewItem[]): boolean =>
  reviews.some(({ subject, reason }) => subject === transactionId && reason === 'order_mismatch');

/**
 * An authorization may be captured in part, and shows what was captured then. Beside a sale's own transaction
 * another one shows that by its type alone: its row may be a stranger's.
 */
function matches(amount: number, { minorUnits }: Money, given: Case, row: EvidenceRow): boolean {
  const { kind, transactionId } = given.attempt;
  const isOwn =
    [null, row.transactionId].includes(transactionId) ||
    nameIn(row.merchantOrderId) === given.attempt.merchantOrderId;
  const mayBePart = isOwn || isCapture(row) || knownIn(given, row) !== undefined;
  if (kind !== 'authorization' || !mayBePart) return amount === minorUnits;
  return amount > 0 && amount <= minorUnits;
}

/** What rows say, in one text: each word of them where that is the matter, else the amounts. */
export function saidBy(rows: readonly EvidenceRow[], reason: ReviewReason): string {
  const isWhole = reason.endsWith('_contradiction') || reason === 'unreadable_answer';
  const words = rows.map((row) =>
    isWhole ? `${row.type} ${Object.values(statusRow(row)).join(' ')}` : row.amount,
  );
  return words.toSorted().join(', ');
}

/** The amount and the refunded total that the money rows of a discrepant transaction agree on. */
function whatCame(rows: readonly EvidenceRow[], attempt: Attempt, reason: ReviewReason) {
  const said = saidBy(rows, reason);
  const nothing = { amount: null, refundedMinorUnits: 0, takenMinorUnits: 0, said };
  const money = rows.filter(isMoney);
  const amounts = new Set(money.map((row) => parseAmount(row.amount) ?? 0));
  const codes = [...new Set(money.map(({ currencyCode = '' }) => currencyCode))].join();
  const minorUnits = Math.max(...amounts);
  const currency = codes === '' ? attempt.amount.currency : currencyOf(codes);
  if (amounts.size > 1 || minorUnits === 0 || currency === undefined) return nothing;
  const refunded = Math.max(...money.map(refundedOf));
  return {
    amount: { minorUnits, currency },
    refundedMinorUnits: refunded > minorUnits ? 0 : refunded,
    takenMinorUnits: Math.max(...money.map((row) => takenIn(row, minorUnits, attempt))),
    said,
  };
}

/**
 * Whether more went back, by rows of its own, than the money's own rows tell. A link's hold and its capture are two
 * rows: what the hold's row tells to be refunded went back.
 */
export function wentBackUntold(
  rows: readonly EvidenceRow[],
  attempt: Attempt | undefined,
  captured = 0,
): boolean {
  const isOfLink = (row: EvidenceRow): boolean => attempt?.kind !== 'authorization' && isHold(row);
  const back = Math.max(wentBackIn(rows, attempt, captured), refundedIn(rows.filter(isOfLink)));
  return back > refundedIn(rows.filter((row) => !isOfLink(row)));
}

/** What the rows of money tell to be refunded; several rows of one transaction tell the same. */
export function refundedIn(rows: readonly EvidenceRow[]): number {
  const totals = new Map<TransactionId, number>();
  for (const row of rows.filter(isMoney)) {
    const { transactionId: id } = row;
    totals.set(id, Math.max(totals.get(id) ?? 0, refundedOf(row)));
  }
  return [...totals.values()].reduce((sum, one) => sum + one, 0);
}

/** An absent total is zero; an unreadable one is caught by {@link refundIsConsistent} first. */
const refundedOf = (row: EvidenceRow): number => parseAmount(row.totalRefundAmount) ?? 0;

/** NONE goes with zero, FULL with the whole amount, PARTIAL with what lies between. */
function refundIsConsistent(row: EvidenceRow, amount: number): boolean {
  const refunded = row.totalRefundAmount === undefined ? 0 : parseAmount(row.totalRefundAmount);
  if (refunded === undefined) return false;
  const { refundStatus = 'NONE' } = row;
  if (refundStatus === 'NONE') return refunded === 0;
  if (refundStatus === 'PARTIAL') return refunded > 0 && refunded < amount;
  return refundStatus === 'FULL' && refunded === amount;
}
