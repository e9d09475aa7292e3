import { PaymentsError } from '../../errors.ts';
import type { CardInput } from '../../gateway/schemas/sale.ts';
import { formatAmount, parseAmount } from '../../money.ts';

/** Of a refund. */
export interface RefundRequest {
  /** Decimal string with two decimals, at least `"0.01"`. */
  readonly amount: string;
  /**
   * The merchant's own key of this refund: 1 to 100 characters of `A-Z a-z 0-9 . _ : @ + ~ / -`. The
   * same key is never sent twice, whatever happens; another refund needs another key.
   */
  readonly requestId: string;
  /**
   * Which of the order's transactions, to give a duplicate charge back.
   * @defaultValue the one that paid the order
   */
  readonly transactionId?: string | undefined;
}

/** Of a capture. */
export interface CaptureRequest {
  /** Decimal string with two decimals; at most what was authorized. */
  readonly amount: string;
  /** @see RefundRequest */
  readonly requestId: string;
}

/** Of a void. */
export interface VoidRequest {
  /** @see RefundRequest */
  readonly requestId: string;
}

/** Of a recurring charge. */
export interface RecurringRequest {
  /** Decimal string with two decimals. */
  readonly amount: string;
  /** Which period is charged, such as `"2026-11"`: an order is charged once for each, ever. */
  readonly periodKey: string;
  /** What the customer reads. @defaultValue the order id and the period */
  readonly description?: string | undefined;
}

/** Of a server-to-server sale. The shop that sends one handles card numbers. */
export interface SaleRequest {
  /** `authorize` holds the amount for a later capture or void; `capture` takes it at once. */
  readonly auth: 'authorize' | 'capture';
  /** Sent to the gateway and kept nowhere. */
  readonly card: CardInput;
  /** Whether a token for later recurring charges is asked for. @defaultValue `false` */
  readonly recurring?: boolean | undefined;
  /** @see RefundRequest. A repeat is not compared by its card, since nothing of that is kept. */
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

/** An operation that is not well formed; nothing was sent. */
export function invalid(field: string, message: string): PaymentsError {
  return new PaymentsError('invalid_operation', message, { field });
}
