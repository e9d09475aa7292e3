import { z } from 'zod';
import type { SessionId } from '../../ids.ts';
import {
  amountInput,
  type AmountInput,
  customerInput,
  type CustomerInput,
  filledText,
  webAddressInput,
  wireId,
} from './fields.ts';

/** Input of a payment link (§4.1). */
export interface PaymentLinkInput {
  /** Names the payment at the gateway and in its webhooks; unique per payment. */
  readonly merchantOrderId: string;
  /** Decimal string with two decimals, at least `"0.01"`, or money. */
  readonly amount: AmountInput;
  /** ISO 4217 code of a currency with two decimals. @defaultValue `"SAR"`; always sent */
  readonly currency?: string | undefined;
  /** The customer. */
  readonly customer: CustomerInput;
  /** Where the shopper goes after a payment; http(s). Arriving there proves nothing. */
  readonly successUrl: string;
  /** Where the shopper goes after a failed payment; http(s). */
  readonly failureUrl: string;
}

/** A payment link: the session's id for us, the address for the shopper. */
export interface PaymentLink {
  /**
   * The checkout session's id: store it, the status is asked by it. Never a transaction's id
   * (§2.3).
   */
  readonly sessionId: SessionId;
  /** The hosted page for the shopper: https beyond this machine, without credentials. */
  readonly redirectUrl: string;
}

/** @see PaymentLinkInput */
export const paymentLinkInput: z.ZodType<PaymentLinkInput> = z.strictObject({
  merchantOrderId: filledText,
  amount: amountInput,
  currency: z.string().optional(),
  customer: customerInput,
  successUrl: webAddressInput,
  failureUrl: webAddressInput,
});

/** What a parser drops or reads in a second way, a browser's header or eye may not. */
const AMBIGUOUS = /[\p{Cc}\s\\]/u;

/**
 * Only an http(s) address without credentials may be handed to a shopper's browser; the widget
 * checks it once more. Written in ASCII, since it also travels in a header.
 */
const webAddress = z
  .string()
  .max(4_096)
  .transform((text, context) => {
    const url = AMBIGUOUS.test(text) ? null : URL.parse(text);
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    if (url !== null && isWeb && url.username === '' && url.password === '') return url.href;
    context.addIssue('not a web address');
    return z.NEVER;
  });

/** Answer of create-payment-link (§4.1). Unknown fields are left out, never an error. */
export const paymentLinkAnswer = z.object({
  id: wireId,
  redirectUrl: webAddress,
});
