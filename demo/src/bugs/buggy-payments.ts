import {
  GatewayError,
  type MoneyOperation,
  type Payments,
  type RefundRequest,
  type SaleOperation,
  type SaleRequest,
} from '@pay-button/server-helper';
import { payableOrder } from '../orders/orders.ts';
import type { Saboteur, Victims } from './saboteur.ts';

/** The kit's verbs, with the mistakes that a shop makes around them. */
export function buggyPayments(saboteur: Saboteur, victims: Victims): Payments {
  const { payments, database } = victims;
  return {
    ...payments,
    retrieve: async (orderId) => {
      const payment = await payments.retrieve(orderId);
      const isBuggy = saboteur.has(orderId, 'failed-on-pending');
      return payment?.state === 'pending' && isBuggy ? { ...payment, state: 'failed' } : payment;
    },
    refund: (orderId, request) =>
      saboteur.has(orderId, 'refunds-with-the-session-id')
        ? refundBySession(payments, orderId, request)
        : payments.refund(orderId, request),
    chargeRecurring: async (orderId, request) => {
      const charge = await payments.chargeRecurring(orderId, request);
      const isBuggy = saboteur.has(orderId, 'recurring-200-is-success');
      if (isBuggy && charge.state === 'failed') await database.shipUnpaid(orderId);
      return charge;
    },
    sale: (orderId, request) =>
      saboteur.has(orderId, 'retries-a-sale')
        ? saleSentTwice(victims, orderId, request)
        : payments.sale(orderId, request),
  };
}

/** The id of the checkout session is not the id of the transaction (§2.3). */
async function refundBySession(
  payments: Payments,
  orderId: string,
  { amount }: RefundRequest,
): Promise<MoneyOperation> {
  const sessionId = (await payments.explain(orderId))?.attempts[0]?.sessionId ?? '';
  await payments.gateway.refund({ transactionId: sessionId, amount });
  throw new Error('The gateway took a session for a transaction.');
}

/** A lost answer does not mean that nothing was charged. */
async function saleSentTwice(
  { payments, database }: Victims,
  orderId: string,
  request: SaleRequest,
): Promise<SaleOperation> {
  const made = await payments.sale(orderId, request);
  const order = await database.findOrder(orderId);
  if (made.result !== 'unknown' || order === null) return made;
  const { amount } = payableOrder(order);
  const { customer } = order;
  const { auth, card } = request;
  const nowhere = 'http://localhost/';
  const again = { amount, customer, auth, card, successUrl: nowhere, failureUrl: nowhere };
  await payments.gateway.sale({ orderId: `${orderId}~1`, ...again }).catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
  });
  return made;
}
