import type { Chance } from './chance.ts';
import type { FaultProfile } from './history.ts';
import type { FlowContext } from '../../src/flows/flow-context.ts';
import type { SimulatedGateway } from '../simulated-gateway.ts';
import type { Save, Store } from '../../src/stores/store.ts';

/** A process that waits for something; a dead one waits for nothing. */
export interface Waiter {
  readonly isDead: boolean;
}

/** The world outlives every process. */
export const world: Waiter = { isDead: false };

interface Happening {
  readonly at: number;
  readonly waiter: Waiter;
  readonly work: () => unknown;
}

/**
 * Virtual time: one queue holds everything that any work waits for, and its items happen one after
 * the other. No other work runs meanwhile, so a history is the same each time.
 */
export class Timeline {
  #now = Date.UTC(2026, 0, 1);
  #queue: Happening[] = [];
  readonly #settled: () => Promise<unknown>;

  get now(): number {
    return this.#now;
  }

  /** @returns takes it back. */
  in(milliseconds: number, waiter: Waiter, work: () => unknown): () => void {
    const happening = { at: this.#now + milliseconds, waiter, work };
    // Behind what happens at the same time, so that equal moments keep their order.
    let index = this.#queue.length;
    while (index > 0 && (this.#queue[index - 1]?.at ?? 0) > happening.at) index -= 1;
    this.#queue.splice(index, 0, happening);
    return () => {
      this.#queue = this.#queue.filter((one) => one !== happening);
    };
  }

  /** @param settled - Resolves when no work can go on without something in the queue. */
  constructor(settled: () => Promise<unknown> = nextTurn) {
    this.#settled = settled;
  }

  /**
   * Lets everything happen until a moment; with `isOver`, at most until that is so.
   *
   * @param after - Called after each happening, when no work can go on without another one.
   */
  async runUntil(
    moment: number,
    isOver: () => boolean = () => false,
    after: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.#settled();
    while (!isOver() && (await this.#happen(moment))) await after();
    if (!isOver()) this.#now = Math.max(this.#now, moment);
  }

  /** Lets the next thing happen. @returns whether there was one, at the moment or before. */
  async #happen(moment: number): Promise<boolean> {
    let next = this.#queue[0];
    while (next?.waiter.isDead === true) {
      this.#queue.shift();
      next = this.#queue[0];
    }
    if (next === undefined || next.at > moment) return false;
    this.#queue.shift();
    this.#now = Math.max(this.#now, next.at);
    await next.work();
    await this.#settled();
    return true;
  }

  sleep(waiter: Waiter, milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(new Error('aborted'));
      const takeBack = this.in(milliseconds, waiter, resolve);
      const wake = (): void => {
        takeBack();
        reject(new Error('aborted'));
      };
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}

/** A turn of the event loop. */
const nextTurn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

/** What becomes of a call: it may fail, or never be answered, before or after it was done. */
export type Fate = 'ok' | 'fails-before' | 'fails-after' | 'hangs-before' | 'hangs-after';

/** The error of a store that failed, or whose connection broke. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

const bad = ['fails-before', 'fails-after', 'hangs-before', 'hangs-after'] as const;

/** Every driver gives up a connection without an answer by then. */
const LONGEST_HANG_MS = 3_600_000;

/** What is called, in words; asked only when somebody wants to read a history. */
export type Label = () => string;

/** Calls that take time, both ways, and fail by chance. What was sent arrives; only the living hear the answer. */
export class SlowCalls {
  readonly #timeline: Timeline;
  readonly #chance: Chance;
  readonly #faultProfile: FaultProfile;
  /** Hears of each call when it arrives. */
  onCall: ((waiter: Waiter, label: Label, fate: Fate) => void) | undefined;
  #areFaultsOver = false;
  #hung: { readonly waiter: Waiter; readonly reject: (error: unknown) => void }[] = [];

  constructor(timeline: Timeline, chance: Chance, faultProfile: FaultProfile) {
    this.#timeline = timeline;
    this.#chance = chance;
    this.#faultProfile = faultProfile;
  }

  /** Ends all faults; a call that hangs fails, as with a lost connection. */
  heal(): void {
    this.#areFaultsOver = true;
    for (const { waiter, reject } of this.#hung) {
      if (!waiter.isDead) reject(new StoreFault('the connection was lost'));
    }
    this.#hung = [];
  }

  isUnlucky(share: number): boolean {
    return !this.#areFaultsOver && share > 0 && this.#chance.is(share);
  }

  toStore<T>(waiter: Waiter, label: Label, work: () => Promise<T>): Promise<T> {
    const fate = this.isUnlucky(this.#faultProfile.storeFaults) ? this.#chance.pick(bad) : 'ok';
    return this.#call(waiter, { label, work, fate }, this.#wait(3, 2_000));
  }

  toGateway<T>(waiter: Waiter, label: Label, work: () => Promise<T>): Promise<T> {
    return this.#call(waiter, { label, work, fate: 'ok' }, this.#wait(120, 4_500));
  }

  #call<T>(
    waiter: Waiter,
    { label, work, fate }: { label: Label; work: () => Promise<T>; fate: Fate },
    [thereMs, backMs]: readonly [number, number],
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const hear = (tell: () => void): void => void this.#timeline.in(backMs, waiter, tell);
      const fail = (): void => reject(new StoreFault(fate));
      this.#timeline.in(thereMs, world, () => {
        this.onCall?.(waiter, label, fate);
        if (fate === 'fails-before') return hear(fail);
        const hang = (): void => {
          // A call that was under way when the faults ended fails as well.
          if (this.#areFaultsOver) return hear(fail);
          this.#hung.push({ waiter, reject });
          this.#timeline.in(LONGEST_HANG_MS, waiter, fail);
        };
        if (fate === 'hangs-before') return hang();
        const answer = (ending: () => void): void => {
          if (fate === 'hangs-after') hang();
          else hear(fate === 'fails-after' ? fail : ending);
        };
        // Not waited for here: an answer may never come.
        work().then(
          (value) => answer(() => resolve(value)),
          (error: unknown) => answer(() => reject(error)),
        );
      });
    });
  }

  #wait(usualMs: number, slowMs: number): readonly [number, number] {
    const most = this.isUnlucky(this.#faultProfile.slowness) ? slowMs : usualMs;
    return [this.#chance.whole(0, most), this.#chance.whole(0, most)];
  }
}

/** What a process asks of the gateway. */
export type AskedGateway = FlowContext<unknown>['gateway'];

type Method = (...given: readonly unknown[]) => Promise<unknown>;

/** Some methods of an object, each called in another way. */
function through(
  whole: object,
  names: readonly string[],
  call: (name: string, method: Method, given: readonly unknown[]) => Promise<unknown>,
): object {
  const methods = names.map((name) => {
    // Looked up at each call: a test may put another in its place.
    const method: Method = (...given) =>
      Reflect.apply(Reflect.get(whole, name) as Method, whole, given);
    return [name, (...given: readonly unknown[]) => call(name, method, given)];
  });
  return Object.fromEntries(methods) as object;
}

/** What the flows ask a gateway for. */
const questions = 'createPaymentLink retrieveStatus refund capture void chargeRecurring sale'.split(
  ' ',
);

/** The gateway as one process reaches it: requests and answers are on their way for a while. */
export const slowGateway = (gateway: SimulatedGateway, calls: SlowCalls, waiter: Waiter) =>
  through(gateway, questions, (name, method, given) => {
    const words = (): string => JSON.stringify({ ...(given[0] as object), card: undefined });
    return calls.toGateway(
      waiter,
      () => `gateway ${name} ${words()}`,
      () => method(...given),
    );
  }) as AskedGateway;

/** How a process reaches its store. */
interface Reach {
  readonly calls: SlowCalls;
  readonly waiter: Waiter;
  /** Called after each call that may have changed something. */
  readonly onWrite: () => void;
}

/** The store's calls that read, and those that may change what the rules are held against. */
const readings =
  'load list figures history claimEvents endDelivery deadLetters count bind archive'.split(' ');
const writings = ['take', 'claimDue', 'save'];

/** A store as one process reaches it: each call takes its time, and may fail or hang. */
export function slowStore<Tx>(store: Store<Tx>, { calls, waiter, onWrite }: Reach): Store<Tx> {
  const slow = (whole: object, names: readonly string[]): object =>
    through(whole, names, (name, method, given) => {
      const work = (): Promise<unknown> => method(...given);
      const [first] = given;
      const words = (): string => (typeof first === 'string' ? first : wordsOf(first));
      return calls.toStore(
        waiter,
        () => `store ${name} ${words()}`,
        writings.includes(name) ? () => work().finally(onWrite) : work,
      );
    });
  return {
    ...(slow(store, [...readings, ...writings]) as Store<Tx>),
    hookStyle: store.hookStyle,
    health: slow(store.health, ['backlog']) as Store<Tx>['health'],
    open: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** What is saved, in words. */
function wordsOf(given: unknown): string {
  if (typeof given !== 'object' || given === null || !('record' in given)) return '';
  const { record, entry, events } = given as Save;
  const { payment, attempts, operations } = record;
  return [
    `${payment.orderId} version ${payment.version}: ${payment.state}`,
    ...(entry === null ? ['times only'] : []),
    ...attempts.map((one) => `${one.merchantOrderId} ${one.state}`),
    ...operations.map((one) => `${one.id} ${one.state}`),
    ...events.map((one) => `event ${one.type}`),
  ].join(', ');
}

/** A shipped order, and whether it was shipped at a price that the order had at that time. */
export interface Shipment {
  readonly orderId: string;
  readonly isAtPrice: boolean;
}

/** The price is asked before the commit, and a slow store commits so much later at most. */
const COMMIT_MS = 60_000;

const FIRST_PRICE = '115.00';

/** The orders' prices, now and before. */
export class Prices {
  readonly #before: {
    readonly orderId: string;
    readonly amount: string | null;
    readonly until: number;
  }[] = [];
  readonly #now = new Map<string, string | null>();

  /** `null` for an order that vanished. */
  of(orderId: string): string | null {
    const amount = this.#now.get(orderId);
    return amount === undefined ? FIRST_PRICE : amount;
  }

  set(orderId: string, amount: string | null, now: number): void {
    this.#before.push({ orderId, amount: this.of(orderId), until: now });
    this.#now.set(orderId, amount);
  }

  /** Whether an order has a price, or had it a moment ago. */
  wasLately(orderId: string, amount: string, now: number): boolean {
    if (this.of(orderId) === amount) return true;
    return this.#before.some(
      (one) => one.orderId === orderId && one.amount === amount && one.until > now - COMMIT_MS,
    );
  }
}
