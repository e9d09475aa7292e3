import { setTimeout } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import type { Payments, Store } from '@pay-button/server-helper';
import { asking, type Ask, ourPayments, type Row, type StoreName } from '../our-payments.ts';

const YEAR_MS = 365 * 86_400_000;
/** Orders that one statement writes. */
const AT_ONCE = 500;

const tables = ['orders', 'names', 'log', 'events', 'movements'] as const;
type Order = Readonly<Record<string, readonly Row[]>>;

/**
 * Fills a store with so many payments of a year, or of another span: a few that the product itself made,
 * and copies of all their rows with other ids at other times.
 */
export async function fill(
  storeName: StoreName,
  address: string,
  store: Store<unknown>,
  payments: number,
  spanMs = YEAR_MS,
): Promise<void> {
  await makeTemplates(store);
  await asking(storeName, address, async (ask) => {
    const copies = new Map<unknown, (n: number, at: number) => Order>();
    for (const { order_id: orderId } of await ask('SELECT order_id FROM pay_orders'))
      copies.set(orderId, await copierOf(ask, String(orderId)));
    await ask('BEGIN');
    for (let last = payments; last > 0; last -= AT_ONCE) {
      const orders = Array.from({ length: Math.min(last, AT_ONCE) }, (_one, index) => {
        const n = last - index;
        const at = Date.now() - n * Math.floor(spanMs / payments);
        return copies.get(templateOf(n))?.(n, at) ?? {};
      });
      for (const table of tables) {
        const rows = orders.flatMap((order) => order[table] ?? []);
        if (rows[0]) await ask(insertSql(storeName, table, rows[0]), JSON.stringify(rows));
      }
    }
    await ask('COMMIT');
    // What PostgreSQL does by itself within a minute of such a load. SQLite's file stays as the kit leaves it.
    if (storeName === 'PostgreSQL') await ask('VACUUM ANALYZE');
  });
}

/** Copies an order: ids are changed in their first eight characters, to a number of no order. */
async function copierOf(ask: Ask, orderId: string): Promise<(n: number, at: number) => Order> {
  const order: Record<string, readonly Row[]> = {};
  for (const table of tables) {
    const rows = await ask(`SELECT * FROM pay_${table} WHERE order_id = '${orderId}'`);
    order[table] = rows.toSorted((a, b) => Number(a['seq'] ?? 0) - Number(b['seq'] ?? 0));
  }
  const { orders: [row = {}] = [], names = [] } = order;
  const watched = row['state'] === 'pending' ? row : { ...row, due_at: null };
  const text = JSON.stringify({ ...order, orders: [watched] });
  const renamed = names.filter(({ kind }) => kind !== 'operation').map(({ name }) => name);
  const times = ['"confirm_ms":"?\\d+"?', '\\b1\\d{12}\\b'];
  const own = new RegExp([orderId, ...renamed, ...times].join('|'), 'gi');
  return (n, at) => {
    const tag = 10_000_000 + ((n * 48_271) % 89_999_999);
    const later = at - Number(row['created_at']);
    const copy = text.replaceAll(own, (found) => {
      if (found === orderId) return String(2_000_000 - n);
      if (found.startsWith('"')) return `"confirm_ms":${5_000 + 1_000 * (n % 90)}`;
      return /^1\d{12}$/.test(found) ? String(Number(found) + later) : tag + found.slice(8);
    });
    return JSON.parse(copy) as Order;
  };
}

/** Inserts rows that are given in JSON. */
function insertSql(storeName: StoreName, table: string, row: Row): string {
  const columns = Object.keys(row).filter((name) => name !== 'seq');
  const insert = `INSERT INTO pay_${table} (${columns.join(', ')}) SELECT`;
  return storeName === 'PostgreSQL'
    ? `${insert} ${columns.join(', ')} FROM json_populate_recordset(NULL::pay_${table}, $1)`
    : `${insert} ${columns.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?)`;
}

