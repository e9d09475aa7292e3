import { z } from 'zod';
import { transactionId as brandTransaction, type TransactionId } from '../ids.ts';
import { toWireNumber } from '../money.ts';
import type { Caller, CallOptions } from './call.ts';
import * as fields from './fields.ts';
import { change, may, moves, operationsOf } from './operation.ts';

/** Input of a refund (§4.3). */
export interface RefundInput {
  /** The gateway transaction's UUID: neither the session's id nor the numeric payment id (§2.3). */
  readonly transactionId: TransactionId | string;
  /** Decimal string with two decimals, at least `"0.01"`, or money. */
  readonly amount: fields.AmountInput;
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

/** Which authorization is given up (§4.6). */
export interface VoidInput {
  /** The transaction that authorized the amount. */
  readonly transactionId: TransactionId | string;
}

/** Input of a capture (§4.5). */
export interface CaptureInput extends VoidInput {
  /** At most the authorized amount: decimal string with two decimals, or money. */
  readonly amount: fields.AmountInput;
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
  /** What to charge: decimal string with two decimals, or money, in the currency of `order`. */
  readonly amount: fields.AmountInput;
  /** The charged order (§2.6). */
  readonly order: {
    /** The order's number; unique per charge. */
    readonly number: string;
    /** The price of the order: decimal string with two decimals, or money. */
    readonly amount: fields.AmountInput;
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

/**
 * Operations that move money of a transaction (§4.3, §4.5 to §4.7). None is ever sent twice: a lost
 * answer is `unknown`, and the status says what became of it.
 */
export interface MoneyMoveMethods {
  /**
   * Refunds money, in full or in part (§4.3; the path is contradiction X3). `accepted` is not yet
   * settled: the status shows `PARTIAL` or `FULL`.
   *
   * @throws {@link GatewayError} `invalid_request` (`rejected`) when it is more than what is left;
   * `unreadable_answer` (`unknown`) when the gateway did not say `accepted`; `timeout`,
   * `connection_lost`, `gateway_fault` (`unknown`): the refund may have been made.
   * @example
   * const transactionId = 'f2d5b7c0-5a1e-4c0e-8f57-2b7a90c4d311';
   * const { refundId } = await client.refund({ transactionId, amount: '20.00' });
   * const { transactions } = await client.retrieveStatus({ transactionId });
   * console.log(refundId, transactions[0]?.refundStatus); // PARTIAL or FULL, once it is settled.
   */
  refund(input: RefundInput, options?: CallOptions): Promise<Refund>;
  /**
   * Takes an authorized amount, or a part of it, once (spec §4.5; once is assumption N24).
   *
   * @throws {@link GatewayError} `invalid_request` (`rejected`) when it is more than was authorized;
   * otherwise as {@link MoneyMoveMethods.refund}.
   * @example
   * const transactionId = 'f2d5b7c0-5a1e-4c0e-8f57-2b7a90c4d311'; // Of a sale with auth: 'authorize'.
   * const { rrn } = await client.capture({ transactionId, amount: '100.00' });
   * console.log(rrn);
   */
  capture(input: CaptureInput, options?: CallOptions): Promise<MoneyMove>;
  /**
   * Gives an authorization up, before it was captured (spec §4.6).
   *
   * @throws {@link GatewayError} `invalid_request` (`rejected`) when it was captured: refund it;
   * otherwise as {@link MoneyMoveMethods.refund}.
   * @example
   * const transactionId = 'f2d5b7c0-5a1e-4c0e-8f57-2b7a90c4d311'; // Authorized, and not captured.
   * const { result } = await client.void({ transactionId });
   * console.log(result); // accepted
   */
  void(input: VoidInput, options?: CallOptions): Promise<MoneyMove>;
  /**
   * Charges a customer again with a stored token (§4.7; the path is contradiction X4). A decline is
   * a result, not an error. `success` only when both of the gateway's words say so.
   *
   * @throws {@link GatewayError} `timeout`, `connection_lost`, `gateway_fault`, `unreadable_answer`
   * (`unknown`): the charge may have been made.
   * @example
   * const charge = await client.chargeRecurring({
   *   transactionId: 'f2d5b7c0-5a1e-4c0e-8f57-2b7a90c4d311', // The one that gave the token.
   *   recurringToken: 'rt_8Zk3vYpQ0uT1',
   *   amount: '49.00',
   *   order: { number: '1001-3', amount: '49.00', description: 'Subscription, March' },
   * });
   * if (charge.result === 'declined') console.log(charge.declineReason);
   */
  chargeRecurring(input: RecurringChargeInput, options?: CallOptions): Promise<RecurringCharge>;
}

const captureInput: z.ZodType<CaptureInput> = z.strictObject({
  transactionId: fields.filledText,
  amount: fields.amountInput,
});

const refundInput: z.ZodType<RefundInput> = captureInput.refine(
  ({ transactionId }) => !/^\s*\d+\s*$/.test(transactionId),
  {
    path: ['transactionId'],
    error: 'is a number, such as a payment id: a refund wants the transaction’s UUID (§4.3)',
  },
);

const recurringChargeInput: z.ZodType<RecurringChargeInput> = z.strictObject({
  transactionId: fields.filledText,
  recurringToken: fields.filledText,
  amount: fields.amountInput,
  order: z.strictObject({
    number: fields.filledText,
    amount: fields.amountInput,
    currency: z.string().optional(),
    description: fields.filledText,
  }),
});

/** The word that takes a money move on, in either case (contradiction X6). */
const accepted = fields.oneOf('accepted|ACCEPTED', z.string().regex(/^accepted$/i));

const refundData = z.object({
  result: accepted,
  refundId: fields.wireIdOrNumber,
  referenceId: fields.mayInform,
  paymentId: fields.mayInform,
  amount: fields.decidingText,
});

/**
 * `data` of a capture's and a void's answer.
 *
 * @param action - The word for what was asked. An answer about another action is no yes; one without
 * a word is, since it accepts.
 */
const moveData = (action: 'capture' | 'creditvoid') =>
  z.object({
    result: accepted,
    action: z
      .string()
      .regex(new RegExp(`^${action}$`, 'i'))
      .nullish(),
    rrn: fields.mayInform,
    order_id: fields.mayInform,
    trans_id: fields.mayInform,
    card_brand: fields.mayInform,
    decline_reason: z.literal(['']).nullish(),
  });

const chargeData = z.object({
  result: fields.oneOf('SUCCESS|DECLINED', z.string()),
  status: fields.oneOf('SUCCESS|PENDING|FAILED|DECLINED', z.string()),
  payment_id: fields.mayInform,
  decline_reason: fields.mayInform,
  transactionId: fields.wireId.nullish().catch(null),
});

const move = { ...moves, namesById: true } as const;
const mayAdd = change({ add: may.add });
const mayMove = change({ path: may.path.optional(), add: may.add });

export const moneyOperations = operationsOf({
  refund: {
    ...move,
    path: '/payment/s2s/refund',
    input: refundInput,
    answer: refundData,
    foreseen: refundData.extend({ message: z.string() }),
    profile: mayMove,
  },
  capture: {
    ...move,
    path: '/payment/s2s/capture',
    input: captureInput,
    answer: moveData('capture'),
    profile: mayAdd,
  },
  void: {
    ...move,
    path: '/payment/s2s/void',
    input: z.strictObject({ transactionId: fields.filledText }) satisfies z.ZodType<VoidInput>,
    answer: moveData('creditvoid'),
    profile: mayAdd,
  },
  chargeRecurring: {
    ...move,
    path: '/payment/checkout/recurring',
    input: recurringChargeInput,
    envelope: 'C',
    answer: chargeData,
    profile: mayMove,
  },
});

export function moneyMoveMethods(caller: Caller): MoneyMoveMethods {
  const rows = moneyOperations;
  return {
    refund: async (input, options) => {
      const operation = rows.refund;
      const { transactionId, amount } = fields.readInput(operation, input);
      const body = { transactionId, amount: toWireNumber(fields.readMoney(operation, amount)) };
      const data = await caller.exchange({ operation, body }, options);
      const { refundId, referenceId = '', paymentId = '' } = data;
      return { result: 'accepted', refundId, referenceId, paymentId, amount: data.amount };
    },
    capture: async (input, options) => {
      const operation = rows.capture;
      const { transactionId, amount } = fields.readInput(operation, input);
      const body = { transactionId, amount: toWireNumber(fields.readMoney(operation, amount)) };
      return decodeMove(await caller.exchange({ operation, body }, options));
    },
    void: async (input, options) => {
      const operation = rows.void;
      const body = fields.readInput(operation, input);
      return decodeMove(await caller.exchange({ operation, body }, options));
    },
    chargeRecurring: async (input, options) => charge(caller, input, options),
  };
}

function decodeMove(data: z.output<ReturnType<typeof moveData>>): MoneyMove {
  return {
    result: 'accepted',
    rrn: data.rrn ?? null,
    orderId: data.order_id ?? null,
    paymentId: data.trans_id ?? null,
    cardBrand: data.card_brand ?? null,
    declineReason: null,
  };
}

async function charge(caller: Caller, input: RecurringChargeInput, options?: CallOptions) {
  const operation = moneyOperations.chargeRecurring;
  const { transactionId, recurringToken, amount, order } = fields.readInput(operation, input);
  const inOrder = fields.readMoney(operation, order.amount, order.currency, 'order.amount');
  const charged = fields.readMoney(operation, amount, inOrder.currency);
  const body = {
    transactionId,
    recurringToken,
    amount: toWireNumber(charged),
    order: { ...order, amount: toWireNumber(inOrder), currency: inOrder.currency },
  };
  const secrets = [recurringToken];
  const data = await caller.exchange({ operation, body, secrets }, options);
  const { payment_id: paymentId = null, decline_reason: reason, transactionId: own } = data;
  return {
    result: resultOfCharge(data),
    paymentId,
    declineReason: reason ? caller.clean(reason, secrets) : null,
    ...(own ? { transactionId: brandTransaction(own) } : {}),
  };
}

/**
 * Both words must agree, case included, and a success gives no reason for a decline; any other answer is
 * `unknown`.
 */
function resultOfCharge(data: z.output<typeof chargeData>): RecurringCharge['result'] {
  const { result, status, decline_reason: reason } = data;
  if (result === 'SUCCESS' && status === 'SUCCESS') return reason ? 'unknown' : 'success';
  return result === 'DECLINED' && !fields.deniesDecline(status) ? 'declined' : 'unknown';
}
