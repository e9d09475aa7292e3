import { describe, expect, it } from 'vitest';
import { anEvent, anOrder, anOrderInReview } from '../../test-support/office-records.ts';
import { letEventsDie } from '../../test-support/office-records.ts';
import { anOperation, calm } from '../../test-support/records.ts';
import { type OfficeShop, openOffice, put } from '../../test-support/office-shop.ts';
import type { Movement } from '../payments/record.ts';
import { memoryStore } from '../testing.ts';
import type { Store } from '../stores/store.ts';
import { waitingIn } from './overview.ts';
import type { Office } from './visit.ts';

const DAY_MS = 86_400_000;

const open = (store: Store<unknown> = memoryStore()): Promise<OfficeShop> =>
  openOffice({ store, office: { actor: () => 'Noura' } });

async function page({ url }: OfficeShop, address = '', language = 'en'): Promise<string> {
  const answer = await fetch(`${url}${address}`, { headers: { 'accept-language': language } });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** What a reader sees of a part of a page: its text, with one blank between words. */
function textOf(html: string, part: RegExp): string {
  const [found = ''] = part.exec(html) ?? [];
  return found
    .replaceAll(/<svg role="img" aria-label="([^"]*)".*?<\/svg>/g, '$1 ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .replaceAll(/[\u2068\u2069\u200F]/g, '')
    .trim();
}

const tileOf = (html: string, name: string): string =>
  textOf(html, new RegExp(`<div class="panel" data-figure="${name}">[^]*?</div>`));

const rowsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<tr>[^]*?<\/tr>/g)].map(([row]) => textOf(row, /[^]*/));

/** Stores a paid order with movements, at a moment of ISO 8601. */
function paid(shop: OfficeShop, orderId: string, iso: string, movements: Partial<Movement>[]) {
  const at = Date.parse(iso);
  const { payment, ...rest } = anOrder(orderId, 'paid');
  const all = movements.map((one): Movement => {
    const taken = { orderId, kind: 'taken', minorUnits: 11_500, currency: 'SAR' } as const;
    return { ...taken, recordedAt: at, confirmMs: null, ...one };
  });
  return put(shop, { ...rest, payment: { ...payment, createdAt: at, updatedAt: at } }, all);
}

describe('the overview', () => {
  it('shows the figures of the days that the address names, in the zone of the shop', async () => {
    const shop = await open();
    const day = (iso: string) => Date.parse(iso);
    await paid(shop, '1', '2026-11-01T21:30:00Z', [{ confirmMs: 90_000 }]);
    await paid(shop, '2', '2026-11-02T20:59:59Z', [
      { confirmMs: 40 },
      { kind: 'refunded', minorUnits: 1_550 },
      { minorUnits: 5_000, recordedAt: day('2026-11-02T21:00:00Z') },
    ]);
    await paid(shop, '3', '2026-11-03T21:00:00Z', [{}]);
    const failed = anOrder('4', 'failed');
    const createdAt = day('2026-11-02T12:00:00Z');
    await put(shop, { ...failed, payment: { ...failed.payment, createdAt } });
    const html = await page(shop, '?since=2026-11-01&until=2026-11-03');
    expect(tileOf(html, 'taken')).toBe('Taken SAR 280.00');
    expect(tileOf(html, 'refunded')).toBe('Refunded SAR 15.50');
    expect(tileOf(html, 'success')).toBe('Success 66.7% 2 of 3 that ended');
    expect(tileOf(html, 'confirm')).toBe('Time to confirm under 1 sec 95% within 90 secs');
    expect(rowsOf(html)).toEqual([
      'Day Taken Refunded Created Succeeded',
      '1 Nov 2026 SAR 0.00 SAR 0.00 0 0',
      '2 Nov 2026 SAR 230.00 SAR 15.50 3 2',
      '3 Nov 2026 SAR 50.00 SAR 0.00 0 0',
    ]);
    expect(html.match(/<rect\s+class="taken"/g)).toHaveLength(3);
  });

  it('is in Arabic, with Latin digits and time from right to left in the chart', async () => {
    const shop = await open();
    await paid(shop, '1', '2026-11-01T12:00:00Z', [{ confirmMs: 150_000 }]);
    const html = await page(shop, '?since=2026-11-01&until=2026-11-02', 'ar');
    expect(tileOf(html, 'taken')).toBe('المحصّل 115.00 ريال');
    expect(tileOf(html, 'confirm')).toBe('زمن التأكيد 2.5 دقيقة 95% خلال 2.5 دقيقة');
    const places = [...html.matchAll(/<rect\s+class="taken"\s+x="([\d.]+)"/g)].map(([, x]) => x);
    expect(places).toEqual(['11.5', '1.5']);
  });

  it('has a chart for each currency, and says when no money moved', async () => {
    const shop = await open();
    const back = { currency: 'USD', minorUnits: 700, kind: 'refunded' } as const;
    await paid(shop, '1', '2026-11-01T12:00:00Z', [{}, back]);
    const html = await page(shop, '?since=2026-11-01&until=2026-11-01');
    const currencies = [...html.matchAll(/data-currency="(\w+)"/g)].map(([, code]) => code);
    expect(currencies).toEqual(['SAR', 'USD']);
    expect(tileOf(html, 'refunded')).toBe('Refunded SAR 0.00 USD 7.00');
    const empty = await page(shop, '?since=2026-10-01&until=2026-10-02');
    expect(empty).toContain('data-test="no-money"');
    expect(tileOf(empty, 'success')).toBe('Success – 0 of 0 that ended');
  });

  it('begins with the last seven days, and marks the span that is shown', async () => {
    const shop = await open();
    const ofToday = new Date(Date.now() - 60_000).toISOString();
    await paid(shop, '1', ofToday, [{}]);
    await paid(shop, '2', new Date(Date.now() - 7 * DAY_MS).toISOString(), [{}]);
    const html = await page(shop);
    expect(tileOf(html, 'taken')).toBe('Taken SAR 115.00');
    expect(rowsOf(html)).toHaveLength(8);
    expect(textOf(html, /<a href="[^"]*"[^>]*aria-current="true"[^]*?<\/a\s*>/)).toBe('7 days');
    const [, ninety = ''] = /href="\.\/(\?since[^"]*)"[^>]*>90 days/.exec(html) ?? [];
    const shown = await page(shop, ninety.replaceAll('&amp;', '&'));
    expect(rowsOf(shown)).toHaveLength(91);
    expect(textOf(shown, /<a href="[^"]*"[^>]*aria-current="true"[^]*?<\/a\s*>/)).toBe('90 days');
  });

  it.each([
    'since=2026-11-03&until=2026-11-02',
    'since=2026-02-30',
    'since=2025-01-01&until=2026-01-02',
    'until=2026-11-02',
  ])('says that it cannot show %s, and shows seven days, but shows a year', async (query) => {
    const year = await page(await open(), '?since=2025-01-01&until=2026-01-01');
    expect(year).not.toContain('data-test="bad-span"');
    const html = await page(await open(), `?${query}`);
    expect(html).toContain('data-test="bad-span"');
    expect(html).toContain('data-test="no-money"');
  });

  it('shows what waits where the figures cannot be read', async () => {
    const store = memoryStore();
    store.figures = () => Promise.reject(new Error('canceling statement due to statement timeout'));
    const shop = await open(store);
    await put(shop, anOrderInReview('2001', 'amount_mismatch'));
    const html = await page(shop);
    expect(html).toContain('data-test="not-read"');
    expect(html).toContain('data-kind="reviews"');
    expect(html).not.toContain('canceling');
  });
});

