import { z } from 'zod';
import type { TransactionId } from '../../ids.ts';
import {
  amountInput,
  type AmountInput,
  customerInput,
  type CustomerInput,
  deniesDecline,
  filledText,
  mayBeAbsent,
  mayInform,
  webAddressInput,
  wireId,
} from './fields.ts';

/** A card. It is sent to the gateway and stored nowhere. */
export interface CardInput {
  /** 12 to 19 digits; spaces and dashes are dropped. */
  readonly number: string;
  /** `"01"` to `"12"`. */
  readonly expiryMonth: string;
  /** Two or four digits. */
  readonly expiryYear: string;
  /** Three or four digits. */
  readonly cvv: string;
  /** As printed on the card. */
  readonly holderName: string;
}

/** A server-to-server sale (§4.4, assumption N7). The shop that sends one handles card numbers. */
export interface SaleInput {
  /** Names the payment at the gateway; unique per payment. */
  readonly orderId: string;
  /** Decimal string with two decimals, at least `"0.01"`, or money. */
  readonly amount: AmountInput;
  /** ISO 4217 code of a currency with two decimals. @defaultValue `"SAR"`; always sent */
  readonly currency?: string | undefined;
  /** `authorize` holds the amount for a later capture or void; `capture` takes it at once. */
  readonly auth: 'authorize' | 'capture';
  /** Whether a token for later recurring charges is asked for. @defaultValue `false` */
  readonly recurring?: boolean | undefined;
  /** The card; it is sent to the gateway and stored nowhere. */
  readonly card: CardInput;
  /** The customer. The e-mail is needed where a `saleHash` signs the sale. */
  readonly customer: CustomerInput;
  /** Where the shopper goes after a challenge that was passed; http(s). */
  readonly successUrl: string;
  /** Where the shopper goes after a challenge that failed; http(s). */
  readonly failureUrl: string;
}

/** The outcome of a sale. */
export interface Sale {
  /** `redirect`: the shopper must pass the 3-D Secure page of `html`; nothing is paid yet. */
  readonly result: 'success' | 'redirect' | 'declined';
  /** Null only when declined. */
  readonly transactionId: TransactionId | null;
  /** For reconciliation only (§2.3). */
  readonly paymentId: string | null;
  /** The order that the gateway says it is for. */
  readonly orderId: string | null;
  /** Charges this customer again, where `recurring` was asked for (assumption N10). */
  readonly recurringToken: string | null;
  /** The issuer's challenge, with `redirect` only. */
  readonly html: string | null;
  /** The issuer's reason; null when there is none. */
  readonly declineReason: string | null;
}

const digitsOfCard = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .refine((digits) => /^\d{12,19}$/.test(digits), 'is no card number');

/** @see SaleInput */
export const saleInput: z.ZodType<SaleInput> = z.strictObject({
  orderId: filledText,
  amount: amountInput,
  currency: z.string().optional(),
  auth: z.enum(['authorize', 'capture']),
  recurring: z.boolean().optional(),
  card: z.strictObject({
    number: digitsOfCard,
    expiryMonth: z.string().regex(/^(?:0[1-9]|1[0-2])$/, 'must be "01" to "12"'),
    expiryYear: z.string().regex(/^(?:\d{2}){1,2}$/, 'must have two or four digits'),
    cvv: z.string().regex(/^\d{3,4}$/, 'must have three or four digits'),
    holderName: filledText,
  }),
  customer: customerInput,
  successUrl: webAddressInput,
  failureUrl: webAddressInput,
});

/** Fields that inform: the specification states none of them. */
const informing = {
  order_id: mayInform,
  payment_id: mayInform,
  trans_id: mayInform,
  recurringToken: mayBeAbsent.catch(null),
};

/**
 * `data` of a sale's answer (assumption N9), by what it says. An unknown word, a success
 * that also gives a reason for a decline, or one without a transaction to ask about is none of them.
 */
export const saleData = z.discriminatedUnion('result', [
  z.object({
    ...informing,
    result: z.literal('SUCCESS'),
    status: z
      .string()
      .refine((word) => !/^(?:FAILED|DECLINED)$/i.test(word))
      .nullish(),
    transactionId: wireId,
    decline_reason: z.literal(['']).nullish(),
  }),
  z.object({
    ...informing,
    result: z.literal('REDIRECT'),
    transactionId: wireId,
    html: z.string().min(1),
    decline_reason: z.literal(['']).nullish(),
  }),
  z.object({
    ...informing,
    result: z.literal('DECLINED'),
    status: z
      .string()
      .refine((word) => !deniesDecline(word))
      .nullish(),
    transactionId: wireId.nullish().catch(null),
    decline_reason: mayInform,
  }),
]);

/** A sale's answer, still in the gateway's spelling. */
export type SaleData = z.infer<typeof saleData>;
