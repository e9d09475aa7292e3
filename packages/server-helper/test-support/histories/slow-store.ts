import type { Save, Store } from '../../src/stores/store.ts';
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
    list: (listing) => read(`list ${listing.of}`, () => store.list(listing)),
    figures: (spans) => read('figures', () => store.figures(spans)),
    history: (orderId) => read(`history ${orderId}`, () => store.history(orderId)),
    take: (orderId, taking) => write(`take ${orderId}`, () => store.take(orderId, taking)),
    claimDue: (...claim) => write('claim due orders', () => store.claimDue(...claim)),
    claimEvents: (...claim) => read('claim events', () => store.claimEvents(...claim)),
    endDelivery: (delivery, report) =>
      read(`end ${delivery.event.id}`, () => store.endDelivery(delivery, report)),
    deadLetters: (limit) => read('dead letters', () => store.deadLetters(limit)),
    count: (...hits) => read('count hits', () => store.count(...hits)),
    bind: (...key) => read('bind a key', () => store.bind(...key)),
    archive: (orders) => read('archive', () => store.archive(orders)),
    health: { backlog: (...asked) => read('backlog', () => store.health.backlog(...asked)) },
    save: (save, hook) =>
      calls.toStore(
        waiter,
        () => `store save ${wordsOf(save)}`,
        () => store.save(save, hook).finally(onWrite),
      ),
  };
}

function wordsOf({ record: { payment, attempts, operations }, entry, events }: Save): string {
  return [
    `${payment.orderId} version ${payment.version}: ${payment.state}`,
    ...(entry === null ? ['times only'] : []),
    ...attempts.map((one) => `${one.merchantOrderId} ${one.state}`),
    ...operations.map((one) => `${one.id} ${one.state}`),
    ...events.map((one) => `event ${one.type}`),
  ].join(', ');
}
