import { PaymentsError } from '../errors.ts';
import type { PaymentEvent } from '../payments/payment-record.ts';
import { ConnectionLostError, HookTimeoutError } from '../stores/store-errors.ts';
import type { CommitHook, Save, Store } from '../stores/store.ts';

type AnyHook = CommitHook<never>;

/**
 * The wrapper of each hook. A hook always gets the same wrapper, since a store may remember which
 * hook it refused.
 */
const watching: Readonly<Record<Store<unknown>['hookStyle'], WeakMap<AnyHook, AnyHook>>> = {
  sync: new WeakMap(),
  async: new WeakMap(),
};
const thrown = new WeakMap<PaymentEvent, { readonly error: unknown }>();

/**
 * Wraps the merchant's hook to note its own error, since a store may report only that the commit
 * failed. A hook of a synchronous store is called directly: awaiting its result would do work
 * outside of the commit.
 */
export function watched<Tx>(
  { hookStyle }: Pick<Store<Tx>, 'hookStyle'>,
  hook: CommitHook<Tx> | undefined,
): CommitHook<Tx> | undefined {
  if (hook === undefined) return undefined;
  const known = watching[hookStyle].get(hook) as CommitHook<Tx> | undefined;
  if (known !== undefined) return known;
  const run: CommitHook<Tx> = (tx, event) => {
    // The store may call the hook again, in another transaction, after a throw.
    thrown.delete(event);
    const noted = (error: unknown): never => {
      thrown.set(event, { error });
      throw error;
    };
    try {
      const result = hook(tx, event);
      return hookStyle === 'sync' ? result : Promise.resolve(result).catch(noted);
    } catch (error) {
      return noted(error);
    }
  };
  watching[hookStyle].set(hook, run);
  return run;
}

/** What the merchant's own work threw, where a change's commit failed by it. */
export function thrownByHook(
  { events }: Pick<Save, 'events'>,
  failure: unknown,
): { readonly error: unknown } | null {
  if (failure instanceof ConnectionLostError) return null;
  if (failure instanceof HookTimeoutError) return { error: failure };
  return events.map((event) => thrown.get(event)).find((one) => one !== undefined) ?? null;
}

/**
 * The error of the merchant's own code, which threw. Its message also reaches a shopper's browser, so
 * the message quotes nothing of the merchant's error.
 */
export const hookFailed = (cause: unknown): PaymentsError =>
  new PaymentsError(
    'hook_failed',
    'The shop could not do its part, so the payment is not recorded yet. This is tried again.',
    { cause },
  );
