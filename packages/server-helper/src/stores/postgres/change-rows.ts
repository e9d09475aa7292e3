import { changeEntry } from '../../payments/audit.ts';
import type { Change } from '../../payments/payment-record.ts';
import {
  attemptColumns,
  operationColumns,
  ledgerColumns,
  checkEndRow,
  paymentColumns,
  reviewColumns,
  rowOf,
  type ColumnRow,
  type ColumnValue,
} from '../columns.ts';
import { rowTypes, type ChangedTable } from './commit-statements.ts';
import { isReservation } from '../reservation.ts';

/** The rows of all changes by table, and whether they only reserve links; what is not is left out. */
export function rowsOf(changes: readonly Change[]): object {
  const [created, changed] = [changes.filter(isFirst), changes.filter((one) => !isFirst(one))];
  return {
    created: sorted('order_id', created.map(paymentRow)),
    changed: sorted('order_id', changed.map(paymentRow)),
    first_attempts: sorted('order_id', created.flatMap(attemptRows)),
    attempts: sorted('order_id', changed.flatMap(attemptRows)),
    ledger: sorted('transaction_id', changes.flatMap(ledgerRows)),
    reviews: sorted(
      'order_id',
      changes.flatMap(({ reviews }) => reviews.map((one) => rowOf(reviewColumns, one))),
    ),
    operations: sorted(
      'id',
      changes.flatMap(({ operations }) => operations.map((one) => rowOf(operationColumns, one))),
    ),
    audit: changes.map(auditRow),
    // In the order of what happened: their sequence number says which of an order comes first.
    outbox: present(changes.flatMap(outboxRows)),
    check_ends: sorted('order_id', changes.flatMap(checkEndRows)),
    only_reserved: changes.every(isReservation) || undefined,
  };
}

/**
 * The columns of a change that has at most one row of each of the tables that most changes write,
 * and none of another, and whether it only reserves a link; `null` for any other change.
 */
export function valuesOfOne(change: Change): readonly (ColumnValue | boolean)[] | null {
  const { attempts, ledger, events, reviews, operations, checkEnd } = change;
  const isMore = attempts.length > 1 || ledger.length > 1 || events.length > 1;
  if (isMore || reviews.length + operations.length > 0 || checkEnd !== undefined) return null;
  return [
    ...columnsOf('payments', paymentRow(change)),
    ...columnsOf('attempts', attemptRows(change)[0]),
    ...columnsOf('ledger', ledgerRows(change)[0]),
    ...columnsOf('audit', auditRow(change)),
    ...columnsOf('outbox', outboxRows(change)[0]),
    isReservation(change),
  ];
}

const columnsOf = (table: ChangedTable, row: ColumnRow = {}): ColumnValue[] =>
  Object.keys(rowTypes[table]).map((name) => row[name] ?? null);

/** In an order that every process shares, so that two never wait for each other in a circle. */
function sorted(id: string, rows: readonly ColumnRow[]): readonly ColumnRow[] | undefined {
  if (rows.length < 2) return present(rows);
  const byId = ({ [id]: left }: ColumnRow, { [id]: right }: ColumnRow): number =>
    left === right ? 0 : String(left) < String(right) ? -1 : 1;
  return rows.toSorted(byId);
}

const present = (rows: readonly ColumnRow[]): readonly ColumnRow[] | undefined =>
  rows.length === 0 ? undefined : rows;

const paymentRow = ({ payment }: Change): ColumnRow => rowOf(paymentColumns, payment);
const attemptRows = ({ attempts }: Change): readonly ColumnRow[] =>
  attempts.map((one) => rowOf(attemptColumns, one));
const ledgerRows = ({ ledger }: Change): readonly ColumnRow[] =>
  ledger.map((one) => rowOf(ledgerColumns, one));
const isFirst = ({ payment }: Change): boolean => payment.version === 1;

function auditRow(change: Change): ColumnRow {
  const { orderId, updatedAt } = change.payment;
  return { order_id: orderId, recorded_at: updatedAt, entry: JSON.stringify(changeEntry(change)) };
}

function checkEndRows({ payment: { orderId, updatedAt }, checkEnd }: Change): readonly ColumnRow[] {
  return checkEnd === undefined ? [] : [checkEndRow(orderId, checkEnd, updatedAt)];
}

function outboxRows({ payment, events }: Change): readonly ColumnRow[] {
  return events.map((event) => ({
    event_id: event.id,
    order_id: event.orderId,
    type: event.type,
    event: JSON.stringify(event),
    next_try_at: payment.updatedAt,
  }));
}
