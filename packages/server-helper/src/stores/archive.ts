import { isOutstanding } from '../payments/operation.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import type { Placeholder } from './overview-sql.ts';
import { text, whole, type Row } from './rows.ts';

/** Asks to archive finished payments, a page of orders at a time. */
export interface ArchivePage {
  /** Only orders behind this id, in the store's own order; `null` for the first page. */
  readonly after: string | null;
  /** Only payments whose last change was before this, in milliseconds since the epoch. */
  readonly before: number;
  /** How many orders are looked at, archived or not. */
  readonly limit: number;
}

/** The result of one page. */
export interface ArchivedPage {
  /** Orders whose log and events were moved. */
  readonly archived: number;
  /** The order to continue after; `null` when this page was the last. */
  readonly next: string | null;
}

/**
 * Whether something may still happen to a payment without the merchant or a hint: a status check, an
 * operation's outcome or approval, a decision by a person.
 */
export function hasOpenMatter({ attempts, operations, reviews }: PaymentRecord): boolean {
  return (
    attempts.some(({ nextCheckAt }) => nextCheckAt !== null) ||
    operations.some((one) => one.state === 'proposed' || isOutstanding(one)) ||
    reviews.some(({ resolvedAt }) => resolvedAt === null)
  );
}

/** Where the page after a page of orders begins. */
export const nextAfter = (orderIds: readonly string[], limit: number): string | null =>
  orderIds.length < limit ? null : (orderIds.at(-1) ?? null);

/**
 * One page of orders, and which of them may be archived as far as their events and the time of their
 * last change say. The values are those of {@link ArchivePage}, in its order. An order whose log is
 * in the archive already is not read again. Scalar subqueries are always lookups; a database may
 * read the whole table for EXISTS.
 *
 * @param isOfOrder - Whether an event `o` is one of the payment `p`.
 */
export const archivePageStatement = (at: Placeholder, isOfOrder: string): string => `
  SELECT order_id,
    CASE WHEN updated_at < ${at(2)}
      AND (SELECT 1 FROM pay_audit a WHERE a.order_id = p.order_id LIMIT 1) IS NOT NULL
      AND (SELECT 1 FROM pay_outbox o
        WHERE ${isOfOrder} AND o.outcome <> 'done' LIMIT 1) IS NULL
    THEN 1 ELSE 0 END AS may_be_archived
  FROM pay_payments p WHERE order_id > ${at(1)} ORDER BY order_id LIMIT ${at(3)}`;

/** The orders of such a page, and those of them that may be archived as far as it says. */
export function ordersOfPage(rows: readonly Row[]) {
  const idsOf = (some: readonly Row[]) => some.map((row) => text(row, 'order_id'));
  const candidates = rows.filter((row) => whole(row, 'may_be_archived') === 1);
  return { orderIds: idsOf(rows), candidates: idsOf(candidates) };
}
