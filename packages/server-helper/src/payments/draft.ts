import { type TransactionId, transactionKey } from '../ids.ts';
import { decimalOf, type Money } from '../money.ts';
import type { Attempt } from './attempt.ts';
import {
  attemptOf,
  BY_EVIDENCE,
  type Change,
  type LedgerKind,
  type LedgerRow,
  type Operation,
  type OperationState,
  type Payment,
  type PaymentEvent,
  type PaymentEventOf,
  type PaymentEventType,
  type PaymentRecord,
  reviewKey,
  type ReviewItem,
  type ReviewReason,
} from './record.ts';

/** Collects one change of a record. Each step sees the state after the step before. */
export class Draft {
  /** The record before the change. */
  readonly before: PaymentRecord;
  readonly now: number;
  #payment: Payment;
  #isDirty = false;
  readonly #attempts = new Map<number, Attempt>();
  readonly #ledger = new Map<string, LedgerRow>();
  readonly #reviews = new Map<string, ReviewItem>();
  readonly #operations = new Map<string, Operation>();
  readonly #events: PaymentEvent[] = [];
  /** Subjects of reviews that it reports, new or known. */
  readonly #reported = new Set<string>();

  constructor(record: PaymentRecord, now: number) {
    this.before = record;
    this.now = now;
    this.#payment = { ...record.payment, version: record.payment.version + 1, updatedAt: now };
  }

  get payment(): Payment {
    return this.#payment;
  }

  get operations(): readonly Operation[] {
    return this.before.operations.map((one) => this.#operations.get(one.id) ?? one);
  }

  /** The ledger's row of a transaction, written before or by this draft. */
  rowOf(transactionId: TransactionId): LedgerRow | undefined {
    const key = transactionKey(transactionId);
    const stored = this.before.ledger.find((row) => transactionKey(row.transactionId) === key);
    return this.#ledger.get(key) ?? stored;
  }

  /** Changes the payment. To reopen the order was asked for one stay in review. */
  enter(next: Partial<Payment>): void {
    const payment = { ...this.#payment, ...next };
    this.#payment = { ...payment, reopens: payment.reopens && payment.state === 'review' };
    this.#isDirty = true;
  }

  putAttempt(number: number, next: Partial<Attempt>): void {
    const stored = this.#attempts.get(number) ?? attemptOf(this.before, number);
    if (stored !== undefined) this.#attempts.set(number, { ...stored, ...next });
  }

  /** Adds an attempt, which no stored one has the number of. */
  addAttempt(attempt: Attempt): void {
    this.#attempts.set(attempt.number, attempt);
  }

  /** Binds a transaction to the order, for ever. */
  bind(
    transactionId: TransactionId,
    kind: LedgerKind,
    { number: attemptNumber, amount }: Attempt,
    more: Partial<Pick<LedgerRow, 'amount' | 'refundedMinorUnits' | 'takenMinorUnits'>> = {},
  ): void {
    const { orderId } = this.#payment;
    const bound = { transactionId, orderId, attemptNumber, kind, recordedAt: this.now };
    this.putRow({ ...bound, amount, refundedMinorUnits: 0, ...more });
  }

  putRow(row: LedgerRow): void {
    this.#ledger.set(transactionKey(row.transactionId), row);
  }

  /** Changes an operation. One that is unknown has an open review, and any other has none. */
  putOperation(operation: Operation, state: OperationState, next: Partial<Operation> = {}): void {
    const { id, transactionId } = operation;
    this.#operations.set(id, { ...operation, ...next, state, updatedAt: this.now });
    if (state === 'unknown') {
      // Who resolved the review before did not know that this comes after it.
      const about = { transactionId, operationId: id };
      this.reportReview(id, 'unknown_outcome', about, { at: Infinity });
      return;
    }
    const { reason, resolvedBy } = next;
    const isGateways = resolvedBy === undefined && reason === 'accepted';
    const why = isGateways ? BY_EVIDENCE : (reason ?? BY_EVIDENCE);
    this.resolveReview('unknown_outcome', id, why, resolvedBy);
  }

  /**
   * Puts a review on the list: a new one, or one that evidence had resolved and that is back. A review
   * that a person resolved stays resolved, but for news.
   *
   * @returns whether a person must be informed of it.
   */
  askForReview(subject: string, reason: ReviewReason, { at = 0, said }: News = {}): boolean {
    const known = this.#review(reason, subject);
    const isOther = known?.said !== undefined && said !== undefined && said !== known.said;
    if (known?.resolvedAt === null && isOther) this.#putReview({ ...known, said });
    const isNews = isOther || (known?.resolvedAt ?? Infinity) < at;
    const isBack = known === undefined || known.resolution === BY_EVIDENCE || isNews;
    if (known?.resolvedAt === null || !isBack) return false;
    this.#putReview({
      orderId: this.#payment.orderId,
      reason,
      subject,
      createdAt: known?.createdAt ?? this.now,
      resolvedAt: null,
      resolution: null,
      resolvedBy: null,
      ...(said !== undefined && { said }),
    });
    return true;
  }

