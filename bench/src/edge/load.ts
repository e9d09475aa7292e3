/** What came back of one kind of request. */
export interface Tally {
  /** From when each was due to its answer, so that a slow answer hides no other. */
  readonly latenciesMs: number[];
  /** Of answers below 500. */
  readonly acceptedMs: number[];
  readonly byStatus: Map<number, number>;
  /** Requests without an answer, by what went wrong on their connection. */
  readonly failures: Map<string, number>;
}

/** What came back, by the kind of request. */
export type Tallies = ReadonlyMap<string, Tally>;

/** Requests of one kind, offered at a rate whatever becomes of them. */
export interface Offer<Name extends string = string> {
  readonly name: Name;
  readonly perSecond: number;
  /** Whether an answer may wait for news, so that a request under way need not be work. */
  readonly mayWait?: boolean;
  /** Sends one; answers with the status. */
  readonly send: () => Promise<number>;
}

/** How often the due requests are sent. */
const STEP_MS = 4;

export const newTally = (): Tally => ({
  latenciesMs: [],
  acceptedMs: [],
  byStatus: new Map(),
  failures: new Map(),
});

/**
 * Offers requests open-loop: each is sent when it is due, whether or not those before it were answered.
 *
 * @param signal - Ends it; resolves when everything that was sent is answered.
 */
export async function offer(offers: readonly Offer[], signal: AbortSignal): Promise<Tallies> {
  const tallies = new Map(offers.map(({ name }) => [name, newTally()]));
  const underWay = new Set<Promise<void>>();
  const sent = new Map<string, number>();
  const startedAt = performance.now();
  while (!signal.aborted) {
    const now = performance.now() - startedAt;
    for (const { name, perSecond, send } of offers) {
      const due = Math.floor((now / 1_000) * perSecond);
      for (let index = sent.get(name) ?? 0; index < due; index += 1) {
        const dueAt = startedAt + (index / perSecond) * 1_000;
        const one = count(send, dueAt, tallies.get(name) ?? newTally());
        underWay.add(one);
        void one.then(() => underWay.delete(one));
      }
      sent.set(name, due);
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  await Promise.all(underWay);
  return tallies;
}

/**
 * Keeps so many requests under way, the kinds in the proportion of their rates: as soon as one is
 * answered the next one is sent, so that the server is never idle and never has much more to do.
 * Requests that may wait are sent in their proportion too and do not count.
 *
 * @param signal - Ends it; resolves when everything that was sent is answered.
 */
export async function saturate(
  offers: readonly Offer[],
  atATime: number,
  signal: AbortSignal,
): Promise<Tallies> {
  const kinds = offers.map((one) => ({ ...one, sent: 0, tally: newTally() }));
  const waiting = new Set<Promise<void>>();
  const sendOn = async (): Promise<void> => {
    while (!signal.aborted) {
      const next = kinds.reduce((a, b) => (b.sent / b.perSecond < a.sent / a.perSecond ? b : a));
      next.sent += 1;
      const one = count(next.send, performance.now(), next.tally);
      if (next.mayWait !== true) await one;
      else waiting.add(one);
    }
  };
  await Promise.all(Array.from({ length: atATime }, sendOn));
  await Promise.all(waiting);
  return new Map(kinds.map(({ name, tally }) => [name, tally]));
}

async function count(send: () => Promise<number>, dueAt: number, tally: Tally): Promise<void> {
  try {
    const status = await send();
    const tookMs = performance.now() - dueAt;
    tally.latenciesMs.push(tookMs);
    if (status < 500) tally.acceptedMs.push(tookMs);
    increase(tally.byStatus, status);
  } catch (error) {
    const isCoded = error instanceof Error && 'code' in error;
    increase(tally.failures, String(isCoded ? error.code : error));
  }
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
