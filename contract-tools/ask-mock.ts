import assert from 'node:assert/strict';
import {
  createGatewayClient,
  createPayments,
  type GatewayClientOptions,
} from '@pay-button/server-helper';
import { memoryStore } from '@pay-button/server-helper/testing';

const customer = { name: 'Noura', email: 'payer@example.com', phone: '0501234567' };
const pages = { successUrl: 'https://shop.example/s', failureUrl: 'https://shop.example/f' };
const amount = '20.00';

/**
 * Calls every operation of our own client at Prism's mock, which knows the contract alone, and has
 * a shop create a link there.
 *
 * @param baseUrl ends in `/v1`.
 * @returns how many operations answered.
 * @throws where an answer is unreadable to the client, or the link cannot be opened.
 */
export async function askMock(baseUrl: string): Promise<number> {
  const portal = { username: 'merchant', password: 'a password' };
  const gateway = { environment: 'staging', baseUrl, apiKey: 'key', portal } as const;
  const asked = await askEverything(gateway);
  const payments = createPayments({
    gateway,
    publicUrl: 'http://127.0.0.1:3000',
    tokenSecrets: ['a secret of 32 characters or more'],
    store: memoryStore(),
    loadOrder: (orderId) => ({ orderId, amount: '115.00', customer }),
    pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
  });
  const { redirectUrl } = await payments.ensureLink('1001');
  await payments.close();
  assert.match(redirectUrl, /^https:\/\/[^?]+\?sessionId=/, 'the link can be opened');
  return asked;
}

async function askEverything(options: GatewayClientOptions): Promise<number> {
  const client = createGatewayClient(options);
  const { sessionId } = await client.createPaymentLink({
    merchantOrderId: '1001~1',
    amount,
    customer,
    ...pages,
  });
  const { transactions } = await client.retrieveStatus({ sessionId });
  const [{ transactionId, transactionStatus, paymentStatus } = assert.fail()] = transactions;
  assert.deepEqual([transactionStatus, paymentStatus], ['SUCCESS', 'APPROVED']);
  const webhook = { url: 'https://shop.example/pay/webhook' };
  const asked = [
    client.refund({ transactionId, amount }),
    client.sale({
      orderId: '1002',
      amount,
      currency: 'SAR',
      auth: 'capture',
      recurring: true,
      card: {
        number: '5123450000000008',
        expiryMonth: '12',
        expiryYear: '2039',
        cvv: '123',
        holderName: 'Noura',
      },
      customer,
      ...pages,
    }),
    client.capture({ transactionId, amount }),
    client.void({ transactionId }),
    client.chargeRecurring({
      transactionId,
      recurringToken: 'rt-1',
      amount,
      order: { number: '2001', amount, currency: 'SAR', description: 'November' },
    }),
    client.pollStatus({ transactionId }),
    client.listWebhooks(),
    client.createWebhook(webhook),
    client.updateWebhook({ id: 'wh-1', ...webhook }),
    client.deleteWebhook({ id: 'wh-1' }),
    client.retrieveCredentials(),
    client.rotateApiKey(),
    client.listSdkTokens(),
    client.createSdkToken({ name: 'Till 1' }),
    client.updateSdkToken({ id: 'sdk-1', status: 'DISABLED' }),
  ];
  await Promise.all(asked);
  await client.close();
  return asked.length + 2;
}
