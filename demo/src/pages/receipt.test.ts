import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  asAdmin,
  letPass,
  openTestShop,
  payOrder,
  placeOrder,
  type TestShop,
  Visitor,
} from '../testing/test-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.close());

/** An order that the shop knows to be paid, and its shopper. */
async function paidOrder() {
  const paid = await payOrder(shop);
  await paid.visitor.send(paid.statusUrl);
  return paid;
}

/** What a reader sees of a page: its words, the names of pictures among them. */
async function wordsOf(visitor: Visitor, path: string): Promise<string> {
  const page = await (await visitor.send(path)).text();
  return page
    .replaceAll(/<svg role="img" aria-label="([^"]*)".*?<\/svg>/g, '$1')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ');
}

const statusCalls = async () =>
  (await shop.control.requests({ operation: 'retrieveStatus' })).length;

describe('the receipt', () => {
  it('has the order, the card, each price, the tax and the total, and leads to the order', async () => {
    const { orderId, visitor } = await paidOrder();
    const words = await wordsOf(visitor, `/thanks/${orderId}`);
    expect(words).toContain(`Order number ${orderId}`);
    expect(words).toMatch(/Date \d{1,2} \w+ \d{4} at \d\d:\d\d Riyadh time/);
    expect(words).toContain('Paid with mada ending in 1010');
    expect(words).toContain('1 × SAR 115.00 SAR 115.00');
    expect(words).toContain('Total SAR 115.00 Includes 15% VAT SAR 15.00');
    const page = await (await visitor.send(`/thanks/${orderId}`)).text();
    expect(page).toContain(`href="/orders/${orderId}"`);
  });

  it('has no more digits of the card than the last four, in the page and in the database', async () => {
    const { orderId, visitor } = await paidOrder();
    const page = await (await visitor.send(`/thanks/${orderId}`)).text();
    expect(page).toContain('1010');
    expect(page).not.toMatch(/420132|[*•]{2,}/);
    const files = readdirSync(shop.folder).filter((name) => name.startsWith('shop.db'));
    expect(files).toContain('shop.db');
    for (const file of files) {
      expect(readFileSync(join(shop.folder, file)).includes('420132')).toBe(false);
    }
  });

  it('asks the gateway for the card once, however often it is read', async () => {
    const { orderId, visitor } = await paidOrder();
    await wordsOf(visitor, `/thanks/${orderId}`);
    const calls = await statusCalls();
    await wordsOf(visitor, `/thanks/${orderId}`);
    expect(await wordsOf(visitor, `/orders/${orderId}`)).toContain('mada ending in 1010');
    expect(await statusCalls()).toBe(calls);
  });

  it('goes without the card while the gateway does not answer, and has it afterwards', async () => {
    const { orderId, visitor } = await paidOrder();
    await shop.control.setProfile('maintenance-html');
    const without = await wordsOf(visitor, `/thanks/${orderId}`);
    await shop.control.setProfile('healthy');
    expect(without).toContain('Total SAR 115.00');
    expect(without).not.toContain('Paid with');
    expect(await wordsOf(visitor, `/thanks/${orderId}`)).toContain('mada ending in 1010');
  });

  it('says what was refunded', async () => {
    const { orderId, visitor } = await paidOrder();
    await asAdmin(shop, 'POST', `/orders/${orderId}/refund`, { amount: '15.00', requestId: 'r' });
    await letPass(shop, 'PT10S');
    await asAdmin(shop, 'POST', '/reconcile');
    expect(await wordsOf(visitor, `/thanks/${orderId}`)).toContain('Refunded SAR 15.00');
  });
});

describe('the page of a paid order', () => {
  it('is its receipt and says where it is', async () => {
    const { orderId, visitor } = await paidOrder();
    const words = await wordsOf(visitor, `/orders/${orderId}`);
    expect(words).toContain(`Receipt Finjan Payment Paid Order number ${orderId}`);
    expect(words).toMatch(/Tracking Order placed .* Payment received .* Being packed Delivery/);
  });
});

describe('the list of orders', () => {
  it('has all orders of this browser, the newest first, and of no other', async () => {
    const { orderId: paid, visitor } = await paidOrder();
    const { orderId: other } = await placeOrder(shop);
    const form = { name: 'Noura', email: '', phone: '0512345678', lines: 'sticker:2' };
    const placed = await visitor.postForm('/orders', form);
    const unpaid = placed.headers.get('location')?.split('/').at(-1) ?? '';
    const words = await wordsOf(visitor, '/orders');
    expect(words).toMatch(new RegExp(`Order ${unpaid} SAR 2.00 .*Not paid yet`));
    expect(words).toMatch(new RegExp(`Order ${paid} SAR 115.00 .*Paid`));
    expect(words.indexOf(unpaid)).toBeLessThan(words.indexOf(paid));
    expect(words).not.toContain(other);
  });

  it('says of a new browser that it has none', async () => {
    expect(await wordsOf(new Visitor(shop.url), '/orders')).toContain('No orders yet');
  });
});
