import { GatewayError } from '../../gateway/gateway-error.ts';
import { chargeName } from '../../ids.ts';
import type { Operation } from '../../payments/operation.ts';
import type { OperationOutcome } from '../../payments/operation-outcome.ts';
import type { FlowContext } from '../flow-context.ts';

/** The fields of a recurring charge that its operation does not hold. */
export interface ChargeDetails {
  readonly recurringToken: string;
  readonly description: string;
}

/**
 * Sends an operation to the gateway, in the only POST that it ever gets.
 *
 * @returns the outcome. A lost or unreadable answer is `unknown`, never an error.
 */
export async function sendOperation<Tx>(
  { gateway, logger }: FlowContext<Tx>,
  operation: Operation,
  charge: ChargeDetails | null,
): Promise<OperationOutcome> {
  try {
    return await post(gateway, operation, charge);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, outcome, httpStatus, gatewayMessages } = error;
    const { orderId, id, kind } = operation;
    logger.warn(
      { orderId, operationId: id, kind, code, outcome, httpStatus, gatewayMessages },
      'a money operation was not taken on',
    );
    return { kind: outcome === 'unknown' ? 'unknown' : 'failed', reason: code };
  }
}

const accepted = (reference: string | null): OperationOutcome => ({ kind: 'accepted', reference });

async function post(
  gateway: FlowContext<unknown>['gateway'],
  { kind, orderId, requestId, transactionId, amount }: Operation,
  charge: ChargeDetails | null,
): Promise<OperationOutcome> {
  const transaction = { transactionId: transactionId ?? '' };
  switch (kind) {
    case 'refund':
      return accepted((await gateway.refund({ ...transaction, amount })).refundId);
    case 'capture':
      return accepted((await gateway.capture({ ...transaction, amount })).paymentId);
    case 'void':
      return accepted((await gateway.void(transaction)).paymentId);
    case 'recurring': {
      const {
        result,
        paymentId,
        transactionId: own,
      } = await gateway.chargeRecurring({
        ...transaction,
        recurringToken: charge?.recurringToken ?? '',
        amount,
        order: {
          number: chargeName(orderId, requestId),
          amount,
          description: charge?.description ?? `${orderId} ${requestId}`,
        },
      });
      if (result === 'success') {
        return { kind: 'accepted', reference: paymentId, transactionId: own };
      }
      return result === 'declined'
        ? { kind: 'failed', reason: 'declined' }
        : { kind: 'unknown', reason: 'contradicting_words' };
    }
    case 'sale':
      throw new TypeError('A sale is sent by its own flow.');
  }
}
