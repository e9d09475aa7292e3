import { DatabaseSync } from 'node:sqlite';

/** What was acknowledged and is not in the store. */
export interface Lost {
  readonly acknowledged: number;
  readonly checkouts: number;
  readonly webhooks: number;
  /** Paid orders without an event for the merchant. */
  readonly events: number;
}

/** Looks into the file that a stopped shop left. */
export function lostOrders(
  file: string,
  checkedOut: readonly string[],
  hinted: ReadonlySet<string>,
): Lost {
  const database = new DatabaseSync(file, { readOnly: true });
  const idsOf = (sql: string): Set<unknown> =>
    new Set(
      database
        .prepare(sql)
        .all()
        .map((row) => row['order_id']),
    );
  const open = idsOf('SELECT order_id FROM pay_attempts WHERE session_id IS NOT NULL');
  const paid = idsOf("SELECT order_id FROM pay_payments WHERE state = 'paid'");
  const told = idsOf('SELECT order_id FROM pay_outbox');
  const noted = idsOf('SELECT order_id FROM pay_attempts WHERE hinted_at IS NOT NULL');
  database.close();
  return {
    acknowledged: checkedOut.length + hinted.size + paid.size,
    checkouts: checkedOut.filter((orderId) => !open.has(orderId)).length,
    webhooks: [...hinted].filter((orderId) => !noted.has(orderId) && !paid.has(orderId)).length,
    events: [...paid].filter((orderId) => !told.has(orderId)).length,
  };
}
