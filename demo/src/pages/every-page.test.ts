import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import {
  asAdmin,
  openTestShop,
  paidOrder,
  placeOrder,
  signedInAdmin,
  Visitor,
} from '../testing/test-shop.ts';
import { htmlFindings } from '../../../scripts/html-findings.ts';

const shop = await openTestShop();
afterAll(() => shop.close());

/** The ids by which other programs find a page's elements, by kind of page. */
const ids = {
  frame: 'basket my-orders lang-en lang-ar',
  tools: 'qa-drawer qa-outcome qa-apply qa-fault qa-clock qa-replay-webhook qa-reset',
  storefront: 'add-coffee add-sticker add-halala add-limit-tester',
  basket: 'customer-name customer-email customer-phone place-order',
  order: 'order-state order-amount',
  retry: 'order-state order-amount retry-payment',
  bought: 'order-state order-amount receipt tracking',
  signIn: 'admin-token admin-sign-in',
  paid: 'order-state order-amount refund-amount refund admin-timeline',
  held: 'capture void',
  refund: 'confirm-refund',
  capture: 'confirm-capture',
  void: 'confirm-void',
};

/** Who reads a page, where, the form that brings the page about, and the ids that it has. */
interface Reading {
  readonly reader: Visitor;
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly has?: keyof typeof ids;
}

async function shopperReadings(): Promise<Reading[]> {
  const reader = new Visitor(shop.url);
  const stranger = new Visitor(shop.url);
  await reader.postForm('/basket/add', { sku: 'coffee' });
  const { orderId: unpaid, visitor } = await placeOrder(shop);
  const { orderId: paid, visitor: owner } = await paidOrder(shop);
  return [
    { reader, path: '/', has: 'storefront' },
    { reader, path: '/?added=coffee' },
    { reader, path: '/basket', has: 'basket' },
    { reader: stranger, path: '/basket' },
    { reader, path: '/orders', form: { name: '', email: '', phone: '1', lines: 'coffee:1' } },
    { reader, path: '/basket/add', form: { sku: 'tea' } },
    { reader, path: '/nowhere' },
    { reader, path: '/orders' },
    { reader: owner, path: '/orders' },
    { reader, path: '/personas' },
    { reader, path: '/bugs' },
    { reader, path: '/admin', has: 'signIn' },
    { reader: visitor, path: `/orders/${unpaid}`, has: 'order' },
    { reader: visitor, path: `/wait/${unpaid}`, has: 'order' },
    { reader: visitor, path: `/thanks/${unpaid}`, has: 'order' },
    { reader: visitor, path: `/retry/${unpaid}`, has: 'retry' },
    { reader: stranger, path: `/retry/${unpaid}` },
    { reader: owner, path: `/orders/${paid}?truths=1`, has: 'bought' },
    ...['wait', 'thanks', 'retry'].map((page) => {
      return { reader: owner, path: `/${page}/${paid}`, has: 'order' } as const;
    }),
  ];
}

/** The pages around the back office, whose own the kit tests but for the ids. */
async function adminReadings(): Promise<Reading[]> {
  const reader = await signedInAdmin(shop);
  const { orderId: paid } = await paidOrder(shop);
  const { orderId: unpaid } = await placeOrder(shop);
  const { orderId: held } = await placeOrder(shop);
  const card = { number: '4111111111111111' };
  const sale = { orderId: held, auth: 'authorize', card, requestId: `s-${held}` };
  await asAdmin(shop, 'POST', '/sales', sale);
  return [
    { reader, path: '/admin/sign-out' },
    { reader, path: '/admin/sign-in', form: { token: 'wrong' } },
    { reader, path: `/admin/shop-orders/${unpaid}/sale`, form: { auth: 'odd' } },
    ...['none', paid, unpaid].map((id) => ({ reader, path: `/admin/shop-orders/${id}` })),
    { reader, path: `/admin/orders/${paid}`, has: 'paid' },
    { reader, path: `/admin/orders/${paid}/refund?amount=1.00`, has: 'refund' },
    { reader, path: `/admin/orders/${held}`, has: 'held' },
    { reader, path: `/admin/orders/${held}/capture?amount=1.00`, has: 'capture' },
    { reader, path: `/admin/orders/${held}/void`, has: 'void' },
  ];
}

