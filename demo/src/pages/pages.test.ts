import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  asAdmin,
  letPass,
  openTestShop,
  paidOrder,
  placeOrder,
  Visitor,
} from '../testing/test-shop.ts';

const shop = await openTestShop();
afterAll(() => shop.close());

const details = { name: 'Noura', email: '', phone: '0512345678' };

/** What a reader sees of a page: its words, the names of pictures among them. */
async function wordsOf(visitor: Visitor, path: string): Promise<string> {
  return (await visitor.read(path))
    .replaceAll(/<svg role="img" aria-label="([^"]*)".*?<\/svg>/g, '$1')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u00a0]+/g, ' ');
}

describe('the basket', () => {
  it('adds, changes and removes without a script', async () => {
    const visitor = new Visitor(shop.url);
    const added = await visitor.postForm('/basket/add', { sku: 'coffee' });
    expect(added.headers.get('location')).toBe('/?added=coffee#coffee');
    await visitor.postForm('/basket/add', { sku: 'coffee' });
    expect(await visitor.read('/basket')).toContain('\u00a0230.00');
    await visitor.postForm('/basket/set', { sku: 'coffee', quantity: '3' });
    expect(await visitor.read('/basket')).toContain('\u00a0345.00');
    await visitor.postForm('/basket/set', { sku: 'coffee', quantity: '3', remove: '1' });
    expect(await visitor.read('/basket')).toContain('Your basket is empty.');
  });

  it('takes one piece more or fewer than the number beside the button', async () => {
    const visitor = new Visitor(shop.url);
    const pieces = async (quantity: string, step: string) => {
      await visitor.postForm('/basket/set', { sku: 'coffee', quantity, step });
      return /name="quantity"\s+value="(\d+)"/.exec(await visitor.read('/basket'))?.[1];
    };
    expect(await pieces('4', '1')).toBe('5');
    expect(await pieces('99', '1')).toBe('99');
    await visitor.postForm('/basket/add', { sku: 'coffee' });
    expect(await visitor.read('/basket')).toMatch(/name="quantity"\s+value="99"/);
    expect(await pieces('2', '-1')).toBe('1');
    expect(await pieces('1', '-1')).toBeUndefined();
  });

  it('is empty once its goods are ordered, and keeps what was added meanwhile', async () => {
    const visitor = new Visitor(shop.url);
    const left = async (...skus: readonly string[]) => {
      for (const sku of skus) await visitor.postForm('/basket/add', { sku });
      await visitor.postForm('/orders', { ...details, lines: 'coffee:1' });
      return visitor.read('/basket');
    };
    expect(await left('coffee')).toContain('Your basket is empty.');
    expect(await left('coffee', 'sticker')).toContain('name="sku" value="sticker"');
  });

  it('is not spoiled by a product or a cookie that makes no sense', async () => {
    const visitor = new Visitor(shop.url);
    expect((await visitor.postForm('/basket/add', { sku: 'tea' })).status).toBe(400);
    visitor.cookies.set('shop_basket', 'coffee:0.tea:4.%E0%A4%A');
    expect((await visitor.send('/basket')).status).toBe(200);
  });
});

