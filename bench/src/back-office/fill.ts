import type { Store } from '@pay-button/server-helper';
import { asking, type Ask, type Row, type StoreName } from '../our-payments.ts';
import { makeTemplates, templateOf } from './templates.ts';

const YEAR_MS = 365 * 86_400_000;
/** Orders that one statement writes. */
const AT_ONCE = 500;

const tables = ['orders', 'names', 'log', 'events', 'movements'] as const;
type Order = Readonly<Record<string, readonly Row[]>>;

/**
 * Fills a store with so many payments of a year: a few that the product itself made, and copies of all
 * their rows with other ids at other times.
 */
export async function fill(
  storeName: StoreName,
  address: string,
  store: Store<unknown>,
  payments: number,
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
        const at = Date.now() - n * Math.floor(YEAR_MS / payments);
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
