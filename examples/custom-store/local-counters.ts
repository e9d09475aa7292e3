import type { ShortLived, Store } from '@pay-button/server-helper';

interface Kept<T> {
  readonly value: T;
  readonly endsAt: number;
}

/**
 * A store for a shop of one process: counters and request keys, which may be lost, are in its memory
 * and cost no write. Everything else is another store's.
 */
export function localCounters<Tx>(payments: Store<Tx>): Store<Tx> {
  const counters = new Map<string, Kept<number>>();
  const keys = new Map<string, Kept<string>>();
  return {
    async count(key, hits, life) {
      const { value, endsAt } = keep(counters, key, life, (former = 0) => former + hits);
      return { hits: value, endsAt };
    },
    async bind(key, subject, life) {
      return keep(keys, key, life, (former = subject) => former).value;
    },
    hookStyle: payments.hookStyle,
    ...(payments.schema && { schema: payments.schema }),
    health: payments.health,
    open: (scope) => payments.open(scope),
    close: () => payments.close(),
    load: (orderId) => payments.load(orderId),
    save: (...asked) => payments.save(...asked),
    take: (...asked) => payments.take(...asked),
    claimDue: (...asked) => payments.claimDue(...asked),
    claimEvents: (...asked) => payments.claimEvents(...asked),
    endDelivery: (...asked) => payments.endDelivery(...asked),
    list: (listing) => payments.list(listing),
    deadLetters: (limit) => payments.deadLetters(limit),
    history: (orderId) => payments.history(orderId),
    figures: (spans) => payments.figures(spans),
    archive: (orders) => payments.archive(orders),
  };
}

/** A value whose window has ended, or would end too late since a clock was put back, begins anew. */
function keep<T>(
  all: Map<string, Kept<T>>,
  key: string,
  { now, endsAt }: ShortLived,
  change: (former?: T) => T,
): Kept<T> {
  // The oldest are first: what has ended is forgotten.
  for (const [name, one] of all) {
    if (one.endsAt > now) break;
    all.delete(name);
  }
  const former = all.get(key);
  const lives =
    former !== undefined && former.endsAt > now && former.endsAt - endsAt <= endsAt - now;
  if (!lives) all.delete(key);
  const kept = lives
    ? { value: change(former.value), endsAt: former.endsAt }
    : { value: change(), endsAt };
  all.set(key, kept);
  return kept;
}
