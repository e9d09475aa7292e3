import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlFindings } from '../../../../scripts/html-findings.ts';
import {
  aHostileOrder,
  anOrder,
  anOrderInReview,
  anOrderWithOperation,
  HOSTILE,
  letEventsDie,
} from '../../test-support/office-records.ts';
import { type OfficeShop, put, startOfficeShop } from '../../test-support/office-shop.ts';
import { OfficeVisitor } from '../../test-support/office-visitor.ts';

const hostile = encodeURIComponent(HOSTILE);

const matter = (action: string, id: string): string =>
  `review/${action}?${new URLSearchParams({ id }).toString()}`;

/** Every page, by what it shows. */
const everyAddress: readonly (readonly [string, string])[] = [
  ['the overview', ''],
  ['the figures of a strange span', `?since=${hostile}&until=${hostile}`],
  ['a strange notice', `?notice=${hostile}`],
  ['a notice', '?notice=confirmed_changed'],
  ['the orders', 'orders'],
  ['a search', 'orders?q=3001'],
  ['a hostile search', `orders?q=${hostile}`],
  ['a strange cursor', `orders?q=${hostile}&cursor=x`],
  ['a strange filter', `orders?from=${hostile}&amount=${hostile}&state=${hostile}`],
  ['a paid order', 'orders/1001'],
  ['an order that can be paid', 'orders/1002'],
  ['an order in review', 'orders/2001'],
  ['a hostile order', 'orders/3001'],
  ['a question', 'orders/1001/confirm'],
  ['the question of a refund', 'orders/1001/refund?amount=20'],
  ['a refund of no amount', `orders/1001/refund?amount=${hostile}`],
  ['the question of giving up', 'orders/1002/cancel'],
  ['the question of the end of a review', matter('resolve', '2001/amount_mismatch/t-2001')],
  ['the question of a lost operation', matter('happened', '1004/unknown_outcome/request/r-4')],
  ['the question of an approval', matter('approve', 'request/r-5')],
  ['the question of a withdrawal', matter('withdraw', 'request/r-5')],
  ['the question of a hostile review', matter('resolve', `3001/no_evidence/${HOSTILE}`)],
  ['the question of a hostile event', matter('redeliver', `3001/${HOSTILE}`)],
  ['no order', `orders/${hostile}`],
  ['the review list', 'review'],
  ['the gateway', 'gateway'],
  ['no page', `nowhere/${hostile}`],
];

describe.each(['en', 'ar'])('in %s, every page', (lang) => {
  let shop: OfficeShop;
  let visitor: OfficeVisitor;
  beforeAll(async () => {
    shop = await startOfficeShop({
      office: {
        actor: () => HOSTILE,
        describeOrder: () => ({
          title: HOSTILE,
          customer: HOSTILE,
          url: 'javascript:alert(1)',
          lines: [HOSTILE, 7 as unknown as string],
        }),
      },
    });
    await put(shop, anOrder('1001', 'paid'));
    await put(shop, anOrder('1002', 'pending'));
    await put(shop, anOrderInReview('2001', 'amount_mismatch'));
    await put(shop, aHostileOrder('3001'));
    await put(shop, anOrderWithOperation('1004', { id: 'request/r-4', state: 'unknown' }));
    await put(shop, anOrderWithOperation('1005', { id: 'request/r-5', state: 'proposed' }));
    await letEventsDie(shop.store);
    visitor = new OfficeVisitor(shop, { 'accept-language': lang });
  });
  afterAll(() => shop.close());

  it.each(everyAddress)(
    'with %s is valid, escapes what strangers wrote, loads nothing from elsewhere and is kept nowhere',
    async (what, address) => {
      const answer = await visitor.get(address);
      const text = await answer.text();
      if (what.startsWith('the question')) expect(text).toContain('<form method="post"');
      expect(await htmlFindings(text)).toEqual([]);
      expect(text).toMatch(
        new RegExp(`<html\\s+lang="${lang}"\\s+dir="${lang === 'ar' ? 'rtl' : 'ltr'}"`),
      );
      expect(text).not.toMatch(/<script>|<img|javascript:|undefined|\[object|NaN/);
      expect(text.match(/<script[^>]*>/g)).toHaveLength(1);
      const loaded = [
        ...text.matchAll(/<(?:script|link|img|iframe|form)[^>]*\s(?:src|href|action)="([^"]*)"/g),
      ];
      expect(loaded).not.toHaveLength(0);
      for (const [, to = ''] of loaded) expect(to).toMatch(/^(?:\.\.?\/|data:image\/svg)/);
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self'; .*frame-ancestors 'none'$/,
      );
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('referrer-policy')).toBe('same-origin');
    },
  );
});
