import { z } from 'zod';
import type { TransactionId } from '../../ids.ts';
import {
  amountInput,
  type AmountInput,
  decidingText,
  filledText,
  informs,
  wireId,
  wireIdOrNumber,
} from './fields.ts';

/** Input of a refund (§4.3). */
export interface RefundInput {
  /** The gateway transaction's UUID: neither the session's id nor the numeric payment id (§2.3). */
  readonly transactionId: TransactionId | string;
  /** Decimal string with two decimals, at least `"0.01"`, or money. */
  readonly amount: AmountInput;
}

/** A refund that the gateway took on; it may settle later. */
export interface Refund {
  /** Taken on by the gateway, in either case of its word (contradiction X6). */
  readonly result: 'accepted';
  /** The refund's own id. */
  readonly refundId: string;
  /** A reference for reconciliation; empty where the answer bears none. */
  readonly referenceId: string;
  /** The payment that is refunded; for reconciliation only (§2.3). Empty where the answer bears none. */
  readonly paymentId: string;
  /** The refund as the gateway reports it, in its spelling. */
  readonly amount: string;
}

/** Input of a capture (§4.5). */
export interface CaptureInput {
  /** The transaction that authorized the amount. */
  readonly transactionId: TransactionId | string;
  /** At most the authorized amount: decimal string with two decimals, or money. */
  readonly amount: AmountInput;
}

/** Which authorization is given up (§4.6). */
export interface VoidInput {
  /** The transaction that authorized the amount. */
  readonly transactionId: TransactionId | string;
}

/** A capture or a void that the gateway took on. */
export interface MoneyMove {
  /** Taken on by the gateway, in either case of its word (contradiction X6). */
  readonly result: 'accepted';
  /** The acquirer's reference number. */
  readonly rrn: string | null;
  /** The order that the gateway says it is for. */
  readonly orderId: string | null;
  /** For reconciliation only (§2.3). */
  readonly paymentId: string | null;
  /** The card's brand. */
  readonly cardBrand: string | null;
  /** Always null: an answer that accepts and gives a reason for a decline is an error. */
  readonly declineReason: null;
}

/** A charge without the shopper (§4.7). */
export interface RecurringChargeInput {
  /** The transaction that produced the token; another one cannot be used. */
  readonly transactionId: TransactionId | string;
  /** The token from the first payment, valid only with that transaction. */
  readonly recurringToken: string;
  /**
   * The amount to charge: decimal string with two decimals, or money, in the currency of `order`.
   */
  readonly amount: AmountInput;
  /** The charged order (§2.6). */
  readonly order: {
    /** The order's number; unique per charge. */
    readonly number: string;
    /** The price of the order: decimal string with two decimals, or money. */
    readonly amount: AmountInput;
    /** ISO 4217 code of a currency with two decimals. @defaultValue `"SAR"`; always sent */
    readonly currency?: string | undefined;
    /** The text of the charge, for the customer. */
    readonly description: string;
  };
}

/** The outcome of a recurring charge. */
export interface RecurringCharge {
  /** `unknown` when the gateway's two words do not agree: ask the status before you act. */
  readonly result: 'success' | 'declined' | 'unknown';
  /** For reconciliation only (§2.3); null when declined. */
  readonly paymentId: string | null;
  /**
   * The charge's own transaction, only where the answer bears one: the specification shows none
   * (§4.7), and a refund needs one (§4.3).
   */
  readonly transactionId?: TransactionId | undefined;
  /** The issuer's reason; null when there is none. */
  readonly declineReason: string | null;
}

/** @see RefundInput */
export const refundInput: z.ZodType<RefundInput> = z.strictObject({
  transactionId: filledText.refine(
    (id) => !/^\s*\d+\s*$/.test(id),
    'is a number, such as a payment id: a refund wants the transaction’s UUID (§4.3)',
  ),
  amount: amountInput,
});

/** @see CaptureInput */
export const captureInput: z.ZodType<CaptureInput> = z.strictObject({
  transactionId: filledText,
  amount: amountInput,
});

/** @see VoidInput */
export const voidInput: z.ZodType<VoidInput> = z.strictObject({ transactionId: filledText });

/** @see RecurringChargeInput */
export const recurringChargeInput: z.ZodType<RecurringChargeInput> = z.strictObject({
  transactionId: filledText,
  recurringToken: filledText,
  amount: amountInput,
  order: z.strictObject({
    number: filledText,
    amount: amountInput,
    currency: z.string().optional(),
    description: filledText,
  }),
});

/** The word that takes a money move on, in either case (contradiction X6). */
const accepted = z.string().regex(/^accepted$/i);

/** `data` of a refund's answer (§4.3). */
export const refundData = z.object({
  result: accepted,
  refundId: wireIdOrNumber,
  referenceId: informs,
  paymentId: informs,
  amount: decidingText,
});

/**
 * `data` of a capture's and a void's answer (§4.5, §4.6).
 *
 * @param action - The word for what was asked. An answer about another action is no yes; one without
 * a word is, since it accepts.
 */
export const moneyMoveData = (action: 'capture' | 'creditvoid') =>
  z.object({
    result: accepted,
    action: z
      .string()
      .regex(new RegExp(`^${action}$`, 'i'))
      .nullish(),
    rrn: informs,
    order_id: informs,
    trans_id: informs,
    card_brand: informs,
    decline_reason: z.literal(['']).nullish(),
  });

/** `responseBody` of a recurring charge's answer (§4.7). */
export const recurringBody = z.object({
  result: z.string(),
  status: z.string(),
  payment_id: informs,
  decline_reason: informs,
  transactionId: wireId.nullish().catch(null),
});
