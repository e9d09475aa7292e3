import type { MoneyVerbs } from '../src/flows/money/money-verbs.ts';
import { GatewayError } from '../src/gateway/gateway-error.ts';
import type { PaymentEvent, PaymentRecord } from '../src/payments/record.ts';
import { PaymentsError } from '../src/errors.ts';
import { type Faults, faultyStore } from '../src/doubles/faulty-store.ts';
import type { History, Store } from '../src/stores/store.ts';
import { flowStore, freshStore, type FreshStore } from './every-store.ts';
import { Shop, type ShopProcess } from './histories/shop.ts';
import { ask, type Asking } from './histories/perform.ts';
import type { OfOrder, OrderId } from './histories/history.ts';
import type { GatewayMood } from './simulated-answers.ts';

/** One thing that happens. */
export type Step =
  | Asking
  | OfOrder<'hint'>
  | OfOrder<'pay', { pick: number; isApproved: boolean }>
  | OfOrder<'reprice', { amount: string }>
  | { readonly kind: 'mood'; readonly mood: GatewayMood }
  | { readonly kind: 'store-fault'; readonly fault: Exclude<Faults, 'ok'> }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'restart' };

/** No chance: no call fails, and none takes time. */
const calm = { storeFaults: 0, slowness: 0, handlerFaults: 0, hasHandlersEverywhere: true };

/** The simulated shop and gateway of the histories, with a script in place of chance. */
export class ScriptedShop {
  readonly orderId: OrderId = 'a';
  readonly #fresh: FreshStore;
  readonly #shop: Shop;
  /** The work that time passes for. */
  readonly #waitedFor = new Set<Promise<unknown>>();
  #passing: Promise<void> | undefined;
  #fault: Faults = 'ok';

  private constructor(fresh: FreshStore) {
    this.#fresh = fresh;
    const faulty = faultyStore(fresh.store, () => {
      const fault = this.#fault;
      this.#fault = 'ok';
      return fault;
    });
    this.#shop = new Shop({
      store: faulty,
      seed: 1,
      faultProfile: calm,
      settled: fresh.settled,
      isScripted: true,
    });
  }

  /** Opens a shop on an empty store. */
  static async open(name = flowStore): Promise<ScriptedShop> {
    return new ScriptedShop(await freshStore(name, 'simulation'));
  }

  /** Ends what the store holds, once the store has answered all that it was asked. */
  end(): Promise<void> {
    return this.#fresh.end();
  }

  /** The store behind the faults of {@link Step}. */
  get store(): Store<unknown> {
    return this.#fresh.store;
  }

  get gateway() {
    return this.#shop.gateway;
  }

  get transactions() {
    return this.gateway.transactions;
  }

  get shipped(): readonly string[] {
    return this.#shop.shipped.map(({ orderId }) => orderId);
  }

  /** The events of a type that a handler took. */
  events(type: PaymentEvent['type']): readonly PaymentEvent[] {
    return [...this.#shop.told.values()].filter((event) => event.type === type);
  }

  /** The operations that move money, as one of the processes offers them. */
  money(process: 0 | 1 = 0): MoneyVerbs {
    const { money } = this.#process(process);
    return new Proxy(money, {
      get: (verbs, name) => {
        const verb: unknown = Reflect.get(verbs, name);
        if (typeof verb !== 'function') return verb;
        return (...given: unknown[]) => this.#drive(Reflect.apply(verb, verbs, given));
      },
    });
  }

  /** The record of an order; null while there is none. */
  find(orderId: OrderId): Promise<PaymentRecord | null> {
    return this.#shop.record(orderId);
  }

  async record(): Promise<PaymentRecord> {
    const record = await this.find(this.orderId);
    if (record === null) throw new Error('no record');
    return record;
  }

  async payment() {
    return (await this.record()).payment;
  }

  history(orderId: OrderId): Promise<History> {
    return this.#shop.history(orderId);
  }

  /** How often an operation was sent. */
  sent(operation: string): number {
    return this.transactions.posts.filter((post) => post.operation === operation).length;
  }

  async steps(...steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#run(step);
  }

  /** Time passes, and the background work is done. */
  async later(milliseconds = 20_000): Promise<void> {
    await this.steps({ kind: 'wait', milliseconds }, { kind: 'tick' }, { kind: 'tick' });
  }

  /** Makes an order paid by its first link. */
  async payByLink(orderId = this.orderId, isApproved = true): Promise<void> {
    await this.steps(
      { kind: 'want-to-pay', orderId },
      { kind: 'pay', orderId, pick: 0, isApproved },
      { kind: 'confirm', orderId },
    );
  }

  /** Work that no test waits for goes on, as far as it can without time. */
  quiet(): Promise<void> {
    return this.#pass(0);
  }

  async #run(step: Step): Promise<void> {
    const [first, second] = [this.#process(0), this.#process(1)];
    if (step.kind === 'hint') {
      await this.#try(first.flows.hint(`${step.orderId}~1`));
      await this.quiet();
    } else if (step.kind === 'pay') this.#pay(step);
    else if (step.kind === 'reprice') {
      this.#shop.prices.set(step.orderId, step.amount, this.#shop.timeline.now);
    } else if (step.kind === 'mood') this.gateway.mood = step.mood;
    else if (step.kind === 'store-fault') this.#fault = step.fault;
    else if (step.kind === 'wait') await this.#pass(step.milliseconds);
    else if (step.kind === 'restart') {
      for (const process of [first, second]) this.#shop.crash(process, 0);
      await this.quiet();
    } else {
      const process = step.kind === 'confirm' || step.kind === 'tick' ? second : first;
      await this.#try(ask(this.#shop, process, step));
    }
  }

  /** A shopper has the address of every link that any tab was ever sent to. */
  #pay({ orderId, pick, isApproved }: Extract<Step, { readonly kind: 'pay' }>): void {
    const own = [...this.gateway.sessions.values()].filter((one) => one.orderId === orderId);
    const session = own[pick % Math.max(1, own.length)];
    if (session !== undefined) this.gateway.pay(session.id, isApproved);
  }

  #process(number: 0 | 1): ShopProcess {
    const process = this.#shop.process(number);
    if (process === undefined) throw new Error('no process');
    return process;
  }

  /** Errors by which the kit says that it could not do something are part of a script. */
  async #try(work: Promise<unknown>): Promise<void> {
    await this.#drive(work).catch((error: unknown) => {
      const isFault = error instanceof Error && error.name === 'StoreFault';
      if (!isFault && !(error instanceof PaymentsError || error instanceof GatewayError)) {
        throw error;
      }
    });
  }

  /** Lets time pass until some work has ended, or can go on by no time that passes. */
  async #drive<T>(work: Promise<T>): Promise<T> {
    this.#waitedFor.add(work);
    const isOver = (): unknown => this.#waitedFor.delete(work);
    work.then(isOver, isOver);
    this.#passing ??= this.#shop.timeline
      .runWhile(() => this.#waitedFor.size > 0)
      .finally(() => {
        this.#waitedFor.clear();
        this.#passing = undefined;
      });
    await this.#passing;
    return work;
  }

  async #pass(milliseconds: number): Promise<void> {
    await this.#passing;
    const { timeline } = this.#shop;
    await timeline.runUntil(timeline.now + milliseconds);
  }
}
