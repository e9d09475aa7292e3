import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
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

/** What a browser and a screen reader make of a page; how a formatter writes it is not in question. */
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    'doctype-style': 'off',
    'no-implicit-button-type': 'off',
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
  },
});

async function mistakesIn(page: string): Promise<string[]> {
  const { results } = await validator.validateString(page);
  const mistakes = results.flatMap(({ messages }) => messages);
  return mistakes.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`);
}

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
    { reader, path: '/orders' },
    { reader: stranger, path: '/orders' },
    { reader: paid.visitor, path: '/orders' },
    { reader: paid.visitor, path: `/orders/${paid.orderId}?truths=1` },
    { reader, path: '/personas' },
    { reader, path: '/bugs' },
    { reader, path: '/admin' },
    ...ofOrders,
  ];
}

/** The pages around the back office, whose own the kit tests. */
async function adminReadings(): Promise<Reading[]> {
  const reader = await signedInAdmin(shop);
  const paid = await payOrder(shop);
  await paid.visitor.send(paid.statusUrl);
  const { orderId: unpaid } = await placeOrder(shop);
  return [
    { reader, path: '/admin/sign-out' },
    { reader, path: '/admin/sign-in', form: { token: 'wrong' } },
    { reader, path: `/admin/shop-orders/${unpaid}/sale`, form: { auth: 'odd' } },
    ...['none', paid.orderId, unpaid].map((id) => ({ reader, path: `/admin/shop-orders/${id}` })),
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
      expect(await mistakesIn(page), reading.path).toEqual([]);
    }
  });
});
