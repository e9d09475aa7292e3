import { PaymentsError } from '../errors.ts';
import type { HitCount, ShortLived } from '../stores/store.ts';
import type { FlowContext } from './flow-context.ts';

type Context = Pick<FlowContext<unknown>, 'store' | 'clock'>;

/**
 * Binds a request's key to what it is used for, unless it stands for something else already.
 *
 * @returns what the key stands for.
 * @throws {@link PaymentsError} `store_unavailable`.
 */
export async function bindRequestKey(
  { store, clock }: Context,
  key: string,
  subject: string,
  keptMs: number,
): Promise<string> {
  const now = clock.now();
  try {
    return await store.bindRequestKey(key, subject, { now, endsAt: now + keptMs });
  } catch (error) {
    throw new PaymentsError('store_unavailable', 'The payments store does not answer.', {
      cause: error,
    });
  }
}

/** Adds hits to a counter that all processes share. */
export function countHits(
  { store }: Context,
  key: string,
  hits: number,
  window: ShortLived,
): Promise<HitCount> {
  return store.countHits(key, hits, window);
}
