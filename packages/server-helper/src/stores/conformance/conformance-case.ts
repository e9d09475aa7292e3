import type { Store } from '../store.ts';

/** One promise that every store keeps. */
export interface ConformanceCase {
  /** A sentence about behaviour. */
  readonly name: string;
  /** Rejects when the store does not keep it. Uses orders of its own, so a store may be shared. */
  readonly check: (store: Store<unknown>) => Promise<void>;
}
