import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  asAdmin,
  openTestShop,
  payOrder,
  placeOrder,
  signedInAdmin,
  type TestShop,
  Visitor,
} from '../testing/test-shop.ts';

let shop: TestShop;
let admin: Visitor;
beforeAll(async () => {
  shop = await openTestShop();
  admin = await signedInAdmin(shop);
});
afterAll(() => shop.close());

/** The ids of each page. Other programs rely on them. */
const ids = {
  frame: ['basket', 'lang-en', 'lang-ar'],
  tools: 'qa-drawer qa-outcome qa-apply qa-fault qa-clock qa-replay-webhook qa-reset'.split(' '),
  storefront: ['add-coffee', 'add-sticker', 'add-halala', 'add-limit-tester'],
  basket: ['customer-name', 'customer-email', 'customer-phone', 'place-order'],
  order: ['order-state', 'order-amount'],
  signIn: ['admin-token', 'admin-sign-in'],
  paid: ['refund-amount', 'refund', 'admin-timeline'],
  held: ['capture', 'void'],
};

async function expectIds(visitor: Visitor, path: string, wanted: readonly string[]) {
  const page = await (await visitor.send(path)).text();
  for (const id of [...wanted, ...ids.frame, ...ids.tools]) {
    expect(page, `${path} has ${id}`).toContain(`data-test="${id}"`);
  }
  expect(page).toMatch(/<details[^>]*data-test="qa-drawer"/);
  expect(page).toMatch(/<option[^>]*value="approve"/);
  return page;
}

describe('the ids that others rely on', () => {
  it('are on the pages of a shopper', async () => {
    const shopper = new Visitor(shop.url);
    await expectIds(shopper, '/', ids.storefront);
    await shopper.postForm('/basket/add', { sku: 'coffee' });
    await expectIds(shopper, '/basket', ids.basket);
    const { orderId, visitor } = await placeOrder(shop);
    for (const page of ['orders', 'wait', 'thanks', 'retry']) {
      const shown = await expectIds(visitor, `/${page}/${orderId}`, ids.order);
      expect(shown).toMatch(
        /data-test="order-state"[^>]*data-state="unpaid"|data-state="unpaid"[^>]*data-test="order-state"/,
      );
    }
    await expectIds(visitor, `/retry/${orderId}`, ['retry-payment']);
  });

  it('are on the pages of an admin', async () => {
    await expectIds(new Visitor(shop.url), '/admin', ids.signIn);
    const paid = await payOrder(shop);
    await paid.visitor.send(paid.statusUrl);
    await expectIds(admin, `/admin/orders/${paid.orderId}`, ids.paid);
    const question = await admin.postForm(`/admin/orders/${paid.orderId}/refund`, {
      amount: '1.00',
    });
    expect(await question.text()).toContain('data-test="confirm-refund"');
    const { orderId } = await placeOrder(shop);
    const sale = { auth: 'authorize', card: { number: '4111111111111111' }, requestId: 's-1' };
    await asAdmin(shop, 'POST', '/sales', { orderId, ...sale });
    await expectIds(admin, `/admin/orders/${orderId}`, ids.held);
  });

  it('are in the shop’s own manual, each with its meaning', () => {
    const manual = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    for (const id of [...Object.values(ids).flat(), 'retry-payment', 'confirm-refund']) {
      expect(manual).toContain(`\`${id.startsWith('add-') ? 'add-<sku>' : id}\``);
    }
  });
});