describe('what waits', () => {
  it('leads to where a person acts on it', async () => {
    const shop = await open();
    const due = anOrderInReview('2001', 'amount_mismatch');
    await put(shop, due);
    const dead = anOrder('2002', 'paid');
    await put(shop, { ...dead, events: [anEvent('2002')] });
    await letEventsDie(shop.store);
    const authorized = anOrder('2003', 'authorized');
    const proposed = anOperation({ orderId: '2003', state: 'proposed' });
    await put(shop, { ...authorized, operations: [proposed] });
    const html = await page(shop);
    const items = [...html.matchAll(/<li class="line" data-kind="(\w+)">[^]*?<\/li>/g)];
    const links = items.map(([item, kind]) => [kind, /href="([^"]*)"/.exec(item)?.[1]]);
    expect(links).toEqual([
      ['reviews', './review'],
      ['proposals', './review'],
      ['deadLetters', './review'],
      ['overdue', './orders?state=pending'],
    ]);
    expect(textOf(items[0]?.[0] ?? '', /[^]*/)).toBe('Payments that need a decision 1');
    const overdue = textOf(items[3]?.[0] ?? '', /[^]*/);
    expect(overdue).toMatch(/^Status checks that are overdue since 1 Jan 2026, \d+:00 3$/);
    expect(tileOf(html, 'held')).toBe('Held now SAR 115.00 Authorizations to capture or void');
    expect(html).toContain('href="./orders?state=authorized"');
  });

  it('is nothing in a shop where all is well', async () => {
    const html = await page(await open());
    expect(html).toContain('data-test="nothing-waits"');
    expect(html).not.toContain('data-figure="held"');
  });

  it('is also a gateway that is held back, and an unknown outcome', async () => {
    const late = { oldestDueAt: 9_999_000, oldestUndeliveredAt: 9_000_000, oldestUnknownAt: 5 };
    const backlog = { ...calm, ...late, dueAttempts: 3, undelivered: 2, openReviews: 1_000 };
    const clock = { now: () => 10_000_000 };
    const parts = { backlog: async () => backlog, run: async () => [], clock };
    const gateway = { breakers: () => ({ apiKey: 'open', portal: 'closed' }) };
    const found = await waitingIn({ parts, payments: { gateway } } as unknown as Office);
    expect(found.map(({ kind, count, page: to }) => [kind, count, to?.address ?? null])).toEqual([
      ['reviews', '1000+', 'review'],
      ['unknown', '', 'review'],
      ['undelivered', '2', null],
      ['breaker', '', 'gateway'],
    ]);
  });
});
