import { afterAll, beforeAll, expect, it } from 'vitest';
import { anOrder } from '../../test-support/office-records.ts';
import { type OfficeShop, put, startOfficeShop } from '../../test-support/office-shop.ts';
import { OfficeVisitor } from '../../test-support/office-visitor.ts';

let shop: OfficeShop;
beforeAll(async () => {
  shop = await startOfficeShop({
    office: {
      links: [
        { text: { en: 'Our admin', ar: 'لوحتنا' }, url: 'https://shop.example/staff' },
        { text: { en: 'Sign out', ar: 'خروج' }, url: '/sign-out?a=1&b=2' },
      ],
      describeOrder: (_orderId, language) => ({ title: { en: 'Beans', ar: 'بُنّ' }[language] }),
    },
  });
  await put(shop, anOrder('1001', 'paid'));
});
afterAll(() => shop.close());

it.each([
  ['en', ['Our admin', 'Sign out'], 'Beans'],
  ['ar', ['لوحتنا', 'خروج'], 'بُنّ'],
] as const)(
  'every page in %s has the shop’s own links and words in that language',
  async (language, [admin, signOut], title) => {
    const reader = new OfficeVisitor(shop, { 'accept-language': language });
    for (const address of [
      '',
      'orders',
      'orders/1001',
      'orders/1001/refund',
      'review',
      'nowhere',
    ]) {
      const page = await reader.text(address);
      expect(page, address).toContain(`<a href="https://shop.example/staff">${admin}</a>`);
      expect(page, address).toContain(`<a href="/sign-out?a=1&amp;b=2">${signOut}</a>`);
    }
    for (const address of ['orders', 'orders/1001']) {
      expect(await reader.text(address), address).toContain(title);
    }
  },
);
