import { PaymentsError } from '../../errors.ts';
import type { CardInput } from '../../gateway/schemas/sale.ts';
import { formatAmount, parseAmount } from '../../money.ts';

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
}

/** Options of `payments.capture`. */
export interface CaptureRequest {
  /** Decimal string with two decimals; at most what was authorized. */
  readonly amount: string;
  /** @see RefundRequest */
  readonly requestId: string;
}

/** Options of `payments.void`. */
export interface VoidRequest {
  /** @see RefundRequest */
  readonly requestId: string;
}

/** Options of `payments.chargeRecurring`. */
export interface RecurringRequest {
  /** Decimal string with two decimals; at most the option `recurringCeiling`. */
  readonly amount: string;
  /** The period to charge, such as `"2026-11"`. An order is charged once for each period, ever. */
  readonly periodKey: string;
  /** The text that the customer reads. @defaultValue the order id and the period */
  readonly description?: string | undefined;
}

/** Options of `payments.sale`. A shop that uses it handles card numbers. */
export interface SaleRequest {
  /** `authorize` holds the amount for a later capture or void; `capture` takes it at once. */
  readonly auth: 'authorize' | 'capture';
  /** Sent to the gateway and never stored. */
  readonly card: CardInput;
  /** Whether a token for later recurring charges is asked for. @defaultValue `false` */
  readonly recurring?: boolean | undefined;
  /**
   * @see RefundRequest. A repeat is not compared by its card, since no part of the card is stored.
   */
  readonly requestId: string;
}

const KEY = /^[A-Za-z0-9][A-Za-z0-9._:@+~/-]{0,99}$/;

/** @throws {@link PaymentsError} `invalid_operation`. */
export function readKey(field: 'requestId' | 'periodKey', key: unknown): string {
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw invalid(
    field,
    `${field} must have 1 to 100 characters of A-Z a-z 0-9 . _ : @ + ~ / - and start with a letter or digit.`,
  );
}

/** @throws {@link PaymentsError} `invalid_operation`. */
export function readMinorUnits(amount: unknown): number {
  const minorUnits = parseAmount(amount);
  if (minorUnits !== undefined && minorUnits > 0 && Number.isSafeInteger(minorUnits)) {
    return minorUnits;
  }
  throw invalid(
    'amount',
    `amount must be a decimal string with two decimals, at least "${formatAmount(1)}", such as "20.00".`,
  );
}

/** The error of a malformed request. Nothing was sent. */
export function invalid(field: string, message: string): PaymentsError {
  return new PaymentsError('invalid_operation', message, { field });
}
