import { columnsOf, type Name, textOf } from '../../payments/document.ts';
import * as codec from '../sql.ts';
import type { Save, SaveResult } from '../store.ts';
import { overtaken, type Run } from './connections.ts';

/** Every column of an order that a save writes. */
const columns = `${codec.orderColumns}, unended_since, record`;

/** For a new order, which another process may have made meanwhile; and for one whose row is locked. */
const INSERT = `INSERT INTO pay_orders (${columns}) VALUES ?`;
const REPLACE = `${INSERT} ON DUPLICATE KEY UPDATE
  ${columns.replaceAll(/\w+/g, '$& = VALUES($&)')}`;

/** Saves a change inside a transaction. Nothing is written when it is refused. */
export async function saveIn(run: Run, save: Save): Promise<SaveResult> {
  const { record, endsCheck = false, redelivers, at } = save;
  const { orderId, version } = record.payment;
  const locked = 'SELECT version, unended_since FROM pay_orders WHERE order_id = ? FOR UPDATE';
  const [row] = await run(locked, [orderId]);
  if ((row === undefined ? 0 : codec.whole(row, 'version')) !== version - 1) {
    const [stored] = await run('SELECT record FROM pay_orders WHERE order_id = ?', [orderId]);
    return { outcome: 'conflict', record: stored === undefined ? null : codec.recordIn(stored) };
  }
  const names: Name[] = [];
  // In an order that all processes share, so that no two wait for each other in a circle.
  for (const name of save.names.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const naming = 'SELECT order_id FROM pay_names WHERE kind = ? AND name = ?';
    const [owner] = await run(naming, [name.kind, name.name]);
    if (owner === undefined) names.push(name);
    else if (codec.text(owner, 'order_id') !== orderId && name.kind !== 'reference') {
      return { outcome: 'name_taken', name, orderId: codec.text(owner, 'order_id') };
    }
  }
  const isWatched = columnsOf(record).dueAt !== null && !endsCheck;
  const since = row !== undefined && isWatched ? codec.optionalWhole(row, 'unended_since') : null;
  const insert = async (into: string, rows: readonly (readonly unknown[])[]): Promise<void> => {
    const own = rows.map((one) => [orderId, ...one]);
    if (own.length > 0) await run(into, [own]).catch(overtaken);
  };
  // Rows of a later version have higher numbers, on all nodes of a cluster.
  const seqOf = (place: number): number => version * 10_000 + place;
  const order = [...codec.orderValues(save).slice(1), since, textOf(record)];
  await insert(row === undefined ? INSERT : REPLACE, [order]);
  await insert(
    'INSERT INTO pay_names (order_id, kind, name) VALUES ?',
    codec.addedRows.names({ ...save, names }),
  );
  await insert(
    'INSERT INTO pay_log (order_id, version, recorded_at, entry) VALUES ?',
    codec.addedRows.log(save),
  );
  await insert(
    `INSERT INTO pay_movements (order_id, seq, kind, amount, currency, recorded_at, confirm_ms)
    VALUES ?`,
    codec.addedRows.movements(save).map((one, place) => [seqOf(place), ...one]),
  );
  await insert(
    `INSERT INTO pay_events (order_id, seq, event_id, type, next_try_at, event) VALUES ?
    ON DUPLICATE KEY UPDATE tries = tries`,
    codec.addedRows
      .events(save)
      .map(([id, type, due, place, event]) => [seqOf(place), id, type, due, event]),
  );
  const anew = `UPDATE pay_events SET outcome = 'waiting', tries = 0, next_try_at = ?
    WHERE order_id = ? AND event_id = ? AND outcome = 'dead'`;
  if (redelivers !== undefined) await run(anew, [at, orderId, redelivers]);
  return { outcome: 'saved' };
}
