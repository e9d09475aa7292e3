import type { Store } from '../stores/store.ts';

/** What the next commit does instead of just committing; one that hangs never ends. */
export type Faults = 'ok' | 'fail-before' | 'fail-after-commit' | 'hang';

/** The error that a faulty store throws. */
class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/**
 * A store whose commits fail as told: before anything was written, or after it was committed, when
 * the caller cannot know; or are never answered.
 *
 * @param nextFault - Asked once per commit.
 */
export function faultyStore<Tx>(store: Store<Tx>, nextFault: () => Faults): Store<Tx> {
  return {
    hookStyle: store.hookStyle,
    open: (scope) => store.open(scope),
    close: () => store.close(),
    load: (orderId) => store.load(orderId),
    orderOfOperation: (operationId) => store.orderOfOperation(operationId),
    history: (orderId) => store.history(orderId),
    beginStatusCheck: (request) => store.beginStatusCheck(request),
    endStatusCheck: (attempt, nextCheckAt, now) => store.endStatusCheck(attempt, nextCheckAt, now),
    hint: (merchantOrderId, now) => store.hint(merchantOrderId, now),
    claimDue: (...claim) => store.claimDue(...claim),
    claimEvents: (...claim) => store.claimEvents(...claim),
    reportDelivery: (delivery, report) => store.reportDelivery(delivery, report),
    openReviews: (limit) => store.openReviews(limit),
    deadLetters: (limit) => store.deadLetters(limit),
    redeliver: (eventId, now) => store.redeliver(eventId, now),
    countHits: (key, hits, window) => store.countHits(key, hits, window),
    bindRequestKey: (key, subject, life) => store.bindRequestKey(key, subject, life),
    orderIds: (page) => store.orderIds(page),
    backlog: (...asked) => store.backlog(...asked),
    commit: async (change, hook) => {
      const fault = nextFault();
      if (fault === 'fail-before') throw new StoreFault('failed before the commit');
      if (fault === 'hang') return new Promise(() => undefined);
      const result = await store.commit(change, hook);
      if (fault === 'fail-after-commit') throw new StoreFault('failed after the commit');
      return result;
    },
  };
}
