import { createGatewayClient, type GatewayClient } from '@pay-button/server-helper';
import type { Server } from './servers.ts';

/** Milliseconds that each call took, by operation. */
export type Durations = ReadonlyMap<string, readonly number[]>;

const card = {
  number: '5123450000000008',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
  holderName: 'Sara',
};
const customer = { name: 'Sara', email: 'sara@shop.example', phone: '0512345678' };
const addresses = {
  successUrl: 'http://127.0.0.1/thanks',
  failureUrl: 'http://127.0.0.1/retry',
};

/** Calls all of the gateway's operations in turn, one at a time, through our own client. */
export async function callEveryOperation(server: Server, times: number): Promise<Durations> {
  const taken = new Map<string, number[]>();
  const { client, close } = await connect(server, (name, ms) => {
    taken.set(name, [...(taken.get(name) ?? []), ms]);
  });
  for (let index = 0; index < times; index += 1) {
    await callPayments(client, `every-${index}`);
    await callPortal(client);
  }
  await close();
  return taken;
}

async function callPayments(client: GatewayClient, orderId: string): Promise<void> {
  const amount = '115.00';
  const currency = 'SAR';
  const link = { merchantOrderId: orderId, amount, currency, customer, ...addresses };
  const { sessionId } = await client.createPaymentLink(link);
  await client.retrieveStatus({ sessionId });
  const sell = async (auth: 'authorize' | 'capture', suffix: string) => {
    const order = { orderId: `${orderId}-${suffix}`, amount, currency };
    const sold = await client.sale({
      ...order,
      ...addresses,
      auth,
      recurring: true,
      card,
      customer,
    });
    if (sold.result !== 'success') throw new Error(`A sale ended with ${sold.result}.`);
    return sold;
  };
  const { transactionId, recurringToken } = await sell('capture', 'sale');
  await client.pollStatus({ transactionId: known(transactionId) });
  await client.refund({ transactionId: known(transactionId), amount: '15.00' });
  const order = { number: orderId, amount, currency, description: 'A month of coffee' };
  const token = { transactionId: known(transactionId), recurringToken: known(recurringToken) };
  await client.chargeRecurring({ ...token, amount, order });
  const captured = await sell('authorize', 'capture');
  await client.capture({ transactionId: known(captured.transactionId), amount });
  const voided = await sell('authorize', 'void');
  await client.void({ transactionId: known(voided.transactionId) });
}

async function callPortal(client: GatewayClient): Promise<void> {
  // Closed, so that no delivery is measured along.
  const { id } = await client.createWebhook({
    url: 'http://127.0.0.1:9',
    events: [],
    active: false,
  });
  await client.updateWebhook({ id, events: [], active: false });
  await client.listWebhooks();
  await client.deleteWebhook({ id });
  await client.retrieveCredentials();
  await client.rotateApiKey();
  const sdkToken = await client.createSdkToken({ name: 'till', type: 'SOFTPOS' });
  await client.updateSdkToken({ id: sdkToken.id, status: 'DISABLED' });
  await client.listSdkTokens();
}

/** Our client, with each call's time told; it counts too, which makes the figures no better. */
async function connect(
  { ready }: Server,
  onTaken: (operation: string, ms: number) => void,
): Promise<{ client: GatewayClient; close: () => Promise<void> }> {
  const address = `${String(ready['url'])}/_sandbox/v1/info`;
  const info = (await (await fetch(address)).json()) as {
    portal: { username: string; password: string };
  };
  const client = createGatewayClient({
    environment: 'staging',
    baseUrl: String(ready['baseUrl']),
    apiKey: String(ready['apiKey']),
    portal: info.portal,
  });
  const timed = new Proxy(client, {
    get: (target, name: keyof GatewayClient) => async (input: never) => {
      const startedAt = performance.now();
      const result: unknown = await (target[name] as (given: never) => unknown)(input);
      onTaken(name, performance.now() - startedAt);
      return result;
    },
  });
  return { client: timed, close: () => client.close() };
}

function known(value: string | null): string {
  if (value === null) throw new Error('The sandbox answered without an id.');
  return value;
}
