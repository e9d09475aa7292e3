import type { BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindings, overflowAt } from '../../../scripts/browser.ts';
import { useBrowser } from '../../../scripts/use-browser.ts';
import {
  aHostileOrder,
  anEvent,
  anOrder,
  anOrderInReview,
  letEventsDie,
} from './office-records.ts';
import { put, startOfficeShop, type OfficeShop } from './office-shop.ts';
import { NOW } from './records.ts';

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

/** A reader of the office, and the width at which axe looks at it. */
interface Reader extends Pick<BrowserContextOptions, 'colorScheme' | 'locale'> {
  readonly axeAt: typeof WIDE | typeof NARROW | null;
}

const WIDE = 1280;
const NARROW = 320;

/** Gives the tests of a file an office with orders of every kind, and the addresses of its pages. */
export function useOfficePages() {
  const { open } = useBrowser({ extraHTTPHeaders: { 'x-actor': 'Noura' } });
  let shop: OfficeShop;
  let empty: OfficeShop;
  beforeAll(async () => {
    shop = await startOfficeShop({
      office: {
        describeOrder: () => ({
          title: '3 × coffee',
          customer: 'نورة',
          lines: ['Coffee'],
          url: '/x',
        }),
      },
    });
    empty = await startOfficeShop();
    const paid = anOrder('1001', 'partially_refunded');
    const money = { orderId: '1001', currency: 'SAR', recordedAt: NOW } as const;
    const movements = [
      { ...money, kind: 'taken', minorUnits: 123_456_789_00, confirmMs: 90_000 },
      { ...money, kind: 'refunded', minorUnits: 2_000, confirmMs: null },
    ] as const;
    await put(shop, { ...paid, events: [anEvent('1001')] }, movements);
    await put(shop, anOrder('1002', 'pending'));
    await put(shop, anOrderInReview('2001', 'amount_mismatch'));
    await put(shop, anOrderInReview('2002', 'unknown_outcome'));
    await put(shop, aHostileOrder('3001'));
    await letEventsDie(shop.store);
  });
  afterAll(async () => {
    await shop.close();
    await empty.close();
  });

  /** Every page, and every address at which it looks another way. */
  const everyAddress = (): readonly string[] => [
    ...[
      '',
      '?since=2026-01-01&until=2026-12-31',
      '?since=x',
      'orders',
      'orders?amount=x&from=y',
      'orders/1001',
      'orders/1002',
      'orders/3001',
      'orders/1002/confirm',
      'orders/1001/refund?amount=20',
      'orders/1002/cancel',
      'review/resolve?id=2001/amount_mismatch/t-2001',
      'review/redeliver?id=1001/paid',
      'orders/1002?notice=confirmed_changed',
      'review',
      'gateway',
      'nowhere',
    ].map((address) => `${shop.url}${address}`),
    ...['orders', 'review'].map((address) => `${empty.url}${address}`),
  ];
  return { open, everyAddress, url: () => shop.url };
}

/** Tests every page of the office as some readers see it. Axe takes most of the time. */
export function testOfficePages(
  { open, everyAddress }: ReturnType<typeof useOfficePages>,
  readers: readonly Reader[],
): void {
  it.each(readers)(
    'in $locale, $colorScheme, no page is wider than a phone or a desktop, and axe at $axeAt finds nothing',
    { timeout: patienceMs },
    async ({ axeAt, ...options }) => {
      const { page, complaints } = await open(options);
      for (const address of everyAddress()) {
        await page.goto(address);
        await page.evaluate(() => {
          for (const details of document.querySelectorAll('details')) details.open = true;
        });
        for (const width of [WIDE, NARROW]) {
          const wider = await overflowAt(page, width);
          const findings = width === axeAt ? await axeFindings(page) : [];
          expect([address, width, findings, wider]).toEqual([address, width, [], 0]);
        }
      }
      // The browser itself reports the page that does not exist.
      expect(complaints.filter((one) => !one.includes('404 (Not Found)'))).toEqual([]);
    },
  );
}
