import type { ControlClient } from '@pay-button/gateway-sandbox';

/** How many payment links the gateway was asked for, of one order. */
export async function countPaymentLinks(
  control: Pick<ControlClient, 'requests'>,
  orderId: string,
): Promise<number> {
  const requests = await control.requests({ operation: 'createPaymentLink' });
  return requests.filter(({ merchantOrderId }) => merchantOrderId?.startsWith(`${orderId}~`))
    .length;
}