/** Reads a page, checks it, and returns its text. */
async function checked({ reader, path, form, has }: Reading, lang: string): Promise<string> {
  await reader.send(`/basket?lang=${lang}`);
  const answer = await (form === undefined ? reader.send(path) : reader.postForm(path, form));
  const page = await answer.text();
  const dir = lang === 'ar' ? 'rtl' : 'ltr';
  expect(page, path).toMatch(new RegExp(`<html\\s+lang="${lang}"\\s+dir="${dir}"`));
  if (!path.startsWith('/admin/orders')) expect(await htmlFindings(page), path).toEqual([]);
  const wanted = has === undefined ? [] : ids[has].split(' ');
  // The back office shows the other language alone.
  wanted.push(lang === 'en' ? 'lang-ar' : 'lang-en');
  for (const id of wanted) expect(page, `${path} has ${id}`).toContain(`data-test="${id}"`);
  return page;
}

/** Every file that the pages ask the shop for. */
const own = new Set(['/favicon.ico']);

describe.each(['en', 'ar'])('in %s', (lang) => {
  it('every page of the shop is valid, has its ids, and runs and loads the shop’s own alone', async () => {
    for (const reading of await shopperReadings()) {
      const page = await checked(reading, lang);
      for (const id of `${ids.frame} ${ids.tools}`.split(' ')) {
        expect(page, `${reading.path} has ${id}`).toContain(`data-test="${id}"`);
      }
      expect(page, reading.path).toMatch(/<meta name="description" content="[^"]{20,160}"/);
      const foreign = /<style|\sstyle=|\son[a-z]+=|<script(?! type="module" src="\/)/;
      expect(page, reading.path).not.toMatch(foreign);
      if (reading.path !== '/admin') expect(page, reading.path).not.toContain('/css/admin');
      const files = page.matchAll(/<(?:img|link|script)[^>]* (?:src|href)="([^"]+)"/g);
      for (const [, file = ''] of files) own.add(file);
    }
    for (const file of own) expect((await fetch(`${shop.url}${file}`)).status, file).toBe(200);
  });

  it('every page of the shop’s admin is valid and has its ids', async () => {
    for (const reading of await adminReadings()) await checked(reading, lang);
  });
});

it('the shop’s manual has each id with its meaning', () => {
  const manual = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  for (const id of Object.values(ids).join(' ').split(' ')) {
    expect(manual).toContain(`\`${id.startsWith('add-') ? 'add-<sku>' : id}\``);
  }
});

it('the language is the address’s, else the remembered one, else the browser’s', async () => {
  const visitor = new Visitor(shop.url);
  const arabic = { headers: { 'accept-language': 'ar-SA,ar;q=0.9,en;q=0.5' } };
  const speaks = async (path: string, request: RequestInit = {}) =>
    /<html lang="(\w+)"/.exec(await (await visitor.send(path, request)).text())?.[1];
  expect(await speaks('/')).toBe('en');
  expect(await speaks('/', arabic)).toBe('ar');
  expect(await speaks('/?lang=ar')).toBe('ar');
  expect(await speaks('/')).toBe('ar');
  expect(await speaks('/?lang=en', arabic)).toBe('en');
});

it('a page may only load what the shop serves, and pay at the gateway', async () => {
  const answer = await fetch(shop.url);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`form-action 'self' ${new URL(shop.sandboxUrl).origin}`);
  expect(policy).not.toMatch(/unsafe|\*|data:/);
});

const served = ['/', '/css/base.css', '/pay/pay-button.js', '/images/coffee.svg'];
it.each(served)('%s is sent compressed to a browser that reads it', async (path) => {
  const answer = await fetch(`${shop.url}${path}`, { headers: { 'accept-encoding': 'br' } });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br']);
});
