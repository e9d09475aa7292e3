import { saveOf } from '../src/flows/change-payment.ts';
import type { Change } from '../src/payments/record.ts';
import type { CommitHook, Store } from '../src/stores/store.ts';

/** Saves a change as the flows do, on what is stored. */
export async function saveChange<Tx>(store: Store<Tx>, change: Change, hook?: CommitHook<Tx>) {
  const { orderId, updatedAt } = change.payment;
  return store.save(saveOf(await store.load(orderId), change, updatedAt), hook);
}
