import { createHmac } from 'node:crypto';
import { createGatewayClient, type GatewayClient } from '@pay-button/server-helper';
import { afterEach, describe, expect, it } from 'vitest';
import { DrillShop } from './drill-shop.ts';

let shop: DrillShop;
/** The operator's own client, with the portal's credential. */
let operator: GatewayClient;

const start = async (...given: Parameters<typeof DrillShop.start>): Promise<void> => {
  shop = await DrillShop.start(...given);
  const { baseUrl, apiKey, control } = shop.sandbox;
  const { portal } = await control.info();
  operator = createGatewayClient({ environment: 'staging', baseUrl, apiKey, portal });
};
afterEach(async () => {
  await operator.close();
  await shop.close();
});

/** The operator ends a key on the gateway's dashboard. */
async function revoke(apiKey: string): Promise<void> {
  const { baseUrl, control } = shop.sandbox;
  const { portal } = await control.info();
  const { credentials } = await operator.retrieveCredentials();
  const one = credentials.find((known) => known.apiKey.endsWith(apiKey.slice(-4)));
  const entered = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(portal),
  });
  const { accessToken } = (await entered.json()) as { accessToken: string };
  const ended = await fetch(`${baseUrl}/merchant/account/credentials/${one?.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(ended.ok).toBe(true);
}

/** What the gateway answers to a status call with a key. */
async function statusWith(apiKey: string): Promise<number> {
  const id = 'f2d5b7c0-0000-4000-8000-000000000001';
  const url = `${shop.sandbox.baseUrl}/payment/checkout/status?id=${id}`;
  return (await fetch(url, { headers: { 'x-api-key': apiKey } })).status;
}

describe('the drill of the API key', () => {
  it('loses no order and refuses no shopper, and the former key opens nothing', async () => {
    await start();
    const former = shop.sandbox.apiKey;
    const { apiKey: next } = await operator.rotateApiKey();
    await shop.deploy({ apiKey: [next, former] });
    await Promise.all([shop.shoppers.trade(), revoke(former)]);
    await shop.shoppers.trade();
    await shop.deploy({ apiKey: [next] });
    await shop.finish();
    expect(await statusWith(former)).toBe(401);
    expect(await statusWith(next)).not.toBe(401);
  });

  it('refuses checkouts and loses no payment where a new key ends the former at once', async () => {
    await start({}, ['rotationRevokes']);
    const orders = await shop.shoppers.openOrders();
    const { apiKey: next } = await operator.rotateApiKey();
    const backs = await Promise.all(orders.map((order) => shop.shoppers.pay(order)));
    const refused = await shop.shoppers.checkout('900');
    expect(refused.status).toBe(502);
    const waits = await fetch(`${shop.url(0)}${backs[0]}`, { redirect: 'manual' });
    expect(waits.headers.get('location')).toBe(`https://shop.example/wait/${orders[0]?.orderId}`);
    await shop.restart({ apiKey: [next] });
    shop.later();
    for (const order of orders) expect(await shop.shoppers.stateOf(order, 0)).toBe('paid');
    await shop.finish();
  });
});

const tokenSecret = (name: string): string => `the-${name}-token-secret-of-the-shop-4711`;

describe('the drill of the token secret', () => {
  it('loses no order and refuses no shopper, and the former secret opens nothing', async () => {
    const [former, next] = [tokenSecret('former'), tokenSecret('next')];
    await start({ tokenSecrets: [former] });
    await shop.deploy({ tokenSecrets: [former, next] });
    await shop.deploy({ tokenSecrets: [next, former] });
    await shop.shoppers.trade(); // Three days.
    await shop.deploy({ tokenSecrets: [next] });
    await shop.finish();
    const forger = shop.stranger({ tokenSecrets: [former] });
    const { pathname } = new URL(forger.statusUrl('1001'));
    await forger.close();
    expect((await fetch(`${shop.url(0)}${pathname}`)).status).toBe(404);
  });

  it('finds each order that was paid when a leaked secret is dropped at once', async () => {
    const [former, next] = [tokenSecret('former'), tokenSecret('next')];
    await start({ tokenSecrets: [former] });
    const orders = await shop.shoppers.openOrders();
    await shop.restart({ tokenSecrets: [next] });
    const backs = await Promise.all(orders.map((order) => shop.shoppers.pay(order)));
    for (const back of backs) expect((await fetch(shop.url(0) + back)).status).toBe(404);
    expect(shop.shipped()).toEqual([]);
    shop.later(120_000);
    await shop.payments().tick();
    expect(shop.shipped()).toEqual(orders.map(({ orderId }) => orderId).toSorted());
  });
});

