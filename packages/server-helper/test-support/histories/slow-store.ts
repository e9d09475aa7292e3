import type { Change } from '../../src/payments/payment-record.ts';
import type { Store } from '../../src/stores/store.ts';
import type { SlowCalls } from './slow-calls.ts';
import type { Waiter } from './timeline.ts';

/** How a process reaches its store. */
interface Reach {
  readonly calls: SlowCalls;
  readonly waiter: Waiter;
  /** Called after each call that may have changed something. */
  readonly onWrite: () => void;
}

/** A store as one process reaches it: each call takes its time, and may fail or hang. */
export function slowStore<Tx>(store: Store<Tx>, { calls, waiter, onWrite }: Reach): Store<Tx> {
  const read = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    calls.toStore(waiter, () => `store ${name}`, work);
  const write = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    read(name, () => work().finally(onWrite));
  return {
    hookStyle: store.hookStyle,
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
    load: (orderId) => read(`load ${orderId}`, () => store.load(orderId)),
    listPayments: (page) => read('list payments', () => store.listPayments(page)),
    figures: (spans) => read('figures', () => store.figures(spans)),
    heldMoney: (limit) => read('held money', () => store.heldMoney(limit)),
    orderIds: (...page) => read('order ids', () => store.orderIds(...page)),
    orderOfOperation: (id) => read(`order of ${id}`, () => store.orderOfOperation(id)),
    history: (orderId) => read(`history ${orderId}`, () => store.history(orderId)),
    beginStatusCheck: (request) =>
      write(`begin status check ${request.orderId}`, () => store.beginStatusCheck(request)),
    endStatusCheck: (attempt, at, now) =>
      write(`end status check ${attempt.merchantOrderId}`, () =>
        store.endStatusCheck(attempt, at, now),
      ),
    hint: (name, now) => write(`hint ${name}`, () => store.hint(name, now)),
    transactionHints: (orderId) => read(`hints ${orderId}`, () => store.transactionHints(orderId)),
    changeTransactionHints: (...change) =>
      write(`change hints ${change[0]}`, () => store.changeTransactionHints(...change)),
    clampChecks: (...given) => read('clamp status checks', () => store.clampChecks(...given)),
    claimDue: (...claim) => write('claim due status checks', () => store.claimDue(...claim)),
    claimEvents: (...claim) => read('claim events', () => store.claimEvents(...claim)),
    reportDelivery: (delivery, report) =>
      read(`report ${delivery.event.id}`, () => store.reportDelivery(delivery, report)),
    openReviews: (limit) => read('open reviews', () => store.openReviews(limit)),
    proposedOperations: (limit) =>
      read('proposed operations', () => store.proposedOperations(limit)),
    deadLetters: (limit) => read('dead letters', () => store.deadLetters(limit)),
    redeliver: (id, now) => read(`redeliver ${id}`, () => store.redeliver(id, now)),
    countHits: (...hits) => read('count hits', () => store.countHits(...hits)),
    bindRequestKey: (...key) => read('bind request key', () => store.bindRequestKey(...key)),
    archive: (page) => read('archive', () => store.archive(page)),
    backlog: (...asked) => read('backlog', () => store.backlog(...asked)),
    commit: (change, hook) =>
      calls.toStore(
        waiter,
        () => `store commit ${wordsOf(change)}`,
        () => store.commit(change, hook).finally(onWrite),
      ),
  };
}

function wordsOf({ payment, attempts, operations, events }: Change): string {
  return [
    `${payment.orderId} version ${payment.version}: ${payment.state}`,
    ...attempts.map((one) => `${one.merchantOrderId} ${one.state}`),
    ...operations.map((one) => `${one.id} ${one.state}`),
    ...events.map((one) => `event ${one.type}`),
  ].join(', ');
}
