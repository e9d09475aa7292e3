import { everyPaymentState, type PaymentRecord } from '../payments/record.ts';
import type { Position, Store } from '../stores/store.ts';
import type { Span } from './command.ts';

const PAGE = 100;

/** Is called after each page with the number of payments read so far. */
export type OnPage = (read: number) => void;

/**
 * The payments that changed since a moment, by their orders' ids: a page at a time, so that a shop of
 * any size fits.
 */
export async function* recordsChangedSince(
  store: Store<unknown>,
  since: number,
  onPage: OnPage = () => undefined,
): AsyncGenerator<PaymentRecord> {
  let read = 0;
  for (let after: string | undefined | null = null; after !== undefined;) {
    const asked = { of: 'orders', after, since, limit: PAGE } as const;
    const page: readonly PaymentRecord[] = await store.list(asked);
    yield* page;
    onPage((read += page.length));
    after = page.length < PAGE ? undefined : page.at(-1)?.payment.orderId;
  }
}

/** As {@link recordsChangedSince}: the payments that were created in a span, the latest first. */
export async function* recordsCreatedIn(
  store: Store<unknown>,
  { since, until }: Span,
  onPage: OnPage = () => undefined,
): AsyncGenerator<PaymentRecord> {
  let read = 0;
  for (let below: Position | undefined = { createdAt: until, orderId: '' }; below;) {
    const states = everyPaymentState;
    const asked = { of: 'payments', states, since, below, limit: PAGE } as const;
    const page: readonly PaymentRecord[] = await store.list(asked);
    yield* page;
    onPage((read += page.length));
    below = page.length < PAGE ? undefined : page.at(-1)?.payment;
  }
}