describe('the order form', () => {
  it('makes one order of a form that is sent twice', async () => {
    const visitor = new Visitor(shop.url);
    await visitor.postForm('/basket/add', { sku: 'coffee' });
    const page = await visitor.read('/basket');
    const [, requestId = ''] = /name="requestId" value="?([\w-]+)/.exec(page) ?? [];
    expect(requestId).not.toBe('');
    const form = { ...details, lines: 'coffee:1', requestId };
    const placed = async (sent: Record<string, string>) =>
      (await visitor.postForm('/orders', sent)).headers.get('location');
    const [first, second] = await Promise.all([placed(form), placed(form)]);
    expect(first).toMatch(/^\/orders\/[A-Z0-9]+$/);
    expect(second).toBe(first);
    expect(await placed({ ...form, lines: 'coffee:2' })).not.toBe(first);
  });

  it('keeps what was typed, and says first what is wrong, in the order of its fields', async () => {
    const form = { name: ' ', email: 'x', phone: '123', lines: 'coffee:1' };
    const page = await (await new Visitor(shop.url).postForm('/orders', form)).text();
    expect(page).toMatch(/<title>\s*Error: Your basket/);
    expect(page).toContain('value="123"');
    expect(page).toContain('Enter a mobile number such as 0512345678.');
    expect(page).toContain('aria-invalid="true"');
    const summary = /<div class="complaints"[^>]* autofocus[^]*?<\/div>/.exec(page)?.[0] ?? '';
    const told = [...summary.matchAll(/href="#(\w+)"/g)].map(([, field]) => field);
    expect(told).toEqual(['name', 'phone', 'email']);
    const fields = [...page.matchAll(/<input\s+id="(\w+)"/g)].map(([, field]) => field);
    expect(fields).toEqual(told);
  });

  it('says of an empty basket that it is empty', async () => {
    const answer = await new Visitor(shop.url).postForm('/orders', { ...details, lines: '' });
    expect(await answer.text()).toContain('Your basket is empty.');
  });

  it('is refused when another site sends it', async () => {
    const answer = await new Visitor(shop.url).send('/orders', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ ...details, lines: 'coffee:1' }),
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('This form came from another site');
  });
});

