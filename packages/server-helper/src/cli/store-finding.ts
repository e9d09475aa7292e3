import { helpAddress } from '../errors.ts';
import type { Told } from './finding.ts';
import type { StoreState } from './store-state.ts';

/** What is wrong with a store that cannot be used as it is. */
export function storeFinding(state: Exclude<StoreState, { kind: 'ready' }>, name: string): Told {
  switch (state.kind) {
    case 'empty':
      return {
        code: 'store_empty',
        what: `There are no payments in ${name}.`,
        why: 'The shop makes its tables when it starts, so it has not started with this database.',
        fix: 'Start the shop once, or let DATABASE_URL name the database that the shop uses.',
        help: 'docs/operations.md#store',
      };
    case 'other_release':
      return {
        code: 'store_of_another_release',
        what: `${name} has ${state.seen} of our migrations, and this release knows ${state.known}.`,
        why: 'Reading tables of another release could mislead you.',
        fix:
          state.seen < state.known
            ? 'Start the shop of this release once: it migrates.'
            : 'Use the release that the shop runs.',
        help: 'docs/operations.md#store',
      };
    case 'other_scope':
      return {
        code: 'store_of_another_scope',
        what: `${name} holds the payments of "${state.scope}".`,
        why: 'The same order ids mean other orders there.',
        fix: 'Set GATEWAY_ENVIRONMENT and --merchant to what the shop runs with, or DATABASE_URL to another database.',
        help: helpAddress('store_of_another_scope'),
      };
    case 'unreachable':
      return {
        code: 'store_unavailable',
        what: `${name} cannot be read (${state.reason}).`,
        why: 'No payment can be started or recorded while this lasts.',
        fix: 'Start the database, and let DATABASE_URL hold its address, name and password.',
        help: helpAddress('store_unavailable'),
      };
  }
}