/**
 * How a payment can stand, in how many templates of different prices, and which of the numbers from 1 on
 * do, the latest first. The first that holds counts.
 */
const endings = {
  pending: { prices: 1, when: (n) => n <= 25 },
  review: { prices: 1, when: (n) => n % 3_000 === 7 },
  proposed: { prices: 1, when: (n) => n % 20_000 === 11 },
  expired: { prices: 3, when: (n) => n > 1_000 && n % 11 === 2 },
  declined: { prices: 3, when: (n) => n > 1_000 && n % 16 === 9 },
  refunded: { prices: 2, when: (n) => n > 1_000 && n % 25 === 3 },
  refundedInPart: { prices: 2, when: (n) => n > 1_000 && n % 33 === 5 },
  paid: { prices: 24, when: (n) => n > 0 },
} satisfies Readonly<Record<string, { prices: number; when: (n: number) => boolean }>>;
type Ending = keyof typeof endings;

const nameOf = (ending: string): string => `template-${ending}-`;

/** The orders of the templates. A pending one comes last, since the time of the others passes. */
const templates = Object.entries(endings)
  .flatMap(([ending, { prices }]) =>
    Array.from({ length: prices }, (_, index) => ({
      ending: ending as Ending,
      orderId: nameOf(ending) + String(index),
    })),
  )
  .toReversed();

/** The template of a number. */
function templateOf(n: number): string {
  const [ending = '', { prices } = endings.paid] =
    Object.entries(endings).find(([, { when }]) => when(n)) ?? [];
  return nameOf(ending) + String(n % prices);
}

/** Takes some orders to each of these ends at the sandbox, by the product itself: rows of a real shop. */
async function makeTemplates(store: Store<unknown>): Promise<void> {
  const sandbox = await startSandbox({ port: 0 });
  let passed = 0;
  const asked = new Set<string>();
  const payments = ourPayments(sandbox.baseUrl, store, {
    gateway: { environment: 'staging', baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey },
    loadOrder: (orderId) => {
      const index = templates.findIndex((one) => one.orderId === orderId);
      // Another price than the link's brings the money before a person.
      const more = orderId.startsWith(nameOf('review')) && asked.has(orderId) ? 10 : 0;
      asked.add(orderId);
      return { orderId, amount: `${35 + index * 23 + more}.00`, customer: { phone: '0501234567' } };
    },
    on: { paid: () => undefined },
    clock: {
      now: () => Date.now() + passed,
      sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
    },
  });
  const isPending = ({ ending }: (typeof templates)[number]): boolean => ending === 'pending';
  const others = templates.filter((one) => !isPending(one));
  for (const { orderId, ending } of others) await play(payments, sandbox, orderId, ending);
  // Links end, the gateway settles refunds, and all events are delivered.
  passed = 49 * 3_600_000;
  await sandbox.control.advanceClock({ by: 'PT49H' });
  for (const { orderId } of others) await payments.confirm(orderId);
  while ((await payments.tick()).delivered > 0);
  for (const { orderId } of templates.filter(isPending)) await payments.ensureLink(orderId);
  await sandbox.close();
}

/** Takes an order as far as it goes in one go. */
async function play(
  payments: Payments,
  { control }: Sandbox,
  orderId: string,
  ending: Ending,
): Promise<void> {
  const { redirectUrl } = await payments.ensureLink(orderId);
  if (ending === 'expired') return;
  if (ending === 'declined') await control.next({ outcome: 'decline:51' });
  const sessionId = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  await control.pay(sessionId, { card: { number: '4201320111111010' } });
  const amount = (await payments.confirm(orderId))?.amount ?? '';
  const refund = { requestId: `refund-${orderId}`, amount: '15.00', by: 'Noura' };
  if (ending === 'refunded') await payments.refund(orderId, { ...refund, amount });
  if (ending === 'refundedInPart') await payments.refund(orderId, refund);
  if (ending === 'proposed') await payments.refund(orderId, { ...refund, propose: true });
}
