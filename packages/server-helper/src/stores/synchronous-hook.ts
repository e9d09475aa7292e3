import { ConfigurationError } from '../errors.ts';
import type { PaymentEvent } from '../payments/record.ts';
import type { CommitHook } from './store.ts';

/**
 * Runs the merchant's hook where a transaction cannot wait. A hook that answers with a promise, or
 * with anything that is awaited like one, may do its work after the commit, or never: its commit is
 * refused, and it is not called again, since each call could do half of the work once more.
 */
export class SynchronousHook<Tx> {
  readonly #refused = new WeakSet<CommitHook<Tx>>();

  /** @throws {@link ConfigurationError} `asynchronous_hook`. */
  run(hook: CommitHook<Tx> | undefined, tx: Tx, event: PaymentEvent): void {
    if (hook === undefined) return;
    if (!this.#refused.has(hook)) {
      const result: unknown = hook(tx, event);
      if (!isThenable(result)) return;
      this.#refused.add(hook);
      if (result instanceof Promise) result.catch(() => undefined);
    }
    throw new ConfigurationError(
      'asynchronous_hook',
      'inTransaction must be synchronous with this store: the payment was not recorded, and what the hook awaited is outside the commit. Write with the given connection, without await.',
    );
  }
}

function isThenable(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}
