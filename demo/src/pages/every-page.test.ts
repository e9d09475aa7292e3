import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlFindings } from '../../../scripts/html-check.ts';
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
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.close());

/** Who reads a page, where, and the form that brings the page about, if one does. */
interface Reading {
  readonly reader: Visitor;
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
}

async function shopperReadings(): Promise<Reading[]> {
  const reader = new Visitor(shop.url);
  const stranger = new Visitor(shop.url);
  await reader.postForm('/basket/add', { sku: 'coffee' });
  const unpaid = await placeOrder(shop);
  const paid = await payOrder(shop);
  await paid.visitor.send(paid.statusUrl);
  const ofOrders = [unpaid, paid].flatMap(({ orderId, visitor }) =>
    ['orders', 'wait', 'thanks', 'retry'].flatMap((page) => [
      { reader: visitor, path: `/${page}/${orderId}` },
      { reader: stranger, path: `/${page}/${orderId}` },
    ]),
  );
  return [
    { reader, path: '/' },
    { reader, path: '/?added=coffee' },
    { reader, path: '/basket' },
    { reader: stranger, path: '/basket' },
    { reader, path: '/orders', form: { name: '', email: '', phone: '1', lines: 'coffee:1' } },
    { reader, path: '/basket/add', form: { sku: 'tea' } },
    { reader, path: '/nowhere' },
    { reader, path: '/personas' },
    { reader, path: '/bugs' },
    { reader, path: '/admin' },
    ...ofOrders,
  ];
}

async function adminReadings(): Promise<Reading[]> {
  const reader = await signedInAdmin(shop);
  const paid = await payOrder(shop);
  await paid.visitor.send(paid.statusUrl);
  const { orderId: held } = await placeOrder(shop);
  const sale = { auth: 'authorize', card: { number: '4111111111111111' }, requestId: 's-1' };
  await asAdmin(shop, 'POST', '/sales', { orderId: held, ...sale });
  const { orderId: unpaid } = await placeOrder(shop);
  await asAdmin(shop, 'POST', '/sdk-tokens', { type: 'SOFTPOS', name: 'Till 1' });
  return [
    { reader, path: '/admin' },
    { reader, path: '/admin?state=paid' },
    { reader, path: '/admin/portal' },
    { reader, path: '/admin/orders/none' },
    ...[paid.orderId, held, unpaid].map((id) => ({ reader, path: `/admin/orders/${id}` })),
    { reader, path: `/admin/orders/${paid.orderId}?problem=failed` },
    { reader, path: `/admin/orders/${paid.orderId}/refund`, form: { amount: '1.00' } },
  ];
}

async function pageOf({ reader, path, form }: Reading, lang: string): Promise<string> {
  await reader.send(`/basket?lang=${lang}`);
  const answer = await (form === undefined ? reader.send(path) : reader.postForm(path, form));
  return answer.text();
}

describe.each(['en', 'ar'])('in %s', (lang) => {
  it('every page of the shop and of its admin is valid HTML', async () => {
    const readings = [...(await shopperReadings()), ...(await adminReadings())];
    for (const reading of readings) {
      const page = await pageOf(reading, lang);
      expect(page, reading.path).toContain(`<html lang="${lang}"`);
      expect(htmlFindings(page), reading.path).toEqual([]);
    }
  });
});