describe('the drill of the webhook secret', () => {
  const register = (index: number, active: boolean) =>
    operator.createWebhook({ url: `${shop.url(index)}/pay/webhook`, events: [], active });

  /** Waits until no webhook is on its way, and answers how each try went. */
  async function outcomes(): Promise<ReadonlySet<string>> {
    const { control } = shop.sandbox;
    await expect.poll(() => control.deliveries({ state: 'sending' })).toEqual([]);
    const deliveries = await control.deliveries();
    expect(deliveries.length).toBeGreaterThan(0);
    return new Set(deliveries.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome)));
  }

  async function answerTo(secret: string): Promise<number> {
    const body = JSON.stringify({ merchantOrderId: '1001~1' });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-signature': signature };
    return (await fetch(`${shop.url(0)}/pay/webhook`, { method: 'POST', headers, body })).status;
  }

  it('refuses no delivery and no shopper, and the former secret signs nothing', async () => {
    await start();
    const first = await register(0, false);
    const former = first.secret ?? '';
    await shop.restart({ webhookSecrets: [former] });
    await operator.updateWebhook({ id: first.id, active: true });
    const second = await register(1, false);
    const next = second.secret ?? '';
    await shop.deploy({ webhookSecrets: [next, former] });
    await operator.updateWebhook({ id: second.id, active: true });
    await shop.shoppers.trade();
    await operator.deleteWebhook({ id: first.id });
    await shop.shoppers.trade();
    await shop.deploy({ webhookSecrets: [next] });
    const orders = await shop.shoppers.openOrders();
    await Promise.all(orders.map((order) => shop.shoppers.pay(order)));
    expect(await outcomes()).toEqual(new Set(['acknowledged']));
    await shop.payments().tick(); // Their shoppers do not come back: the webhooks alone say so.
    await shop.finish();
    expect([await answerTo(former), await answerTo(next)]).toEqual([401, 200]);
  });
});

describe('the drill of the encryption key', () => {
  const key = (name: string): string => `the-${name}-encryption-key-of-the-shop-23`;
  const card = {
    number: '5123450000000008',
    expiryMonth: '12',
    expiryYear: '2039',
    cvv: '871',
    holderName: 'Noura',
  } as const;

  it('refuses no charge, loses no order, and the former key decrypts nothing', async () => {
    await start({ encryptionKeys: [key('former')] });
    const customers: string[] = [];
    let period = 0;
    /** One process sells with a token, the other one charges every customer again. */
    const subscriptions = async (): Promise<void> => {
      for (const index of [0, 1]) {
        const orderId = shop.shoppers.newOrderId();
        const sale = { auth: 'capture', card, requestId: orderId, recurring: true } as const;
        expect(await shop.payments(index).sale(orderId, sale)).toMatchObject({
          state: 'succeeded',
        });
        customers.push(orderId);
      }
      for (const index of [0, 1]) {
        period += 1;
        const terms = { amount: '10.00', periodKey: String(period) };
        for (const orderId of customers) {
          const charge = await shop.payments(index).chargeRecurring(orderId, terms);
          expect(charge).toMatchObject({ state: 'succeeded' });
        }
      }
    };
    await subscriptions();
    await shop.deploy({ encryptionKeys: [key('former'), key('next')] }, subscriptions);
    await shop.deploy({ encryptionKeys: [key('next'), key('former')] }, subscriptions);
    await shop.deploy({ encryptionKeys: [key('next')] }, subscriptions);
    await shop.finish();
    const thief = shop.stranger({ encryptionKeys: [key('former')] });
    const explained = await Promise.all(customers.map((orderId) => thief.explain(orderId)));
    await thief.close();
    expect(explained.filter((one) => one?.recurringToken?.isReadable !== false)).toEqual([]);
  });
});
