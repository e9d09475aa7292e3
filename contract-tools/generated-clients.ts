import assert from 'node:assert/strict';
import type { Sandbox } from '@pay-button/gateway-sandbox';
import createClient from 'openapi-fetch';
import type { paths as ControlPaths } from './.cache/control.d.ts';
import type { paths as GatewayPaths } from './.cache/gateway.d.ts';

/** An order's way from its link to a refund, by clients that know the two documents alone. */
export async function refundByGeneratedClients(sandbox: Sandbox): Promise<void> {
  const gateway = createClient<GatewayPaths>({
    baseUrl: sandbox.baseUrl,
    headers: { 'x-api-key': sandbox.apiKey },
  });
  const control = createClient<ControlPaths>({
    baseUrl: `${sandbox.url}/_sandbox/v1`,
    headers: { authorization: `Bearer ${sandbox.controlToken}` },
  });
  const link = await gateway.POST('/payment/checkout/intiate', {
    body: {
      merchantOrderId: '1001~1',
      amount: 19.99,
      customerPhone: '0501234567',
      successUrl: 'https://shop.example/s',
      failureUrl: 'https://shop.example/f',
    },
  });
  const id = link.data?.id ?? '';
  const card = { number: '4201320111111010' };
  await control.POST('/sessions/{id}/pay', { params: { path: { id } }, body: { card } });
  const status = await gateway.GET('/payment/checkout/status', { params: { query: { id } } });
  const [paid] = status.data?.data.content ?? [];
  assert.equal(paid?.paymentStatus, 'APPROVED');
  const body = { transactionId: paid.transactionId, amount: 19.99 };
  const refund = await gateway.POST('/payment/s2s/refund', { body });
  assert.equal(refund.data?.code, 200);
  // The refund settles after some seconds of the sandbox's clock.
  await control.POST('/clock/advance', { body: { by: 'PT10S' } });
  const { data: session } = await control.GET('/sessions/{id}', { params: { path: { id } } });
  assert.equal(session?.transactions[0]?.refundStatus, 'FULL');
  const again = await gateway.POST('/payment/s2s/refund', { body });
  assert.equal(again.response.status, 400);
  const sent = { params: { query: { operation: 'refund' } } };
  const { data: requests } = await control.GET('/requests', sent);
  assert.equal(requests?.requests.length, 2);
}
