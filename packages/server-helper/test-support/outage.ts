import { createRecurringTokens } from '../src/flows/money/recurring-tokens.ts';
import { PaymentFlows } from '../src/flows/payment-flows.ts';
import { backgroundWork, repeat } from '../src/flows/background/tick.ts';
import { silentLogger } from '../src/logger.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { Chance } from './histories/chance.ts';
import { Timeline, type Waiter } from './histories/world.ts';
import { SimulatedGateway } from './simulated-gateway.ts';

const SECOND_MS = 1_000;
/** How long a well gateway takes to answer. */
const ANSWER_MS = 300;
/** How long the client's breaker holds a question back while the gateway is away. */
const HELD_BACK_MS = 6 * SECOND_MS;

const address = (orderId: string): string => `https://shop.example/${orderId}`;

/** A shop with many open links, and a gateway that goes away and comes back, in virtual time. */
export class Outage {
  /** When each status call was sent, in milliseconds since the epoch. */
  readonly calls: number[] = [];
  readonly orderIds: string[] = [];
  readonly #timeline = new Timeline();
  readonly #chance = new Chance(1);
  readonly #store = memoryStore();
  readonly #gateway = new DistantGateway(
    () => this.#timeline.now,
    () => this.#travel(),
  );
  readonly #waiter: Waiter = { isDead: false };
  readonly #processes: readonly PaymentFlows<unknown>[];

  constructor(processes: number) {
    this.#processes = Array.from({ length: processes }, () => this.#process());
  }

  /** Makes links of new orders, spread over a time. @returns the orders. */
  async openLinks(count: number, overMs: number): Promise<readonly string[]> {
    const orderIds = Array.from(
      { length: count },
      (_one, index) => `o-${this.orderIds.length + index}`,
    );
    const [first] = this.#processes;
    orderIds.forEach((orderId, index) => {
      this.#timeline.in((index / count) * overMs, this.#waiter, () => first?.ensureLink(orderId));
    });
    this.orderIds.push(...orderIds);
    await this.pass(overMs);
    return orderIds;
  }

  /** Every process begins its background work. */
  startWatch(): void {
    for (const flows of this.#processes) {
      for (const work of backgroundWork) {
        const { signal } = new AbortController();
        void repeat(() => flows.background(work, signal), this.#clock, rethrow, signal);
      }
    }
  }

  get now(): number {
    return this.#timeline.now;
  }

  begin(): void {
    this.#gateway.mood = 'status-unreachable';
  }

  end(): void {
    this.#gateway.mood = 'well';
  }

  payAll(): void {
    for (const { id } of this.#gateway.sessions.values()) this.#gateway.pay(id, true);
  }

  payNewest(): void {
    const newest = [...this.#gateway.sessions.values()].at(-1);
    if (newest !== undefined) this.#gateway.pay(newest.id, true);
  }

  pass(milliseconds: number): Promise<void> {
    return this.#timeline.runUntil(this.#timeline.now + milliseconds);
  }

  /** Somebody asks about an order now. */
  async check(orderId: string): Promise<void> {
    void this.#processes[0]?.confirm(orderId);
    await this.pass(SECOND_MS);
  }

  /** The webhook of an order's first link arrives. */
  async hint(orderId: string): Promise<void> {
    await this.#processes[0]?.hint(`${orderId}~1`);
  }

  async isKnown(orderId: string): Promise<boolean> {
    return (await this.#store.load(orderId))?.payment.state === 'paid';
  }

  /** How many orders are known to be paid. */
  async known(): Promise<number> {
    const known = await Promise.all(this.orderIds.map((orderId) => this.isKnown(orderId)));
    return known.filter(Boolean).length;
  }

  /** The most status calls that were sent within any second since a moment. */
  mostInASecond(since = 0): number {
    const calls = this.calls.filter((at) => at >= since);
    const within = calls.map((end) => calls.filter((at) => at > end - SECOND_MS && at <= end));
    return Math.max(0, ...within.map(({ length }) => length));
  }

  get #clock() {
    const timeline = this.#timeline;
    return {
      now: () => timeline.now,
      sleep: (milliseconds: number, signal?: AbortSignal) =>
        timeline.sleep(this.#waiter, milliseconds, signal),
    };
  }

  /** A question to a gateway that is away waits for its turn at the breaker before it is sent. */
  async #travel(): Promise<void> {
    const isAway = this.#gateway.mood !== 'well';
    if (isAway) await this.#timeline.sleep(this.#waiter, HELD_BACK_MS);
    this.calls.push(this.#timeline.now);
    await this.#timeline.sleep(this.#waiter, ANSWER_MS);
  }

  #process(): PaymentFlows<unknown> {
    return new PaymentFlows<unknown>({
      store: this.#store,
      gateway: this.#gateway,
      scope: 'outage',
      clock: this.#clock,
      random: () => this.#chance.next(),
      logger: silentLogger,
      loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
      recurringTokens: createRecurringTokens(['secret-of-the-simulated-shop']),
      inTransaction: undefined,
      on: {},
      addresses: {
        returnUrls: (orderId) => ({ successUrl: address(orderId), failureUrl: address(orderId) }),
        statusUrl: address,
      },
    });
  }
}

/** A gateway whose status answers take their time. */
class DistantGateway extends SimulatedGateway {
  readonly #travel: () => Promise<void>;

  constructor(now: () => number, travel: () => Promise<void>) {
    super(now);
    this.#travel = travel;
  }

  override async retrieveStatus(...given: Parameters<SimulatedGateway['retrieveStatus']>) {
    await this.#travel();
    return super.retrieveStatus(...given);
  }
}

function rethrow(error: unknown): never {
  throw error;
}