  /** What the gateway says of a subject agrees again, but for what this change reports: later words are news. */
  agree(subject: string): void {
    if (this.#reported.has(subject)) return;
    for (const item of this.reviews)
      if (item.subject === subject && item.said) this.#putReview({ ...item, said: '' });
  }

  /**
   * Asks for a review as {@link Draft.askForReview} does, and reports it by a `review` event.
   *
   * @returns whether a person must be informed of it.
   */
  reportReview(
    subject: string,
    reason: ReviewReason,
    about: Omit<EventSubject<'review'>, 'reason'>,
    news?: News,
  ): boolean {
    this.#reported.add(subject);
    const again = this.#review(reason, subject)?.resolvedAt ?? undefined;
    const isNews = this.askForReview(subject, reason, news);
    const named = `${reason}:${this.#keyOf(subject)}`;
    if (isNews) this.emit('review', { ...about, reason, subject: named, again });
    return isNews;
  }

  /** The subject of a review in the id of its event. */
  #keyOf(subject: string): string {
    if (this.operations.some(({ id }) => id === subject)) return subject;
    const attempt = this.before.attempts.find(({ merchantOrderId: name }) =>
      `${subject}:`.startsWith(`${name}:`),
    );
    if (attempt === undefined) return transactionKey(subject);
    return subject.replace(attempt.merchantOrderId, () => attemptKey(this.operations, attempt));
  }

