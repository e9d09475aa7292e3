import type { Sandbox } from '@pay-button/gateway-sandbox';
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './.cache/gateway.d.ts';
import { dataOf, type Observer } from './observer.ts';
import { makeRefusedCalls } from './refused-calls.ts';

const APPROVED = '5123450000000008';
const DECLINED = '4201320000311101';
const CHALLENGED = '4508750015741019';
const pages = { successUrl: 'https://shop.example/s', failureUrl: 'https://shop.example/f' };
const unknownId = '00000000-0000-4000-8000-000000000000';
const unknown = { params: { path: { id: 'unknown' } } };

type Gateway = Client<paths>;

/** Calls every operation of the gateway's contract with a generated client, refusals included. */
export async function driveGateway(proxy: string, sandbox: Sandbox, seen: Observer): Promise<void> {
  const clientWith = (headers: Record<string, string>): Gateway => {
    const client = createClient<paths>({ baseUrl: proxy, headers });
    client.use(seen.middleware);
    return client;
  };
  const { accessToken = '' } = dataOf(
    await clientWith({}).POST('/auth/login', { body: sandbox.portal }),
  );
  const byCredential: Record<string, Record<string, string>> = {
    apiKey: { 'x-api-key': sandbox.apiKey },
    portal: { authorization: `Bearer ${accessToken}` },
  };
  const headersOf = (credential = '') => byCredential[credential] ?? {};
  await clientWith({}).POST('/auth/login', { body: { ...sandbox.portal, password: 'wrong' } });
  await payLink(clientWith(headersOf('apiKey')), sandbox);
  await sell(clientWith(headersOf('apiKey')));
  await keepWebhooks(clientWith(headersOf('portal')));
  await keepTokens(clientWith(headersOf('portal')));
  await makeRefusedCalls('gateway', proxy, seen, headersOf);
}

/** A link is created, declined, paid, and refunded in part. */
async function payLink(gateway: Gateway, { control }: Sandbox): Promise<void> {
  const order = { merchantOrderId: '1001~1', amount: 19.99, customerPhone: '0501234567', ...pages };
  const { id } = dataOf(await gateway.POST('/payment/checkout/intiate', { body: order }));
  const statusOf = (asked: string) =>
    gateway.GET('/payment/checkout/status', { params: { query: { id: asked } } });
  await statusOf(id);
  await control.pay(id, { card: { number: DECLINED } });
  await control.pay(id, { card: { number: APPROVED } });
  const [declined, paid] = dataOf(await statusOf(id)).data.content;
  if (declined?.paymentStatus !== 'DECLINED' || paid?.paymentStatus !== 'APPROVED') {
    throw new Error('The link was not declined and then paid.');
  }
  await statusOf(paid.transactionId);
  await statusOf(unknownId);
  for (const amount of [0.07, 4.35, 19.99]) {
    const body = { transactionId: paid.transactionId, amount };
    await gateway.POST('/payment/s2s/refund', { body });
  }
  const body = { transactionId: unknownId, amount: 1 };
  await gateway.POST('/payment/s2s/refund', { body });
}

/** Cards are charged, declined and challenged; an authorization is captured, another is voided. */
async function sell(gateway: Gateway): Promise<void> {
  let orders = 0;
  const sale = async (number: string, auth: 'Y' | 'N') => {
    const card = { number, expiryMonth: '12', expiryYear: '2039', cvv: '123', holderName: 'Noura' };
    const body = {
      orderId: `sale-${(orders += 1)}`,
      amount: 115,
      currency: 'SAR',
      paymentMethod: 'card',
      auth,
      recurringInit: 'Y',
      card,
      customerDetails: { phone: '0501234567' },
      ...pages,
    } as const;
    const { transactionId, recurringToken } = dataOf(
      await gateway.POST('/payment/s2s/sale', { body }),
    ).data;
    return { transactionId: transactionId ?? '', recurringToken: recurringToken ?? '' };
  };
  await sale(DECLINED, 'N');
  await sale(CHALLENGED, 'N');
  const { transactionId, recurringToken } = await sale(APPROVED, 'Y');
  for (const amount of [115.01, 100]) {
    await gateway.POST('/payment/s2s/capture', { body: { transactionId, amount } });
  }
  const other = await sale(APPROVED, 'Y');
  for (const id of [other.transactionId, transactionId, unknownId]) {
    await gateway.POST('/payment/s2s/void', { body: { transactionId: id } });
  }
  const nobodys = { transactionId: unknownId, amount: 1 };
  await gateway.POST('/payment/s2s/capture', { body: nobodys });
  const order = { number: 'r-1', amount: 20, currency: 'SAR', description: 'May' };
  const charge = { transactionId, recurringToken, amount: 20, order };
  for (const changes of [{}, { recurringToken: 'of-nobody' }, { transactionId: unknownId }]) {
    await gateway.POST('/payment/checkout/recurring', { body: { ...charge, ...changes } });
  }
}

async function keepWebhooks(portal: Gateway): Promise<void> {
  const body = { url: 'https://shop.example/pay/webhook' };
  const { id } = dataOf(await portal.POST('/merchant/account/webhooks', { body }));
  await portal.GET('/merchant/account/webhooks');
  const one = '/merchant/account/webhooks/{id}';
  for (const named of [{ params: { path: { id } } }, unknown]) {
    await portal.PATCH(one, { ...named, body: { active: false } });
    await portal.DELETE(one, named);
  }
}

async function keepTokens(portal: Gateway): Promise<void> {
  await portal.POST('/merchant/account/credentials/rotate');
  await portal.GET('/merchant/account/credentials');
  const body = { name: 'Till 1', type: 'softpos', terminalId: 'T-1' };
  const { id } = dataOf(await portal.POST('/merchant/account/sdk-tokens', { body }));
  await portal.GET('/merchant/account/sdk-tokens');
  for (const named of [{ params: { path: { id } } }, unknown]) {
    const change = { ...named, body: { status: 'DISABLED' } } as const;
    await portal.PATCH('/merchant/account/sdk-tokens/{id}', change);
  }
}
