import type { TestShop } from './test-shop.ts';
import { goodOrder, Visitor } from './visitor.ts';

/** What the admin's API answered. */
export interface AdminAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a request to the admin's API with the admin's token. */
export async function asAdmin(
  shop: TestShop,
  method: string,
  path: string,
  body?: unknown,
): Promise<AdminAnswer> {
  const response = await fetch(`${shop.url}/api/admin${path}`, {
    method,
    headers: {
      authorization: `Bearer ${shop.adminToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as AdminAnswer['body']),
  };
}

/** Signs in on the admin's own page; the cookie comes along from then on. */
export async function signedInAdmin(shop: TestShop): Promise<Visitor> {
  const admin = new Visitor(shop.url);
  await admin.postForm('/admin/sign-in', { token: shop.adminToken, next: '/admin' });
  return admin;
}

/** Places an order for a new visitor. */
export async function placeOrder(
  shop: TestShop,
  sku = 'coffee',
): Promise<{ readonly orderId: string; readonly visitor: Visitor }> {
  const visitor = new Visitor(shop.url);
  const placed = await visitor.postJson('/api/orders', goodOrder(sku));
  const { orderId } = (await placed.json()) as { orderId: string };
  return { orderId, visitor };
}

/** Asks for an order's payment link. */
export async function openLink(visitor: Visitor, orderId: string) {
  const checkout = await visitor.postJson('/pay/checkout', { orderId });
  const link = (await checkout.json()) as { redirectUrl: string; statusUrl: string };
  const sessionId = new URL(link.redirectUrl).searchParams.get('sessionId') ?? '';
  return { ...link, sessionId };
}

/** Places an order and pays it at the sandbox; the shop has not looked yet. */
export async function payOrder(shop: TestShop, sku = 'coffee') {
  const { orderId, visitor } = await placeOrder(shop, sku);
  const link = await openLink(visitor, orderId);
  await shop.control.pay(link.sessionId, { card: { number: '4201320111111010' } });
  return { orderId, visitor, ...link };
}
