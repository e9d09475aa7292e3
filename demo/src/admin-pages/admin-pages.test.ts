import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  asAdmin,
  openTestShop,
  payOrder,
  placeOrder,
  signedInAdmin,
  type TestShop,
  Visitor,
} from '../testing/test-shop.ts';

/** A pay link makes no payment link for a program. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:128.0) Gecko/20100101 Firefox/128.0';

let shop: TestShop;
let admin: Visitor;
beforeAll(async () => {
  shop = await openTestShop();
  admin = await signedInAdmin(shop);
});
afterAll(() => shop.close());

async function textOf(visitor: Visitor, path: string): Promise<string> {
  return (await visitor.send(path)).text();
}

/** Sends a form, and returns the address that it leads to. */
async function leads(path: string, fields: Record<string, string>): Promise<string | null> {
  const answer = await admin.postForm(path, fields);
  expect(answer.status).toBe(303);
  return answer.headers.get('location');
}

it('shows nothing to anybody without the token', async () => {
  const { orderId } = await placeOrder(shop);
  const stranger = new Visitor(shop.url);
  for (const path of ['/admin', `/admin/orders/${orderId}`, '/admin/portal', '/admin/nowhere']) {
    const page = await textOf(stranger, path);
    expect(page).toContain('data-test="admin-token"');
    expect(page).not.toMatch(/Noura|0512345678|115\.00/);
  }
  await stranger.postForm('/admin/sign-in', { token: 'wrong', next: '/admin' });
  stranger.cookies.set('shop_admin', shop.adminToken);
  expect(await textOf(stranger, '/admin')).toContain('data-test="admin-token"');
  const capture = await stranger.postForm(`/admin/orders/${orderId}/capture`, {});
  expect(await capture.text()).toContain('data-test="admin-token"');
});

it('ends the session on the server when the admin signs out, and no other session', async () => {
  const leaving = await signedInAdmin(shop);
  const copy = new Visitor(shop.url);
  for (const [name, value] of leaving.cookies) copy.cookies.set(name, value);
  expect(await textOf(copy, '/admin')).not.toContain('data-test="admin-token"');
  await leaving.postForm('/admin/sign-out', {});
  expect(await textOf(copy, '/admin')).toContain('data-test="admin-token"');
  expect(await textOf(admin, '/admin')).not.toContain('data-test="admin-token"');
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
  expect(await next('/admin/orders/ABC?done=refund')).toBe('/admin/orders/ABC?done=refund');
  for (const wish of ['https://evil.example', '//evil.example', '/admin\\evil', '/administrator']) {
    expect(await next(wish)).toBe('/admin');
  }
});

it('shows a pay link for an unpaid order, which leads anyone to its payment, and none once paid', async () => {
  const linkIn = (page: string): string =>
    /data-test="pay-link"[^>]* href="([^"]+)"/.exec(page)?.[1] ?? '';
  const { orderId } = await placeOrder(shop);
  const link = linkIn(await textOf(admin, `/admin/orders/${orderId}`));
  const opened = await fetch(link, { redirect: 'manual', headers: { 'user-agent': BROWSER } });
  expect(opened.status).toBe(303);
  expect(opened.headers.get('location')).toContain('/checkout?sessionId=');

  const paid = await payOrder(shop);
  await paid.visitor.send(paid.statusUrl);
  expect(linkIn(await textOf(admin, `/admin/orders/${paid.orderId}`))).toBe('');
});

it('is refused when another site sends a form', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const answer = await admin.send('/admin/review/resolve', { method: 'POST', headers });
  expect(answer.status).toBe(403);
});

it('asks for a confirmation before a refund, and sends it once however often the button is pressed', async () => {
  const { orderId, visitor, statusUrl } = await payOrder(shop);
  await visitor.send(statusUrl);
  const path = `/admin/orders/${orderId}/refund`;
  const question = await (await admin.postForm(path, { amount: '15.00' })).text();
  const requestId = /name="requestId" value="([^"]+)"/.exec(question)?.[1] ?? '';
  const form = { amount: '15.00', requestId };
  expect(await leads(`${path}/confirmed`, form)).toBe(`/admin/orders/${orderId}?done=refund`);
  await leads(`${path}/confirmed`, form);
  const { body } = await asAdmin(shop, 'GET', `/orders/${orderId}`);
  expect(body['explain']).toMatchObject({ operations: [{ kind: 'refund', amount: '15.00' }] });
  expect(await leads(path, { amount: 'all' })).toBe(
    `/admin/orders/${orderId}?problem=invalid_operation`,
  );
});

