import { afterAll, expect, it } from 'vitest';
import {
  asAdmin,
  openTestShop,
  paidOrder,
  placeOrder,
  signedInAdmin,
  Visitor,
} from '../testing/test-shop.ts';

/** A pay link makes no payment link for a program. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:128.0) Gecko/20100101 Firefox/128.0';

const shop = await openTestShop();
const admin = await signedInAdmin(shop);
afterAll(() => shop.close());

it('shows nothing to anybody without the token', async () => {
  const { orderId } = await paidOrder(shop);
  const stranger = new Visitor(shop.url);
  const paths = ['', `/orders/${orderId}`, '/orders', '/gateway', '/sign-out', '/nowhere'];
  for (const path of [...paths, `/shop-orders/${orderId}`]) {
    const page = await stranger.read(`/admin${path}`);
    expect(page, path).toContain('data-test="admin-token"');
    expect(page, path).not.toMatch(/Noura|0512345678|115\.00/);
  }
  await stranger.postForm('/admin/sign-in', { token: 'wrong', next: '/admin' });
  stranger.cookies.set('shop_admin', shop.adminToken);
  expect(await stranger.read('/admin')).toContain('data-test="admin-token"');
  for (const path of [`orders/${orderId}/refund`, `shop-orders/${orderId}/sale`]) {
    const refused = await stranger.postForm(`/admin/${path}`, {});
    expect(await refused.text()).toContain('data-test="admin-token"');
  }
});

it('ends the session on the server when the admin signs out, and no other session', async () => {
  const leaving = await signedInAdmin(shop);
  const copy = new Visitor(shop.url);
  for (const [name, value] of leaving.cookies) copy.cookies.set(name, value);
  expect(await copy.read('/admin/')).toContain('href="/admin/sign-out"');
  expect(await copy.read('/admin/sign-out')).toContain('data-test="admin-sign-out"');
  await leaving.postForm('/admin/sign-out', {});
  expect(await copy.read('/admin/')).toContain('data-test="admin-token"');
  expect(await admin.read('/admin/')).not.toContain('data-test="admin-token"');
});

it('leads to the page that was asked for, and to no other site', async () => {
  const next = async (wish: string) => {
    const visitor = new Visitor(shop.url);
    const answer = await visitor.postForm('/admin/sign-in', { token: shop.adminToken, next: wish });
    const cookie = answer.headers.getSetCookie().join();
    expect(cookie).toMatch(/shop_admin=.+; HttpOnly; SameSite=Lax/);
    expect(cookie).not.toContain(shop.adminToken);
    return answer.headers.get('location');
  };
  const wanted = '/admin/orders?state=paid&from=2026-11-01';
  expect(await next(wanted)).toBe(wanted);
  for (const wish of ['https://evil.example', '//evil.example', '/admin\\evil', '/administrator']) {
    expect(await next(wish)).toBe('/admin');
  }
  expect((await admin.send('/admin/sign-in')).headers.get('location')).toBe('/admin');
});

it('is refused when another site sends a form', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const answer = await admin.send('/admin/shop-orders/X/sale', { method: 'POST', headers });
  expect(answer.status).toBe(403);
});

it('leads from an order that nobody tried to pay to the shop’s own page of it, with a pay link', async () => {
  const linkIn = (page: string): string =>
    /data-test="pay-link"[^>]* href="([^"]+)"/.exec(page)?.[1] ?? '';
  const { orderId } = await placeOrder(shop);
  const path = (await admin.send(`/admin/orders/${orderId}`)).headers.get('location') ?? '';
  expect(path).toBe(`/admin/shop-orders/${orderId}`);
  const page = await admin.read(path);
  expect(page).toMatch(/data-test="order-state"[^>]*data-state="unpaid"/);
  expect(page).toMatch(/Noura[^]*0512345678[^]*noura@example\.com/);
  const headers = { 'user-agent': BROWSER };
  const opened = await fetch(linkIn(page), { redirect: 'manual', headers });
  expect(opened.status).toBe(303);
  expect(opened.headers.get('location')).toContain('/checkout?sessionId=');
  expect((await admin.send(`/admin/orders/${orderId}`)).status).toBe(200);

  const { orderId: paidId } = await paidOrder(shop);
  const paid = await admin.read(`/admin/shop-orders/${paidId}`);
  expect(linkIn(paid)).toBe('');
  expect(paid).not.toContain('data-test="sale"');
  expect((await admin.send('/admin/shop-orders/NONE')).status).toBe(404);
  expect((await admin.send('/admin/orders/NONE')).status).toBe(404);
});

it('shows in the back office what the shop knows of an order, in the reader’s language', async () => {
  const { orderId } = await paidOrder(shop);
  const english = await admin.read(`/admin/orders/${orderId}?lang=en`);
  expect(english).toMatch(/Jazan coffee beans[^<]*× 1/);
  expect(english).toMatch(/Noura[^]*0512345678[^]*noura@example\.com/);
  expect(english).toContain('Shipped once');
  expect(english).toContain(`href="/admin/shop-orders/${orderId}"`);
  const arabic = await admin.read(`/admin/orders/${orderId}?lang=ar`);
  expect(arabic).toMatch(/بُن جازاني[^<]*× 1/);
  expect(arabic).toContain('شُحن مرة واحدة');
  await admin.send('/?lang=en');
});

it('speaks one language with the shop: the latest choice counts in both', async () => {
  const reader = await signedInAdmin(shop);
  const speaks = async (lang: string): Promise<void> => {
    for (const path of ['/', '/admin/', '/admin/orders', '/admin/sign-out']) {
      expect(await reader.read(path), path).toMatch(new RegExp(`<html\\s+lang="${lang}"`));
    }
  };
  await speaks('en');
  await reader.send('/?lang=ar');
  await speaks('ar');
  await reader.send('/admin/language?lang=en&to=orders');
  await speaks('en');
  await reader.send('/admin/orders?lang=ar');
  await speaks('ar');
  await reader.send('/basket?lang=en');
  await speaks('en');
});

it('knows the webhook that the shop itself asked for, by another name of this machine', async () => {
  const page = await admin.read('/admin/gateway');
  expect(page).toContain('/pay/webhook');
  expect(page).not.toContain('data-test="webhook-missing"');
});

it('stores the admin’s name with a refund that the back office sends', async () => {
  const { orderId } = await paidOrder(shop);
  const question = await admin.read(`/admin/orders/${orderId}/refund?amount=15.00`);
  const hidden = question.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const body = new URLSearchParams([...hidden].map(([, name = '', value = '']) => [name, value]));
  const headers = { 'sec-fetch-site': 'same-origin' };
  const path = `/admin/orders/${orderId}/refund`;
  expect((await admin.send(path, { method: 'POST', headers, body })).status).toBe(303);
  const { body: order } = await asAdmin(shop, 'GET', `/orders/${orderId}`);
  expect(order['explain']).toMatchObject({
    operations: [{ kind: 'refund', amount: '15.00', requestedBy: 'Shop admin' }],
  });
});
