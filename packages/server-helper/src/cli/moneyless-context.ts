import { systemClock } from '../clock.ts';
import { ConfigurationError } from '../errors.ts';
import type { FlowContext } from '../flows/flow-context.ts';
import { silentLogger } from '../logger.ts';
import type { Store } from '../stores/store.ts';

const refuse = (): never => {
  throw new ConfigurationError(
    'closed',
    'This needs the shop’s own code: leave it to the running shop and try again in a moment.',
  );
};

/**
 * What flows need that only read and tidy: a store, and nothing that could move money. A change
 * with an event would need the merchant's hook, which is not here, so it is refused.
 */
export function moneylessContext(store: Store<unknown>, scope: string): FlowContext<unknown> {
  return {
    gateway: {
      createPaymentLink: refuse,
      retrieveStatus: refuse,
      refund: refuse,
      capture: refuse,
      void: refuse,
      chargeRecurring: refuse,
      sale: refuse,
    },
    store,
    scope,
    clock: systemClock,
    random: Math.random,
    logger: silentLogger,
    loadOrder: () => null,
    inTransaction: refuse,
    on: {},
    addresses: { returnUrls: refuse, statusUrl: refuse },
  };
}
