import { z } from 'zod';
import { sessionId, type SessionId } from '../ids.ts';
import { toWireNumber } from '../money.ts';
import { keysOf, noteKeys } from './answer.ts';
import type { Caller, CallOptions } from './call.ts';
import * as fields from './fields.ts';
import { change, may, operationsOf, payment } from './operation.ts';

/** Input of a payment link (§4.1). */
export interface PaymentLinkInput extends fields.PurchaseInput {
  /** Names the payment at the gateway and in its webhooks; unique per payment. */
  readonly merchantOrderId: string;
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

/** How a shopper gets to pay (§4.1). */
export interface PaymentLinkMethods {
  /**
   * Creates a checkout session and its hosted page's address (spec §4.1).
   *
   * @throws {@link GatewayError} A lost answer is `unknown`: the link may exist, but its address is
   * lost, so a fresh `merchantOrderId` is safe. `order_name_taken` (`rejected`) for a
   * `merchantOrderId` of another payment. `invalid_input` (`not-sent`) for an amount
   * without two decimals, an empty id, a phone that is none, an address that is not http(s).
   * `unreadable_answer` (`unknown`) for a hosted page that `pageOrigins` does not allow.
   * @example
   * const { sessionId, redirectUrl } = await client.createPaymentLink({
   *   merchantOrderId: '1001~1',
   *   amount: '115.00',
   *   customer: { name: 'Noura Al-Qahtani', email: 'noura@example.com', phone: '0501234567' },
   *   successUrl: 'https://shop.example/thanks/1001',
   *   failureUrl: 'https://shop.example/retry/1001',
   * });
   * console.log(sessionId, redirectUrl); // Store the first, send the shopper to the second.
   */
  createPaymentLink(input: PaymentLinkInput, options?: CallOptions): Promise<PaymentLink>;
}

const paymentLinkInput: z.ZodType<PaymentLinkInput> = z.strictObject({
  ...fields.purchaseInput,
  merchantOrderId: fields.filledText,
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

const paymentLinkAnswer = z.object({ id: fields.wireId, redirectUrl: webAddress });

export const paymentLinkOperations = operationsOf({
  createPaymentLink: {
    ...payment,
    method: 'POST',
    path: '/payment/checkout/intiate', // The gateway's own spelling (§9); the corrected one is a 404.
    input: paymentLinkInput,
    envelope: 'bare',
    answer: paymentLinkAnswer,
    foreseen: paymentLinkAnswer.extend({ errorCode: z.string() }),
    httpStatus: 201,
    profile: change({ add: may.add }),
  },
});

/** @param refusalOfPage - Why no shopper may go to a hosted page; `undefined` where one may. */
export const paymentLinkMethods = (
  caller: Caller,
  refusalOfPage: (pageUrl: string) => string | undefined,
): PaymentLinkMethods => ({
  createPaymentLink: async (input, options) => {
    const operation = paymentLinkOperations.createPaymentLink;
    const { amount, currency, customer, ...rest } = fields.readInput(operation, input);
    const money = fields.readMoney(operation, amount, currency);
    const { name, email, phone, secrets } = fields.readCustomer(operation, customer);
    const body = {
      ...rest,
      amount: toWireNumber(money),
      currency: money.currency,
      customerName: name,
      customerEmail: email,
      customerPhone: phone,
    };
    const link = await caller.exchange({ operation, body, secrets }, options, {
      refuse: ({ redirectUrl }) => refusalOfPage(redirectUrl),
    });
    const made = { sessionId: sessionId(link.id), redirectUrl: link.redirectUrl };
    return noteKeys(made, keysOf(link));
  },
});
