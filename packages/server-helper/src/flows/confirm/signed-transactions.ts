import { transactionKey, type TransactionId } from '../../ids.ts';
import type { Store } from '../../stores/store.ts';

/**
 * What signed webhooks say of transactions whose rows bear no name: the gateway's word, which a shopper's
 * return may contradict. The store's counters remember it, for every order and process.
 */
type Counters = Pick<Store<unknown>, 'count'>;

/** How long the word is remembered. */
const SIGNED_MS = 30 * 24 * 3_600_000;

/** Notes that a signed webhook named a transaction for an order. */
export async function noteSigned(
  store: Counters,
  id: TransactionId,
  orderId: string,
  now: number,
): Promise<void> {
  await counted(store, id, orderId, 1, now);
}

/** Whether signed webhooks named a transaction for other orders alone. */
export async function isSignedElsewhere(
  store: Counters,
  id: TransactionId,
  orderId: string,
  now: number,
): Promise<boolean> {
  const [all, ours] = await counted(store, id, orderId, 0, now);
  return all > 0 && ours === 0;
}

/** How often signed webhooks have named a transaction, for any order and for one. */
function counted(store: Counters, id: TransactionId, orderId: string, hits: number, now: number) {
  const window = { now, endsAt: now + SIGNED_MS };
  const count = async (key: string): Promise<number> =>
    (await store.count(`signed/${key}`, hits, window)).hits;
  const key = transactionKey(id);
  return Promise.all([count(key), count(`${key}/${orderId}`)]);
}
