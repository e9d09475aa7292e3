import { isOutstanding } from '../payments/operation.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import type { Store } from '../stores/store.ts';

/**
 * Archives the finished payments of a page of orders, in the store's own order.
 *
 * @returns how many were archived, and the order to continue after; `null` for the last page.
 */
export async function archivePage(
  store: Store<unknown>,
  page: { readonly after: string | null; readonly before: number; readonly limit: number },
): Promise<{ readonly archived: number; readonly next: string | null }> {
  const { after, before, limit } = page;
  const records = await store.list({ of: 'orders', after, since: 0, limit });
  const finished = records.filter((one) => one.payment.updatedAt < before && !hasOpenMatter(one));
  const archived = await store.archive(finished.map(({ payment }) => payment));
  const last = records.length < limit ? undefined : records.at(-1);
  return { archived, next: last?.payment.orderId ?? null };
}

/**
 * Whether something may still happen to a payment without the merchant or a hint: a status check, an
 * operation's outcome or approval, a decision by a person.
 */
const hasOpenMatter = ({ attempts, operations, reviews }: PaymentRecord): boolean =>
  attempts.some(({ nextCheckAt }) => nextCheckAt !== null) ||
  operations.some((one) => one.state === 'proposed' || isOutstanding(one)) ||
  reviews.some(({ resolvedAt }) => resolvedAt === null);
