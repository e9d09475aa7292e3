import { Child } from '../child.ts';
import { asking, type StoreName } from '../our-payments.ts';

/** The back office in a process of its own, on a store with so many payments of a year or another span. */
export async function startOffice(storeName: StoreName, address: string, ...numbers: number[]) {
  const file = new URL('./office-process.ts', import.meta.url);
  const process = new Child<number>(file, [storeName, address, ...numbers.map(String)]);
  return { process, mount: `http://127.0.0.1:${await process.answer()}/admin/payments/` };
}

/** Reads a page to its last byte. @returns the milliseconds. @throws where it shows nothing */
export async function visit(address: URL | string, language = 'en'): Promise<number> {
  const start = performance.now();
  const answer = await fetch(address, { headers: { 'accept-language': language } });
  const text = await answer.text();
  const ms = performance.now() - start;
  if (answer.ok && !/data-test="(not-read|no-orders|review-empty|no-money)"/.test(text)) return ms;
  throw new Error(`${String(address)} showed nothing: ${answer.status}.`);
}

const DAY_MS = 86_400_000;
/** A day so many days ago, in the zone of the office. */
const daysAgo = (days: number): string =>
  new Date(Date.now() + 3 * 3_600_000 - days * DAY_MS).toISOString().slice(0, 10);

/** Orders to look for, from the whole year, each refunded by the gateway. */
type Found = Readonly<Record<'orderId' | 'transactionId' | 'reference' | 'amount', string>>;

/**
 * Which pages are visited, by what the store holds: each with its addresses below the mount, of which
 * a visit takes the next one. The floor is the first.
 */
export async function visitsOf(storeName: StoreName, address: string, mount: string) {
  const found = await findOrders(storeName, address);
  const of = (read: (one: Found) => string): readonly string[] => found.map(read);
  const span = (days: number): string => `?since=${daysAgo(days - 1)}&until=${daysAgo(0)}`;
  return [
    { page: FLOOR, addresses: of(({ orderId }) => `../../floor/${orderId}`) },
    { page: 'overview, 7 days', addresses: [''] },
    { page: 'overview, 30 days', addresses: [span(30)] },
    { page: 'overview, a year', addresses: [span(365)] },
    { page: 'orders', addresses: ['orders'] },
    { page: 'orders, half a year back', addresses: [`orders?cursor=${await cursorIn(mount)}`] },
    {
      page: 'search: beginning of an order id',
      addresses: of(({ orderId }) => `orders?q=${orderId.slice(0, 5)}`),
    },
    { page: 'search: one digit', addresses: ['orders?q=1'] },
    { page: 'search: a transaction', addresses: of((one) => `orders?q=${one.transactionId}`) },
    { page: 'search: a reference', addresses: of((one) => `orders?q=${one.reference}`) },
    { page: 'search: an amount', addresses: of((one) => `orders?amount=${one.amount}`) },
    {
      page: 'orders of a state in a month',
      addresses: [`orders?state=refunded&from=${daysAgo(180)}&to=${daysAgo(150)}`],
    },
    { page: 'one order', addresses: of(({ orderId }) => `orders/${orderId}`) },
    { page: 'review', addresses: ['review'] },
    { page: 'CSV of a day', addresses: [`orders.csv?from=${daysAgo(90)}&to=${daysAgo(90)}`] },
  ];
}

export const FLOOR = 'floor: one order looked up';

const findOrders = (storeName: StoreName, address: string): Promise<readonly Found[]> =>
  asking(storeName, address, async (ask) => {
    const rows = await ask(`
      SELECT o.order_id, t.name AS transaction_id, r.name AS reference, o.amount FROM pay_orders o
      JOIN pay_names t ON t.kind = 'transaction' AND t.order_id = o.order_id
      JOIN pay_names r ON r.kind = 'reference' AND r.order_id = o.order_id
      WHERE o.state = 'refunded' AND o.order_id < '2' ORDER BY o.created_at DESC`);
    const step = Math.max(1, Math.floor(rows.length / 100));
    return rows
      .filter((_, index) => index % step === 0)
      .map((row) => ({
        orderId: String(row['order_id']),
        transactionId: String(row['transaction_id']),
        reference: String(row['reference']),
        amount: (Number(row['amount']) / 100).toFixed(2),
      }));
  });

/** Where the page behind the first one of half a year ago begins. */
async function cursorIn(mount: string): Promise<string> {
  const page = await (await fetch(`${mount}orders?to=${daysAgo(180)}`)).text();
  const [, cursor] = /cursor=([\w-]+)[^>]*data-test="older"/.exec(page) ?? [];
  if (cursor === undefined) throw new Error('The list of half a year ago has one page only.');
  return cursor;
}
