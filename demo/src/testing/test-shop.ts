import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createControlClient } from '@pay-button/gateway-sandbox';
import { readSettings } from '../process/settings.ts';
import { startShop } from '../process/start-shop.ts';

/** A shop with its sandbox, for one test file, in its own folder. */
export type TestShop = Awaited<ReturnType<typeof openTestShop>>;

/** Starts a shop on free ports. Settings of the environment that runs the tests play no part. */
export async function openTestShop(settings: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pay-button-demo-'));
  const warnings: string[] = [];
  const env = { PORT: '0', SANDBOX_PORT: '0', DATABASE_URL: `sqlite:${folder}/shop.db` };
  const given = { ...readSettings({ ...env, ...settings }), dataFolder: folder };
  const shop = await startShop(given, (what) => warnings.push(what));
  const { addresses } = shop;
  return {
    url: addresses.shop,
    port: shop.port,
    sandboxUrl: addresses.sandbox ?? '',
    adminToken: addresses.adminToken,
    /** The sandbox's own control; only where the shop started one. */
    control: createControlClient(addresses.sandbox ?? 'http://127.0.0.1:9'),
    folder,
    /** The warnings that the shop wrote for its operator. */
    warnings,
    close: async (): Promise<void> => {
      await shop.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A browser as the shop sees it: requests, and cookies that come back. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #shopUrl: string;

  constructor(shopUrl: string) {
    this.#shopUrl = shopUrl;
  }

  /** Sends a request; redirects are returned and not followed. */
  async send(path: string, request: RequestInit = {}): Promise<Response> {
    const headers = new Headers(request.headers);
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
    const url = new URL(path, this.#shopUrl);
    const response = await fetch(url, { ...request, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    // An unread body would keep its connection busy, and the shop from closing.
    const body = await response.text();
    if (response.status === 503 && body.includes('"overloaded"')) {
      // A busy machine refuses polls and checkouts for a while; the button too asks again.
      await wait(1_000);
      return this.send(path, request);
    }
    return new Response(body === '' ? null : body, response);
  }

  /** The text of a page. */
  async read(path: string): Promise<string> {
    return (await this.send(path)).text();
  }

  /** Posts JSON. */
  postJson(path: string, body: unknown): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return this.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Posts a form, as a page of the shop does. */
  postForm(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return this.send(path, { method: 'POST', body: new URLSearchParams(fields) });
  }
}

/** An order that the shop takes. */
export function goodOrder(sku = 'coffee', quantity = 1) {
  return {
    lines: [{ sku, quantity }],
    customer: { name: 'Noura', email: 'noura@example.com', phone: '0512345678' },
  };
}

/** Sends a request to the admin's API with the admin's token. */
export async function asAdmin(shop: TestShop, method: string, path: string, body?: unknown) {
  const response = await fetch(`${shop.url}/api/admin${path}`, {
    method,
    headers: { authorization: `Bearer ${shop.adminToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = (await response.text()) || '{}';
  return { status: response.status, body: JSON.parse(text) as Readonly<Record<string, unknown>> };
}

/** Signs in on the admin's own page; the cookie comes along from then on. */
export async function signedInAdmin(shop: TestShop): Promise<Visitor> {
  const admin = new Visitor(shop.url);
  await admin.postForm('/admin/sign-in', { token: shop.adminToken, next: '/admin' });
  return admin;
}

/** Moves the clock of the sandbox, and of the shop, which takes it over before each checkout. */
export async function letPass(shop: TestShop, by: string): Promise<void> {
  await shop.control.advanceClock({ by });
  await new Visitor(shop.url).postJson('/pay/checkout', {});
}

/** Places an order for a new visitor. */
export async function placeOrder(shop: TestShop, sku = 'coffee') {
  const visitor = new Visitor(shop.url);
  const placed = await visitor.postJson('/api/orders', goodOrder(sku));
  const { orderId } = (await placed.json()) as { orderId: string };
  return { orderId, visitor };
}

/** Asks for an order's payment link. */
export async function openLink(visitor: Visitor, orderId: string) {
  const checkout = await visitor.postJson('/pay/checkout', { orderId });
  if (!checkout.ok) throw new Error(`The checkout was refused: ${await checkout.text()}`);
  const link = (await checkout.json()) as { redirectUrl: string; statusUrl: string };
  return { ...link, sessionId: new URL(link.redirectUrl).searchParams.get('sessionId') ?? '' };
}

/** Places an order and pays it at the sandbox; the shop has not checked the payment yet. */
export async function payOrder(shop: TestShop) {
  const { orderId, visitor } = await placeOrder(shop);
  const link = await openLink(visitor, orderId);
  await shop.control.pay(link.sessionId, { card: { number: '4201320111111010' } });
  return { orderId, visitor, ...link };
}

/** An order that the shop knows to be paid, and its shopper. */
export async function paidOrder(shop: TestShop) {
  const paid = await payOrder(shop);
  await paid.visitor.send(paid.statusUrl);
  return paid;
}
