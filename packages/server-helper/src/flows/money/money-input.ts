import { PaymentsError } from '../../errors.ts';
import type { CardInput } from '../../gateway/sale.ts';
import { transactionId as idOf } from '../../ids.ts';
import { decimalOf, parseAmount } from '../../money.ts';
import { BY_EVIDENCE, periodOperationId, requestOperationId } from '../../payments/record.ts';
import { storableText } from '../../text.ts';

/** Options of `payments.refund`. */
export interface RefundRequest {
  /** Decimal string with two decimals, at least `"0.01"`. */
  readonly amount: string;
  /**
   * The merchant's own key of this refund: 1 to 100 characters of `A-Z a-z 0-9 . _ : @ + ~ / -`. The
   * same key is never sent twice, whatever happens; another refund needs another key.
   */
  readonly requestId: string;
  /**
   * The transaction to refund, such as a duplicate charge.
   * @defaultValue the transaction that paid the order
   */
  readonly transactionId?: string | undefined;
  /**
   * The recurring charge to refund, by its `operationId`, in place of a transaction. The gateway's
   * answer must have named the charge's transaction, which the specification does not show (§4.7).
   */
  readonly operationId?: string | undefined;
  /**
   * The review that it answers, by its `id` in `payments.review.list()`: once that is over, nothing is
   * sent. So no money is refunded that another person accepts in the same moment.
   */
  readonly reviewId?: string | undefined;
  /** Who asks for it, in 1 to 200 characters; it is stored. A repeat may name another person. */
  readonly by?: string | undefined;
  /**
   * Whether the refund waits for `payments.approve` by another person, and is not sent before; `by`
   * must say who proposes it. A repeat with the same key, with or without this, gets the proposal.
   * @defaultValue `false`
   */
  readonly propose?: boolean | undefined;
}

/** Options of `payments.void`. */
export interface VoidRequest {
  /** @see RefundRequest */
  readonly requestId: string;
  /** @see RefundRequest */
  readonly by?: string | undefined;
}

/** Options of `payments.capture`. */
export interface CaptureRequest extends VoidRequest {
  /** Decimal string with two decimals; at most what was authorized. */
  readonly amount: string;
}

/** Options of `payments.chargeRecurring`. */
export interface RecurringRequest {
  /** Decimal string with two decimals; at most the option `recurringCeiling`. */
  readonly amount: string;
  /** The period to charge, such as `"2026-11"`. An order is charged once for each period, ever. */
  readonly periodKey: string;
  /** The text that the customer reads. @defaultValue the order id and the period */
  readonly description?: string | undefined;
  /** @see RefundRequest */
  readonly by?: string | undefined;
}

/** Options of `payments.sale`. A shop that uses it handles card numbers. */
export interface SaleRequest extends VoidRequest {
  /** `authorize` holds the amount for a later capture or void; `capture` takes it at once. */
  readonly auth: 'authorize' | 'capture';
  /** Sent to the gateway and never stored. */
  readonly card: CardInput;
  /** Whether a token for later recurring charges is asked for. @defaultValue `false` */
  readonly recurring?: boolean | undefined;
  /** @see RefundRequest. A repeat is not compared by its card, of which nothing is stored. */
  readonly requestId: string;
}

const MAX_WHY_LENGTH = 500;
const MAX_BY_LENGTH = 200;
const KEY = /^[A-Za-z0-9][A-Za-z0-9._:@+~/-]{0,99}$/;

function readKey(field: 'requestId' | 'periodKey', key: unknown): string {
  if (typeof key === 'string' && KEY.test(key)) return key;
  const words = `${field} must have 1 to 100 characters of A-Z a-z 0-9 . _ : @ + ~ / - and start with a letter or digit.`;
  throw invalid(field, words);
}

