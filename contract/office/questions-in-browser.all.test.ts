import { expect, it } from 'vitest';
import { axeFindings, overflowAt } from '../../scripts/browser.ts';
import { useBrowser } from '../../scripts/use-browser.ts';
import { OfficeOfShop } from './shop.ts';

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

const { open } = useBrowser({ extraHTTPHeaders: { 'x-actor': 'Noura' } });
const shop = new OfficeOfShop({ office: { approvals: { refundAbove: '50.00' } } });

/** Every confirmation page, and pages that say what was wrong. */
async function everyQuestion(): Promise<readonly string[]> {
  await shop.paid('1001');
  await shop.letEventsDie();
  await shop.paidAtAnOldPrice('1002');
  await shop.sold('1003', 'authorize');
  await shop.control.addFault({ operation: 'sale', place: 'after-commit', kind: 'reset' });
  await shop.sold('1004', 'capture');
  await shop.sold('1005', 'capture');
  await shop.link('1006');
  await shop.paid('1007');
  const asked = { amount: '90.00', requestId: 'r-1', by: 'Omar', propose: true };
  await shop.payments.refund('1007', asked);
  const ofMatters = [
    ['1001', 'redeliver'],
    ['1002', 'accept'],
    ['1002', 'refund'],
    ['1002', 'resolve'],
    ['1004', 'happened'],
    ['1004', 'not-happened'],
    ['1007', 'approve'],
    ['1007', 'withdraw'],
  ] as const;
  return [
    'orders/1001',
    'orders/1003',
    'orders/1005',
    'review',
    'orders/1001/refund?amount=20',
    'orders/1001/refund?amount=60',
    'orders/1001/refund?amount=x',
    'orders/1003/capture?amount=50',
    'orders/1003/void',
    'orders/1005/charge?amount=50&period=2026-11',
    'orders/1006/cancel',
    'orders/1001?notice=operation_failed',
    'orders/1001?notice=operation_proposed',
    ...(await Promise.all(ofMatters.map(([order, name]) => shop.matter(order, name)))),
  ];
}

it.each([
  { locale: 'en', colorScheme: 'light', widths: [320, 1280] },
  { locale: 'ar', colorScheme: 'dark', widths: [1280, 320] },
] as const)(
  'in $locale, $colorScheme, axe finds nothing on any question, and none is wider than a phone or a desktop',
  { timeout: patienceMs },
  async ({ widths, ...options }) => {
    const addresses = await everyQuestion();
    const { page } = await open(options);
    for (const address of addresses) {
      const answer = await page.goto(shop.url + address);
      expect([address, [200, 422].includes(answer?.status() ?? 0)]).toEqual([address, true]);
      const wider: number[] = [];
      for (const width of widths) wider.push(await overflowAt(page, width));
      expect([address, await axeFindings(page), wider]).toEqual([address, [], [0, 0]]);
    }
  },
);