it('says what the kit refused on the order’s page', async () => {
  const { orderId } = await placeOrder(shop);
  const form = { amount: '1.00', requestId: `odd-${orderId}` };
  const path = `/admin/orders/${orderId}`;
  expect(await leads(`${path}/capture`, form)).toBe(`${path}?problem=wrong_state`);
  expect(await textOf(admin, `${path}?problem=wrong_state`)).toContain('state does not allow this');
});

it('speaks Arabic, switch and all', async () => {
  const { orderId } = await placeOrder(shop);
  const page = await textOf(admin, `/admin/orders/${orderId}?lang=ar`);
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain(`href="/admin/orders/${orderId}?lang=en"`);
  await admin.send('/admin?lang=en');
});

it('resolves what a person has to review', async () => {
  const { orderId, visitor, statusUrl } = await payOrder(shop);
  await visitor.postJson(`/api/orders/${orderId}/cancel`, {});
  await visitor.send(statusUrl);
  const { orderId: other } = await placeOrder(shop);
  await shop.control.setProfile('ghost-success');
  const body = { orderId: other, auth: 'capture', requestId: `s-${other}` };
  const card = { number: '4111111111111111' };
  const { body: sale } = await asAdmin(shop, 'POST', '/sales', { ...body, card });
  await shop.control.setProfile('healthy');
  expect(sale).toMatchObject({ result: 'unknown' });
  expect(await textOf(admin, '/admin')).toContain('data-reason="unknown_outcome"');
  const id = String(sale['operationId']);
  const page = `/admin/orders/${other}`;
  expect(await textOf(admin, `${page}?lang=ar`)).toContain('انقطع الاتصال');
  expect(await textOf(admin, `${page}?lang=en`)).toContain('the connection broke');
  const found = { id, outcome: 'failed', why: 'Not on the dashboard.' };
  expect(await leads('/admin/review/settle', found)).toBe('/admin?done=resolved');
  expect(await textOf(admin, '/admin')).not.toContain('data-reason="unknown_outcome"');
  expect(await textOf(admin, page)).toContain('Not on the dashboard.');
});

it('shows the portal’s secrets once', async () => {
  const url = 'http://127.0.0.1:9/hook';
  const made = await (await admin.postForm('/admin/portal/webhooks', { url })).text();
  expect(made).toMatch(/data-test="secret"/);
  const after = await textOf(admin, '/admin/portal');
  expect(after).toContain(url);
  expect(after).not.toMatch(/data-test="secret"/);
  const token = await (await admin.postForm('/admin/portal/sdk-tokens', { name: 'Till 1' })).text();
  expect(token).toMatch(/data-test="secret"/);
});

it('writes every entry of an order’s timeline in Arabic', async () => {
  const paid = await payOrder(shop);
  await paid.visitor.send(paid.statusUrl);
  await asAdmin(shop, 'POST', `/orders/${paid.orderId}/refund`, {
    amount: '15.00',
    requestId: 'r-1',
  });
  const late = await payOrder(shop);
  await late.visitor.send(`/api/orders/${late.orderId}/cancel`, { method: 'POST' });
  const held = await placeOrder(shop);
  const sale = { auth: 'authorize', card: { number: '4111111111111111' }, requestId: 's-1' };
  await asAdmin(shop, 'POST', '/sales', { orderId: held.orderId, ...sale });
  await asAdmin(shop, 'POST', `/orders/${held.orderId}/void`, { requestId: 'v-1' });
  for (const { orderId } of [paid, late, held]) {
    const page = await textOf(admin, `/admin/orders/${orderId}?lang=ar`);
    const sentences = [...page.matchAll(/class="timeline-text">([^]*?)<\/p>/g)];
    expect(sentences.length).toBeGreaterThan(5);
    for (const [, sentence] of sentences) expect(sentence).toMatch(/\p{Script=Arabic}/u);
    expect(page).not.toMatch(/SAR/);
  }
});