export function readMinorUnits(amount: unknown): number {
  const minorUnits = parseAmount(amount);
  if (minorUnits !== undefined && minorUnits > 0 && Number.isSafeInteger(minorUnits)) {
    return minorUnits;
  }
  const words = `amount must be a decimal string with two decimals, at least "${decimalOf(1)}", such as "20.00".`;
  throw invalid('amount', words);
}

/** Checks a person's explanation, which is stored for the next reader. */
export function readWhy(why: unknown): string {
  const text = typeof why === 'string' ? storableText(why) : '';
  // By this word alone the kit knows what nobody but the gateway has ended.
  if (text === BY_EVIDENCE) throw invalid('why', 'Say in your own words why: it is kept.');
  if (text.trim() !== '' && text.length <= MAX_WHY_LENGTH) return text;
  throw invalid('why', `Say why, in at most ${MAX_WHY_LENGTH} characters: it is kept.`);
}

/** Checks the name of the person who asked or decided, which is stored; `null` without one. */
export function readBy(by: unknown): string | null {
  if (by === undefined) return null;
  const text = typeof by === 'string' ? storableText(by).trim() : '';
  if (text !== '' && text.length <= MAX_BY_LENGTH) return text;
  throw invalid('by', `Say who it is, in 1 to ${MAX_BY_LENGTH} characters: it is kept.`);
}

export function readApprover(options: { readonly by?: string } | undefined): string {
  const approver = readBy(options?.by);
  if (approver !== null) return approver;
  throw invalid('by', 'Say who approves it, in by: not the person who proposed it.');
}

/** A name that is misspelt may be that of other money, or of what waits for another person. */
function refuseOthers(request: object, names: readonly string[]): void {
  const stranger = Object.keys(request)
    .find((name) => !names.includes(name))
    ?.slice(0, 60);
  if (stranger === undefined) return;
  throw invalid(stranger, `There is no option ${stranger}, only ${names.join(', ')}.`);
}

/** The key of an operation, and the person who asks. @param own - What else this kind of operation takes. */
export function readRequest(request: VoidRequest, ...own: readonly string[]) {
  refuseOthers(request, ['requestId', 'by', ...own]);
  const key = readKey('requestId', request.requestId);
  return { id: requestOperationId(key), requestId: key, requestedBy: readBy(request.by) };
}

export function readRecurring(orderId: string, request: RecurringRequest) {
  refuseOthers(request, ['amount', 'periodKey', 'description', 'by']);
  const { amount, periodKey, description, by } = request;
  const key = readKey('periodKey', periodKey);
  return {
    kind: 'recurring',
    id: periodOperationId(orderId, key),
    requestId: key,
    requestedBy: readBy(by),
    amountMinorUnits: readMinorUnits(amount),
    description,
  } as const;
}

export function readRefund(request: RefundRequest) {
  const { amount, transactionId, operationId, reviewId } = request;
  const about = ['transactionId', 'operationId', 'reviewId'];
  const key = readRequest(request, 'amount', ...about, 'propose');
  const amountMinorUnits = readMinorUnits(amount);
  const named = transactionId === undefined ? null : idOf(transactionId);
  if (operationId !== undefined && (typeof operationId !== 'string' || named !== null)) {
    const words = 'Give the operationId of a recurring charge, or a transactionId, and not both.';
    throw invalid('operationId', words);
  }
  const proposes = readPropose(request.propose, key.requestedBy);
  const of = { transactionId: named, operationId, reviewId };
  return { kind: 'refund', ...key, amountMinorUnits, ...of, proposes } as const;
}

/** Whether a refund is only proposed. */
function readPropose(propose: unknown, by: string | null): boolean {
  if (propose === undefined || propose === false) return false;
  if (propose !== true) throw invalid('propose', 'propose must be true or false.');
  if (by !== null) return true;
  throw invalid('by', 'Say who proposes it, in by: another person must approve it.');
}

/** The error of a malformed request. Nothing was sent. */
export const invalid = (field: string, message: string): PaymentsError =>
  new PaymentsError('invalid_operation', message, { field });