describe('the pages of an order', () => {
  it('are not there for a stranger', async () => {
    const { orderId } = await placeOrder(shop);
    for (const page of ['orders', 'wait', 'thanks', 'retry']) {
      const answer = await new Visitor(shop.url).send(`/${page}/${orderId}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('Noura');
    }
  });

  it('show names as text, whatever they contain', async () => {
    const visitor = new Visitor(shop.url);
    const name = '<img src=x onerror=alert(1)>"';
    const answer = await visitor.postForm('/orders', { ...details, name, lines: 'coffee:1' });
    const page = await visitor.read(answer.headers.get('location') ?? '');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain('<img src=x');
  });

  it('offer a form to pay with inside the pay button', async () => {
    const { orderId, visitor } = await placeOrder(shop);
    const page = await visitor.read(`/orders/${orderId}`);
    expect(page).toMatch(/<pay-button[^>]+endpoint="\/pay\/checkout"/);
    expect(page).toMatch(/<pay-button[^>]+methods="mada visa mastercard apple-pay"/);
    expect(page).toMatch(/<form method="post" action="\/pay\/checkout">/);
    const paid = await visitor.postForm('/pay/checkout', { orderId });
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toMatch(new URL(shop.sandboxUrl).origin);
  });
});

describe('the receipt', () => {
  it('has the order, the card, each price, the tax and the total, and leads to the order', async () => {
    const { orderId, visitor } = await paidOrder(shop);
    const page = await visitor.read(`/thanks/${orderId}`);
    expect(page).toContain(`href="/orders/${orderId}"`);
    const statusCalls = async () =>
      (await shop.control.requests({ operation: 'retrieveStatus' })).length;
    const calls = await statusCalls();
    const words = await wordsOf(visitor, `/thanks/${orderId}`);
    expect(words).toContain(`Order number ${orderId}`);
    expect(words).toMatch(/Date \d{1,2} \w+ \d{4} at \d\d:\d\d Riyadh time/);
    expect(words).toContain('Paid with mada ending in 1010');
    expect(words).toContain('1 × SAR 115.00 SAR 115.00');
    expect(words).toContain('Total SAR 115.00 Includes 15% VAT SAR 15.00');
    const order = await wordsOf(visitor, `/orders/${orderId}`);
    expect(order).toContain(`Receipt Finjan Payment Paid Order number ${orderId}`);
    expect(order).toContain('mada ending in 1010');
    expect(order).toMatch(/Tracking Order placed .* Payment received .* Being packed Delivery/);
    // The gateway is asked for the card once, however often the receipt is read.
    expect(await statusCalls()).toBe(calls);
  });

  it('has no more digits of the card than the last four, in the page and in the database', async () => {
    const { orderId, visitor } = await paidOrder(shop);
    expect(await visitor.read(`/thanks/${orderId}`)).not.toMatch(/420132|[*•]{2,}/);
    const files = readdirSync(shop.folder).filter((name) => name.startsWith('shop.db'));
    expect(files).toContain('shop.db');
    for (const file of files) {
      expect(readFileSync(join(shop.folder, file)).includes('420132')).toBe(false);
    }
  });

  it('goes without the card while the gateway does not answer, and has it afterwards', async () => {
    const { orderId, visitor } = await paidOrder(shop);
    await shop.control.setProfile('maintenance-html');
    const without = await wordsOf(visitor, `/thanks/${orderId}`);
    await shop.control.setProfile('healthy');
    expect(without).toContain('Total SAR 115.00');
    expect(without).not.toContain('Paid with');
    expect(await wordsOf(visitor, `/thanks/${orderId}`)).toContain('mada ending in 1010');
  });

  it('says what was refunded, and thanks nobody for money that went back', async () => {
    const { orderId, visitor } = await paidOrder(shop);
    const refund = async (amount: string) => {
      const body = { amount, requestId: `r-${amount}` };
      await asAdmin(shop, 'POST', `/orders/${orderId}/refund`, body);
      await letPass(shop, 'PT10S');
      await asAdmin(shop, 'POST', '/reconcile');
      return wordsOf(visitor, `/thanks/${orderId}`);
    };
    expect(await refund('15.00')).toMatch(/Thank you.*Refunded SAR 15.00/);
    const all = await refund('100.00');
    expect(all).toContain('The full amount was refunded to you.');
    expect(all).not.toMatch(/thank|packing/i);
  });
});

it('the list of orders has all orders of this browser, the newest first, and of no other', async () => {
  const { orderId: paid, visitor } = await paidOrder(shop);
  const { orderId: other } = await placeOrder(shop);
  const placed = await visitor.postForm('/orders', { ...details, lines: 'sticker:2' });
  const unpaid = placed.headers.get('location')?.split('/').at(-1) ?? '';
  const words = await wordsOf(visitor, '/orders');
  expect(words).toMatch(new RegExp(`Order ${unpaid} SAR 2.00 .*Not paid yet`));
  expect(words).toMatch(new RegExp(`Order ${paid} SAR 115.00 .*Paid`));
  expect(words.indexOf(unpaid)).toBeLessThan(words.indexOf(paid));
  expect(words).not.toContain(other);
  expect(await wordsOf(new Visitor(shop.url), '/orders')).toContain('No orders yet');
});

describe('an address', () => {
  it('that is none or broken leads to a page in the reader’s language, without the inside', async () => {
    const headers = { 'accept-language': 'ar' };
    const answer = await new Visitor(shop.url).send('/nowhere', { headers });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('لم نجد هذه الصفحة');
    const broken = await new Visitor(shop.url).send('/orders/%E0%A4%A');
    expect(broken.status).toBe(400);
    expect(await broken.text()).not.toMatch(/URIError|node_modules|\n\s+at /);
  });

  it('with two slashes never leads the language switch to another site', async () => {
    expect(await (await fetch(`${shop.url}//evil.example/`)).text()).not.toContain('href="//');
  });

  it('by another name of this machine leads to the shop’s own, and nowhere else', async () => {
    const ledTo = async (path: string) => {
      const arriving = { headers: { accept: 'text/html' }, redirect: 'manual' } as const;
      const answer = await fetch(`http://127.0.0.1:${shop.port}${path}`, arriving);
      return answer.headers.get('location') ?? '';
    };
    expect(await ledTo('/basket?lang=ar')).toBe(`${shop.url}/basket?lang=ar`);
    expect(new URL(await ledTo('//evil.example/'), shop.url).host).toBe(new URL(shop.url).host);
  });
});
