import assert from 'node:assert/strict';
import { createGatewayClient, createPayments } from '@pay-button/server-helper';
import { memoryStore } from '@pay-button/server-helper/testing';
import { callEveryOperation } from '../contract/every-operation.ts';

const customer = { name: 'Noura', email: 'payer@example.com', phone: '0501234567' };

/**
 * Calls every operation of our own client at Prism's mock, which knows the contract alone, and has
 * a shop create a link there.
 *
 * @param baseUrl ends in `/v1`.
 * @throws where an answer is unreadable to the client, or the link cannot be opened.
 */
export async function askMock(baseUrl: string): Promise<void> {
  const portal = { username: 'merchant', password: 'a password' };
  const gateway = { environment: 'staging', baseUrl, apiKey: 'key', portal } as const;
  const client = createGatewayClient(gateway);
  await callEveryOperation(client, '1001');
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
  const [, sessionId = ''] = /^https:\/\/[^?]+\?sessionId=(.+)/.exec(redirectUrl) ?? [];
  const { transactions } = await client.retrieveStatus({ sessionId });
  const [row] = transactions;
  assert.deepEqual([row?.transactionStatus, row?.paymentStatus], ['SUCCESS', 'APPROVED']);
  await client.close();
}
