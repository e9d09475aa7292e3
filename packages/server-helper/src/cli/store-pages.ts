import { everyPaymentState, type PaymentRecord } from '../payments/record.ts';
import type { Position, Store } from '../stores/store.ts';
import type { Span } from './command.ts';

const PAGE = 100;
const PROGRESS_EVERY_MS = 1_000;

/** The orders whose payment changed since a moment, in the store's own order, page by page. */
export async function* pagesSince(
  store: Store<unknown>,
  since: number,
): AsyncGenerator<readonly PaymentRecord[]> {
  for (let after: string | null = null; ;) {
    const asked = { of: 'orders', after, since, limit: PAGE } as const;
    const page: readonly PaymentRecord[] = await store.list(asked);
    yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.payment.orderId ?? null;
  }
}

/** The orders whose payment was created in a span, the latest first, page by page. */
async function* pagesCreatedIn(
  store: Store<unknown>,
  { since, until }: Span,
): AsyncGenerator<readonly PaymentRecord[]> {
  const states = everyPaymentState;
  for (let below: Position | undefined = { createdAt: until, orderId: '' }; below;) {
    const asked = { of: 'payments', states, since, below, limit: PAGE } as const;
    const page: readonly PaymentRecord[] = await store.list(asked);
    yield page;
    below = page.length < PAGE ? undefined : page.at(-1)?.payment;
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
): AsyncGenerator<PaymentRecord> => recordsOf(pagesSince(store, since), progress);

/** As {@link recordsChangedSince}: the payments that were created in a span, the latest first. */
export const recordsCreatedIn = (
  store: Store<unknown>,
  span: Span,
  progress: (read: number) => void,
): AsyncGenerator<PaymentRecord> => recordsOf(pagesCreatedIn(store, span), progress);

async function* recordsOf(
  pages: AsyncIterable<readonly PaymentRecord[]>,
  progress: (read: number) => void,
): AsyncGenerator<PaymentRecord> {
  let read = 0;
  let reportedAt = Date.now();
  for await (const page of pages) {
    yield* page;
    read += page.length;
    if (Date.now() - reportedAt < PROGRESS_EVERY_MS) continue;
    reportedAt = Date.now();
    progress(read);
  }
}
