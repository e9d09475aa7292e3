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
  paid: ['order-state', 'order-amount', 'refund-amount', 'refund', 'admin-timeline', 'lang-ar'],
  held: ['capture', 'void'],
  confirmations: ['confirm-refund', 'confirm-capture', 'confirm-void'],
};

async function expectOnly(visitor: Visitor, path: string, wanted: readonly string[]) {
  const page = await (await visitor.send(path)).text();
  for (const id of wanted) expect(page, `${path} has ${id}`).toContain(`data-test="${id}"`);
  return page;
}

/** The ids of a page of the shop: its own, and those of every page. */
async function expectIds(visitor: Visitor, path: string, wanted: readonly string[]) {
  const page = await expectOnly(visitor, path, [...wanted, ...ids.frame, ...ids.tools]);
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
    const page = await expectOnly(admin, `/admin/orders/${paid.orderId}`, ids.paid);
    expect(page).toMatch(/data-state="paid"[^>]*data-test="order-state"/);
    const refund = `/admin/orders/${paid.orderId}/refund?amount=1.00`;
    await expectOnly(admin, refund, ['confirm-refund']);
    const { orderId } = await placeOrder(shop);
    const sale = { auth: 'authorize', card: { number: '4111111111111111' }, requestId: 's-1' };
    await asAdmin(shop, 'POST', '/sales', { orderId, ...sale });
    const path = `/admin/orders/${orderId}`;
    await expectOnly(admin, path, ids.held);
    await expectOnly(admin, `${path}/capture?amount=1.00`, ['confirm-capture']);
    await expectOnly(admin, `${path}/void`, ['confirm-void']);
  });

  it('are in the shop’s own manual, each with its meaning', () => {
    const manual = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    for (const id of [...Object.values(ids).flat(), 'retry-payment']) {
      expect(manual).toContain(`\`${id.startsWith('add-') ? 'add-<sku>' : id}\``);
    }
  });
});
