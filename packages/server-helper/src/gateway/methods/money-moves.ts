import type { z } from 'zod';
import { transactionId as brandTransaction } from '../../ids.ts';
import { toWireNumber } from '../../money.ts';
import type { Caller, CallOptions } from '../caller.ts';
import { readInput, readMoney } from '../input.ts';
import { deniesDecline } from '../schemas/fields.ts';
import type {
  CaptureInput,
  MoneyMove,
  moneyMoveData,
  recurringBody,
  RecurringCharge,
  RecurringChargeInput,
  Refund,
  RefundInput,
  VoidInput,
} from '../schemas/money-moves.ts';

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

/** Makes the methods that move money. */
export function moneyMoveMethods(caller: Caller): MoneyMoveMethods {
  return {
    refund: (input, options) => refund(caller, input, options),
    capture: (input, options) => capture(caller, input, options),
    void: (input, options) => voidAuthorization(caller, input, options),
    chargeRecurring: (input, options) => chargeRecurring(caller, input, options),
  };
}

async function refund(caller: Caller, input: RefundInput, options?: CallOptions): Promise<Refund> {
  const operation = 'refund';
  const { transactionId, amount } = readInput(operation, input);
  const body = { transactionId, amount: toWireNumber(readMoney(operation, amount)) };
  const data = await caller.exchange({ operation, body }, options);
  const { refundId, referenceId, paymentId } = data;
  return {
    result: 'accepted',
    refundId,
    referenceId: referenceId ?? '',
    paymentId: paymentId ?? '',
    amount: data.amount,
  };
}

async function capture(
  caller: Caller,
  input: CaptureInput,
  options?: CallOptions,
): Promise<MoneyMove> {
  const operation = 'capture';
  const { transactionId, amount } = readInput(operation, input);
  const body = { transactionId, amount: toWireNumber(readMoney(operation, amount)) };
  return decodeMove(await caller.exchange({ operation, body }, options));
}

async function voidAuthorization(
  caller: Caller,
  input: VoidInput,
  options?: CallOptions,
): Promise<MoneyMove> {
  const operation = 'void';
  const { transactionId } = readInput(operation, input);
  return decodeMove(await caller.exchange({ operation, body: { transactionId } }, options));
}

function decodeMove(data: z.output<ReturnType<typeof moneyMoveData>>): MoneyMove {
  return {
    result: 'accepted',
    rrn: data.rrn,
    orderId: data.order_id,
    paymentId: data.trans_id,
    cardBrand: data.card_brand,
    declineReason: null,
  };
}

async function chargeRecurring(
  caller: Caller,
  input: RecurringChargeInput,
  options?: CallOptions,
): Promise<RecurringCharge> {
  const operation = 'chargeRecurring';
  const { transactionId, recurringToken, amount, order } = readInput(operation, input);
  const inOrder = readMoney(operation, order.amount, order.currency, 'order.amount');
  const charged = readMoney(operation, amount, inOrder.currency);
  const body = {
    transactionId,
    recurringToken,
    amount: toWireNumber(charged),
    order: {
      number: order.number,
      amount: toWireNumber(inOrder),
      currency: inOrder.currency,
      description: order.description,
    },
  };
  const secrets = [recurringToken];
  const data = await caller.exchange({ operation, body, secrets }, options);
  const { transactionId: own } = data;
  return {
    result: resultOfCharge(data),
    paymentId: data.payment_id,
    declineReason: data.decline_reason ? caller.clean(data.decline_reason, secrets) : null,
    ...(own ? { transactionId: brandTransaction(own) } : {}),
  };
}

/**
 * Both words must agree, case included, and a success gives no reason for a decline; any other answer is
 * `unknown`.
 */
function resultOfCharge({
  result,
  status,
  decline_reason: reason,
}: z.output<typeof recurringBody>): RecurringCharge['result'] {
  if (result === 'SUCCESS' && status === 'SUCCESS') return reason ? 'unknown' : 'success';
  return result === 'DECLINED' && !deniesDecline(status) ? 'declined' : 'unknown';
}
