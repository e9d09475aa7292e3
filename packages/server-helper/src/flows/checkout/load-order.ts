import { PaymentsError } from '../../errors.ts';
import { checkOrderId } from '../../ids.ts';
import type { Order } from '../../options/payments-options.ts';
import type { FlowContext } from '../flow-context.ts';
import { payableOrder, type PayableOrder } from './payable-order.ts';

/**
 * Asks the merchant for an order, and checks what they answer.
 *
 * @throws {@link PaymentsError} `order_not_found`, `invalid_order`; else what the merchant throws.
 */
export async function loadOrder<Tx>(
  context: Pick<FlowContext<Tx>, 'loadOrder' | 'reportOwnError' | 'warnOfOrder'>,
  orderId: string,
  request: unknown,
): Promise<PayableOrder> {
  const asked = checkOrderId(orderId);
  const order = await askMerchant(context, asked, request);
  if (order === null || order === undefined) {
    throw new PaymentsError('order_not_found', 'There is no such order for this shopper.');
  }
  try {
    return payableOrder(order, asked);
  } catch (error) {
    if (error instanceof PaymentsError) context.warnOfOrder?.(asked, error);
    throw error;
  }
}

async function askMerchant<Tx>(
  { loadOrder: ask, reportOwnError }: Pick<FlowContext<Tx>, 'loadOrder' | 'reportOwnError'>,
  orderId: string,
  request: unknown,
): Promise<Order | null | undefined> {
  try {
    return await ask(orderId, request);
  } catch (error) {
    reportOwnError?.(error, { where: 'loadOrder', orderId });
    throw error;
  }
}
