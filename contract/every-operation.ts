import type { GatewayClient } from '@pay-button/server-helper';
import { CARD } from './matrix/journeys.ts';

const amount = '115.00';
const currency = 'SAR';
const shopper = {
  customer: { name: 'Sara', email: 'sara@shop.example', phone: '0512345678' },
  successUrl: 'http://127.0.0.1/thanks',
  failureUrl: 'http://127.0.0.1/retry',
};

/** Calls all of the gateway's operations in turn, one at a time. @throws where one does not succeed. */
export async function callEveryOperation(client: GatewayClient, orderId: string): Promise<void> {
  await callPayments(client, orderId);
  await callPortal(client);
}

async function callPayments(client: GatewayClient, orderId: string): Promise<void> {
  const link = { merchantOrderId: orderId, amount, currency, ...shopper };
  const { sessionId } = await client.createPaymentLink(link);
  await client.retrieveStatus({ sessionId });
  const sell = async (auth: 'authorize' | 'capture', suffix: string) => {
    const order = { orderId: `${orderId}-${suffix}`, amount, currency };
    const sold = await client.sale({ ...order, ...shopper, auth, recurring: true, card: CARD });
    if (sold.result !== 'success') throw new Error(`A sale ended with ${sold.result}.`);
    return { transactionId: known(sold.transactionId), recurringToken: sold.recurringToken };
  };
  const { transactionId, recurringToken } = await sell('capture', 'sale');
  await client.pollStatus({ transactionId });
  await client.refund({ transactionId, amount: '15.00' });
  const order = { number: orderId, amount, currency, description: 'A month of coffee' };
  // A mock made of the contract gives no token, and takes any.
  const token = recurringToken ?? 'any';
  const charge = { transactionId, recurringToken: token, amount, order };
  const { result } = await client.chargeRecurring(charge);
  if (result !== 'success') throw new Error(`A recurring charge ended with ${result}.`);
  const captured = await sell('authorize', 'capture');
  await client.capture({ transactionId: captured.transactionId, amount });
  const voided = await sell('authorize', 'void');
  await client.void({ transactionId: voided.transactionId });
}

async function callPortal(client: GatewayClient): Promise<void> {
  // Closed, so that no delivery is measured along.
  const closed = { events: [], active: false };
  const { id } = await client.createWebhook({ url: 'http://127.0.0.1:9', ...closed });
  await client.updateWebhook({ id, ...closed });
  await client.listWebhooks();
  await client.deleteWebhook({ id });
  await client.retrieveCredentials();
  await client.rotateApiKey();
  const sdkToken = await client.createSdkToken({ name: 'till', type: 'SOFTPOS' });
  await client.updateSdkToken({ id: sdkToken.id, status: 'DISABLED' });
  await client.listSdkTokens();
}

function known(value: string | null): string {
  if (value === null) throw new Error('An answer has no id.');
  return value;
}
