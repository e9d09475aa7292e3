import { sameMoney } from '../money.ts';
import type { TransactionId } from '../ids.ts';
import type { Attempt } from './attempt.ts';
import type { Receipt, Verdict } from './judge.ts';
import { isSettled, type Payment } from './payment.ts';
import { eventAbout } from './payment-event.ts';
import type {
  Change,
  LedgerKind,
  LedgerRow,
  PaymentEvent,
  PaymentEventType,
  PaymentRecord,
  ReviewItem,
  ReviewReason,
} from './payment-record.ts';

/**
 * What a verdict about one attempt changes. Pure: the caller commits the change, or drops it when
 * someone else was faster and decides again on what they left.
 *
 * @returns `null` when nothing changes.
 */
export function transition(
  record: PaymentRecord,
  attempt: Attempt,
  verdict: Verdict,
  now: number,
): Change | null {
  if (verdict.kind === 'nothing') return null;
  const draft = new Draft(record, attempt, now);
  if (verdict.kind === 'failed') {
    const isCurrent = attempt.number === record.payment.currentAttempt;
    if (isCurrent && record.payment.state === 'pending') draft.fail();
    return draft.finish();
  }
  // Receipts first: good money pays the order even when doubtful money lies beside it.
  for (const receipt of verdict.receipts) draft.receive(receipt);
  for (const doubt of verdict.doubts) draft.doubt(doubt.transactionId, doubt.reason);
  if (verdict.receipts.length > 0) draft.settleAttempt();
  return draft.finish();
}

/** Money that the payment stands on; the rest is duplicate or doubtful. */
const isBase = (row: LedgerRow): boolean => row.kind === 'payment' || row.kind === 'late';

/** Collects what one verdict changes, row by row, on the state the former row left. */
class Draft {
  readonly #record: PaymentRecord;
  readonly #now: number;
  readonly #attempt: Attempt;
  #payment: Payment;
  readonly #attempts: Attempt[] = [];
  readonly #ledger: LedgerRow[] = [];
  readonly #reviews: ReviewItem[] = [];
  readonly #events: PaymentEvent[] = [];

  constructor(record: PaymentRecord, attempt: Attempt, now: number) {
    this.#record = record;
    this.#attempt = attempt;
    this.#now = now;
    this.#payment = {
      ...record.payment,
      version: record.payment.version + 1,
      updatedAt: now,
    };
  }

  fail(): void {
    this.#enter({ state: 'failed' });
    this.#tell('failed', `${this.#attempt.number}`);
  }

  /** A receipt either pays the order, moves its refund forward, or is money too much. */
  receive(receipt: Receipt): void {
    const { transactionId } = receipt;
    const known = this.#known(transactionId);
    if (known !== undefined) {
      if (isBase(known)) this.#refund(receipt);
      return;
    }
    if (isSettled(this.#payment.state)) {
      this.#bind(transactionId, 'duplicate');
      this.#askForReview(transactionId, 'duplicate_charge');
      this.#tell('duplicateCharge', transactionId, { transactionId });
    } else if (receipt.refundedMinorUnits > 0) {
      this.doubt(transactionId, 'refunded_before_confirmed');
    } else if (!sameMoney(this.#attempt.amount, this.#payment.amount)) {
      this.doubt(transactionId, 'superseded_amount');
    } else if (this.#payment.state === 'review') {
      this.doubt(transactionId, 'paid_in_review');
    } else if (this.#payment.cancelled || this.#payment.state === 'expired') {
      this.#bind(transactionId, 'late');
      this.#enter({ state: 'paid_late', transactionId });
      this.#askForReview(transactionId, 'paid_late');
      this.#tell('paidLate', transactionId, { transactionId });
    } else {
      this.#bind(transactionId, 'payment');
      this.#enter({ state: 'paid', transactionId });
      this.#tell('paid', transactionId, { transactionId });
    }
  }

  /** A doubt stops an unpaid order for a person; a paid order stays paid and gets a review item. */
  doubt(transactionId: TransactionId, reason: ReviewReason): void {
    if (!this.#askForReview(transactionId, reason)) return;
    const isKnown = this.#known(transactionId) !== undefined;
    if (!isKnown && reason !== 'transaction_of_another_order') this.#bind(transactionId, 'doubt');
    if (!isSettled(this.#payment.state)) this.#enter({ state: 'review' });
    this.#tell('review', `${reason}:${transactionId}`, { transactionId, reason });
  }

  settleAttempt(): void {
    const { number } = this.#attempt;
    const stored = this.#record.attempts.find((one) => one.number === number) ?? this.#attempt;
    if (stored.state === 'settled') return;
    this.#attempts.push({ ...stored, state: 'settled', nextLookAt: null });
  }

  finish(): Change | null {
    const change: Change = {
      payment: this.#payment,
      attempts: this.#attempts,
      ledger: this.#ledger,
      reviews: this.#reviews,
      events: this.#events,
    };
    const { attempts, ledger, reviews, events } = change;
    const isSilent = [attempts, ledger, reviews, events].every((list) => list.length === 0);
    return isSilent ? null : change;
  }

  #refund({ transactionId, refundedMinorUnits }: Receipt): void {
    const before = this.#payment.refundedMinorUnits;
    if (refundedMinorUnits === before) return;
    if (refundedMinorUnits < before) {
      this.doubt(transactionId, 'refund_contradiction');
      return;
    }
    const isFull = refundedMinorUnits === this.#payment.amount.minorUnits;
    // Money that came late stays late until all of it went back: nobody may ship for it.
    const partly = this.#payment.state === 'paid_late' ? 'paid_late' : 'partially_refunded';
    this.#enter({ state: isFull ? 'refunded' : partly, refundedMinorUnits });
    this.#tell('refunded', `${transactionId}:${refundedMinorUnits}`, { transactionId });
  }

  #known(transactionId: TransactionId): LedgerRow | undefined {
    return [...this.#record.ledger, ...this.#ledger].find(
      (row) => row.transactionId === transactionId,
    );
  }

  #enter(next: Partial<Payment>): void {
    this.#payment = { ...this.#payment, ...next };
  }

  #bind(transactionId: TransactionId, kind: LedgerKind): void {
    this.#ledger.push({
      transactionId,
      orderId: this.#payment.orderId,
      attemptNumber: this.#attempt.number,
      kind,
      amount: this.#attempt.amount,
      recordedAt: this.#now,
    });
  }

  /** @returns whether it is a new matter. */
  #askForReview(transactionId: TransactionId, reason: ReviewReason): boolean {
    const isKnown = [...this.#record.reviews, ...this.#reviews].some(
      (item) => item.transactionId === transactionId && item.reason === reason,
    );
    if (isKnown) return false;
    const { orderId } = this.#payment;
    this.#reviews.push({ orderId, reason, transactionId, createdAt: this.#now });
    return true;
  }

  #tell(
    type: PaymentEventType,
    subject: string,
    about: { readonly transactionId?: TransactionId; readonly reason?: ReviewReason } = {},
  ): void {
    this.#events.push(eventAbout(this.#payment, type, subject, this.#now, about));
  }
}
