import type { Store } from '../../src/stores/store.ts';
import type { Deed } from './history.ts';
import type { AskedGateway } from './world.ts';

/** What a broken variant may take the place of, in one process. */
export interface Parts {
  readonly store: Store<unknown>;
  readonly gateway: AskedGateway;
  /** As the option of that name. */
  readonly recheckOrder?: boolean;
}

/**
 * A mistake that somebody could make, put around the right code: each must be found by the histories,
 * or their finding nothing would say nothing.
 */
export interface Variant {
  readonly name: string;
  readonly about: string;
  /** Makes the parts of a process that has just started; what it remembers dies with the process. */
  readonly breaks: (parts: Parts) => Parts & {
    /** Sees each deed before its process does it. */
    readonly sees?: (deed: Deed) => void;
  };
}
