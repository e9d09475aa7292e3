import { everyPaymentState } from '../payments/payment.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import type { PaymentPosition } from '../stores/payment-page.ts';
import type { Store } from '../stores/store.ts';

const PAGE = 100;
const PROGRESS_EVERY_MS = 1_000;

/** A span of time: from its first moment to before its end, in milliseconds since the epoch. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

/** The ids of orders whose payment changed since a moment, page by page. */
async function* idPagesSince(
  store: Store<unknown>,
  since: number,
): AsyncGenerator<readonly string[]> {
  for (let after: string | null = null; ;) {
    const page: readonly string[] = await store.orderIds({ after, since, limit: PAGE });
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1) ?? null;
  }
}

/** The ids of orders whose payment changed since a moment, in the store's own order. */
export async function* orderIdsSince(store: Store<unknown>, since: number): AsyncGenerator<string> {
  for await (const page of idPagesSince(store, since)) yield* page;
}

/** The ids of orders whose payment was created in a span, the latest first, page by page. */
async function* idPagesCreatedIn(
  store: Store<unknown>,
  { since, until }: Span,
): AsyncGenerator<readonly string[]> {
  const states = everyPaymentState;
  for (let below: PaymentPosition | undefined = { createdAt: until, orderId: '' }; below;) {
    const page: readonly PaymentPosition[] = await store.listPayments({
      states,
      since,
      below,
      limit: PAGE,
    });
    yield page.map(({ orderId }) => orderId);
    below = page.length < PAGE ? undefined : page.at(-1);
  }
}

/**
 * The payments that changed since a moment, by their orders' ids: a page at a time, so that a shop of
 * any size fits.
 *
 * @param progress - Called about once a second with the number of those read.
 */
export const recordsChangedSince = (
  store: Store<unknown>,
  since: number,
  progress: (read: number) => void,
): AsyncGenerator<PaymentRecord> => recordsOf(store, idPagesSince(store, since), progress);

/** As {@link recordsChangedSince}: the payments that were created in a span, the latest first. */
export const recordsCreatedIn = (
  store: Store<unknown>,
  span: Span,
  progress: (read: number) => void,
): AsyncGenerator<PaymentRecord> => recordsOf(store, idPagesCreatedIn(store, span), progress);

async function* recordsOf(
  store: Store<unknown>,
  pages: AsyncIterable<readonly string[]>,
  progress: (read: number) => void,
): AsyncGenerator<PaymentRecord> {
  let read = 0;
  let reportedAt = Date.now();
  for await (const page of pages) {
    const records = await Promise.all(page.map((orderId) => store.load(orderId)));
    for (const record of records) if (record !== null) yield record;
    read += page.length;
    if (Date.now() - reportedAt < PROGRESS_EVERY_MS) continue;
    reportedAt = Date.now();
    progress(read);
  }
}