  /** The order's reviews, written before or by this draft. */
  get reviews(): readonly ReviewItem[] {
    const others = this.before.reviews.filter((item) => !this.#reviews.has(reviewKey(item)));
    return [...others, ...this.#reviews.values()];
  }

  /**
   * Resolves a review, if it is open.
   *
   * @param resolvedBy - The person who decided; `null` for evidence.
   */
  resolveReview(
    reason: ReviewReason,
    subject: string,
    resolution: string,
    resolvedBy: string | null = null,
  ): void {
    const item = this.#review(reason, subject);
    if (item?.resolvedAt === null) this.putResolution(item, resolution, resolvedBy);
  }

  /** Writes who resolved a review and how, in place of what was written before. */
  putResolution(item: ReviewItem, resolution: string, resolvedBy: string | null): void {
    this.#putReview(resolved(item, this.now, resolution, resolvedBy));
  }

  emit<Type extends PaymentEventType>(type: Type, about: EventSubject<Type>): void {
    this.#events.push(eventAbout(this.#payment, type, this.now, about));
  }

  /** @returns `null` when nothing changes. */
  finish(): Change | null {
    const parts = {
      attempts: [...this.#attempts.values()],
      ledger: [...this.#ledger.values()],
      reviews: [...this.#reviews.values()],
      operations: [...this.#operations.values()],
      events: this.#events,
    };
    const isSilent = Object.values(parts).every(({ length }) => length === 0);
    return isSilent && !this.#isDirty ? null : { payment: this.#payment, ...parts };
  }

  #review(reason: ReviewReason, subject: string): ReviewItem | undefined {
    return this.reviews.find((item) => item.subject === subject && item.reason === reason);
  }

  #putReview(item: ReviewItem): void {
    this.#reviews.set(reviewKey(item), item);
  }
}

/** A review after its resolution: by evidence, unless a person decided. */
export const resolved = (
  item: ReviewItem,
  resolvedAt: number,
  resolution = BY_EVIDENCE,
  resolvedBy: string | null = null,
): ReviewItem => ({ ...item, resolvedAt, resolution, resolvedBy });

/** The record that an order has before its first change; it is not stored. */
export const emptyRecord = (orderId: string, amount: Money, now: number): PaymentRecord => ({
  payment: {
    orderId,
    amount,
    state: 'unpaid',
    cancelled: false,
    reopens: false,
    transactionId: null,
    capturedMinorUnits: 0,
    recurringToken: null,
    refundedMinorUnits: 0,
    currentAttempt: 0,
    version: 0,
    createdAt: now,
    updatedAt: now,
  },
  attempts: [],
  ledger: [],
  reviews: [],
  operations: [],
});

/** A change of the payment and its attempts, without events. */
export function changeOf(
  payment: Payment,
  attempts: readonly Attempt[],
  next: Partial<Payment>,
  now: number,
): Change {
  return {
    payment: { ...payment, ...next, version: payment.version + 1, updatedAt: now },
    attempts,
    ledger: [],
    reviews: [],
    operations: [],
    events: [],
  };
}

/** What a person who resolved a review did not know of. */
interface News {
  /** When something came. */
  readonly at?: number;
  /** What the gateway says of the subject. */
  readonly said?: string | undefined;
}

/** The money and operation of an event, where they are not the order's own. */
interface EventDetails {
  readonly operationId?: string | undefined;
  /** The moved money, where it is not the payment's amount. */
  readonly amount?: Money;
  /** Refunded of the transaction, where that is not the payment's total. */
  readonly refundedMinorUnits?: number;
  /** What the id names. @defaultValue the transaction */
  readonly subject?: string;
  /** Distinguishes what happens to the subject again; absent the first time. */
  readonly again?: string | number | undefined;
}

/** What an event of a type is about. */
export type EventSubject<Type extends PaymentEventType> = EventDetails &
  Pick<PaymentEventOf<Type>, 'transactionId' | 'reason'>;

export const aboutTransaction = (transactionId: TransactionId) =>
  ({ transactionId, reason: null }) as const;

export const aboutAttempt = (operations: readonly Operation[], attempt: Attempt) =>
  ({ transactionId: null, reason: null, subject: attemptKey(operations, attempt) }) as const;

/**
 * The name of an attempt in the ids of events: its session, of a sale its operation, of a recurring
 * charge its transaction. After a restore another attempt may have its number.
 */
export const attemptKey = (
  operations: readonly Operation[],
  { number, sessionId, transactionId, merchantOrderId }: Attempt,
): string =>
  sessionId ??
  operations.find(({ kind, attemptNumber }) => kind === 'sale' && attemptNumber === number)?.id ??
  transactionId ??
  merchantOrderId;

/**
 * Writes an event about a payment. Its id is made of what happened: the same payment that is found in
 * another way, by another process or after a restore has the same id. It holds no version, no number and
 * no time of ours, but for {@link EventDetails.again}.
 *
 * @param payment - As the change leaves it.
 */
export function eventAbout<Type extends PaymentEventType>(
  payment: Payment,
  type: Type,
  now: number,
  about: EventSubject<Type>,
): PaymentEvent {
  const { orderId } = payment;
  const { amount = payment.amount, refundedMinorUnits = payment.refundedMinorUnits } = about;
  const { transactionId, again } = about;
  const key = transactionKey(transactionId ?? '');
  const { subject = type === 'refunded' ? `${key}:${refundedMinorUnits}` : key } = about;
  const event = {
    id: `${orderId}/${type}${again === undefined ? '' : `.${again}`}/${subject}`,
    type,
    orderId,
    amount: decimalOf(amount.minorUnits),
    currency: amount.currency,
    transactionId,
    reason: about.reason,
    refunded: decimalOf(refundedMinorUnits),
    operationId: about.operationId ?? null,
    occurredAt: new Date(now).toISOString(),
  };
  return event as PaymentEvent;
}
