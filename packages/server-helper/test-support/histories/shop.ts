import { AlignedClock } from '../../src/clock.ts';
import { createRecurringTokens } from '../../src/flows/money/recurring-tokens.ts';
import { moneyVerbs, type MoneyVerbs } from '../../src/flows/money/money-verbs.ts';
import type { StatusReadings } from '../../src/flows/confirm/ask.ts';
import { UnknownLinks } from '../../src/flows/confirm/unknown-links.ts';
import { PaymentFlows } from '../../src/flows/payment-flows.ts';
import type { EventHandlers } from '../../src/options/payments-options.ts';
import type { Logger } from '../../src/logger.ts';
import type { PaymentEvent, PaymentEventType, PaymentRecord } from '../../src/payments/record.ts';
import type { History as StoredHistory, Store } from '../../src/stores/store.ts';
import type { OrderId } from './history.ts';
import { SimulatedGateway } from '../simulated-gateway.ts';
import type { Deed, FaultProfile } from './history.ts';
import { Chance } from './chance.ts';
import {
  Prices,
  type Shipment,
  SlowCalls,
  slowGateway,
  slowStore,
  StoreFault,
  Timeline,
  type Waiter,
  world,
} from './world.ts';
import type { Variant } from './variant-parts.ts';

/** One of the shop's processes. A killed process never hears an answer that it waited for. */
export interface ShopProcess extends Waiter {
  isDead: boolean;
  readonly number: number;
  readonly flows: PaymentFlows<unknown>;
  readonly money: MoneyVerbs;
  readonly sees: (deed: Deed) => void;
}

const eventTypes: readonly PaymentEventType[] = [
  'paid',
  'failed',
  'expired',
  'paidLate',
  'duplicateCharge',
  'review',
  'refunded',
  'authorized',
  'captured',
  'voided',
  'charged',
];

const address = (orderId: string): string => `https://shop.example/${orderId}`;

/** The customer's phone, which must be in no log and no record. */
export const aPhone = '0501234567';

/** What a shop is made of. */
export interface ShopOptions {
  readonly store: Store<unknown>;
  readonly seed: number;
  readonly faultProfile: FaultProfile;
  readonly variant?: Variant | undefined;
  /** Receives a line for each thing that happens. */
  readonly write?: ((line: string) => void) | undefined;
  /** Resolves when a real database has answered. */
  readonly settled?: (() => Promise<unknown>) | undefined;
  /**
   * What the gateway is asked for. It is asked about transactions that hints name where it knows no
   * session (`either`), or about these alone. @defaultValue sessions
   */
  readonly asksFor?: StatusReadings['asksFor'] | undefined;
}

/** A shop of several processes on one store, and a gateway, in virtual time. */
export class Shop {
  readonly timeline: Timeline;
  readonly calls: SlowCalls;
  readonly gateway: SimulatedGateway;
  readonly chance: Chance;
  /** For choices after the faults, which a smaller form of the history takes alike. */
  readonly lastChance: Chance;
  /** What was shipped inside the commit, by `inTransaction`. */
  readonly shipped: Shipment[] = [];
  /** Events that a handler took, by their ids, in the order in which each was taken first. */
  readonly told = new Map<string, PaymentEvent>();
  readonly logged: unknown[] = [];
  /** Sessions whose address a shopper has. */
  readonly handedOut = new Set<string>();
  /** Transactions that an order has for certain. */
  readonly bound = new Set<string>();
  /** Errors that are bugs. */
  readonly broken: unknown[] = [];
  /** Writes a line about what happens; absent without a reader. */
  readonly #write: ((line: string) => void) | undefined;
  readonly prices = new Prices();
  /** Since when no status call was answered; absent while they are. */
  awaySince: number | undefined;
  /** How far the clock of its machine is ahead. */
  #aheadMs = 0;
  hasLeapt = false;
  /** Whether the store was written since the last check. */
  isWritten = false;
  processes: ShopProcess[] = [];
  readonly asksFor: StatusReadings['asksFor'];
  readonly #options: ShopOptions;
  readonly #begun: number;

  constructor(options: ShopOptions) {
    const { seed, faultProfile, write, settled } = options;
    const { asksFor = 'session' } = options;
    this.#options = options;
    this.timeline = new Timeline(settled);
    this.#begun = this.timeline.now;
    this.#write = write;
    this.chance = new Chance(seed ^ 0x5bd1_e995);
    this.lastChance = new Chance(seed ^ 0x1b87_3593);
    this.calls = new SlowCalls(this.timeline, this.chance, faultProfile);
    let ids = 0;
    this.gateway = new SimulatedGateway(
      () => this.timeline.now,
      () => `id-${(ids += 1)}`,
    );
    this.asksFor = asksFor;
    this.gateway.answersTransactions = asksFor !== 'session';
    this.gateway.writesOddly = seed % 3 === 0;
    // Else only the rare mood for it would lead to a question about a transaction.
    if (asksFor === 'either') this.gateway.mood = 'status-not-found';
    this.processes = [0, 1].map((number) => this.#start(number));
    if (write !== undefined) {
      this.calls.onCall = (waiter, label, fate) => {
        const number = this.processes.find((one) => one === waiter)?.number ?? 'that died';
        this.tell(() => `process ${number} → ${label()}${fate === 'ok' ? '' : ` (${fate})`}`);
      };
    }
  }

  /** Tells a reader, if there is one. */
  tell(line: () => string): void {
    if (this.#write === undefined) return;
    const seconds = (this.timeline.now - this.#begun) / 1_000;
    this.#write(`${seconds.toFixed(3).padStart(10)} s  ${line()}`);
  }

  record(orderId: OrderId): Promise<PaymentRecord | null> {
    return this.#options.store.load(orderId);
  }

  history(orderId: OrderId): Promise<StoredHistory> {
    return this.#options.store.history(orderId);
  }

  /** The process with a number, or another that lives. */
  process(number: number): ShopProcess | undefined {
    const living = this.processes.filter(({ isDead }) => !isDead);
    return living[number % living.length];
  }

  /** Kills a process, and starts another in its place after a while. */
  crash(process: ShopProcess, downMs: number): void {
    process.isDead = true;
    this.timeline.in(downMs, world, () => this.#restart(process));
  }

  /** The clock of the machine leaps ahead, and back after a while. */
  leap(aheadMs: number, forMs: number): void {
    this.#aheadMs = aheadMs;
    this.hasLeapt = true;
    this.timeline.in(forMs, world, () => (this.#aheadMs = 0));
  }

  /** What the clock of the machine says. */
  get now(): number {
    return this.timeline.now + this.#aheadMs;
  }

  /** No more faults: every process runs, the gateway is well, handlers work. */
  heal(): void {
    const { gateway } = this;
    this.#aheadMs = 0;
    gateway.mood = 'well';
    gateway.transactions.mood = 'well';
    gateway.transactions.settlesRefundsAtOnce = true;
    gateway.transactions.settleRefunds();
    for (const process of this.processes) if (process.isDead) this.#restart(process);
    this.calls.heal();
  }

  #restart(dead: ShopProcess): void {
    const index = this.processes.indexOf(dead);
    if (index >= 0) this.processes[index] = this.#start(dead.number);
  }

  #start(number: number): ShopProcess {
    const { timeline, calls, gateway } = this;
    const { store, variant, faultProfile } = this.#options;
    const waiter = { isDead: false };
    const onWrite = (): void => void (this.isWritten = true);
    const whole = {
      store: slowStore(store, { calls, waiter, onWrite }),
      gateway: slowGateway(gateway, calls, waiter),
    };
    const parts: ReturnType<Variant> = variant?.(whole) ?? whole;
    const flows = new PaymentFlows<unknown>({
      store: parts.store,
      gateway: parts.gateway,
      readings: { asksFor: this.asksFor, notFound: 'unknown' },
      unknownLinks: new UnknownLinks(),
      scope: 'simulation',
      clock: new AlignedClock({
        now: () => this.now,
        sleep: (milliseconds, signal) => timeline.sleep(waiter, milliseconds, signal),
        monotonic: () => timeline.now,
      }),
      random: () => this.chance.next(),
      logger: this.#logger(),
      loadOrder: (orderId) => {
        if (this.calls.isUnlucky(faultProfile.storeFaults)) {
          throw new StoreFault('the shop’s own database failed');
        }
        const amount = this.prices.of(orderId);
        return amount === null ? null : { orderId, amount, customer: { phone: aPhone } };
      },
      ...(parts.recheckOrder === undefined ? {} : { recheckOrder: parts.recheckOrder }),
      recurringTokens: createRecurringTokens(['secret-of-the-simulated-shop'], (size) =>
        Buffer.alloc(size),
      ),
      inTransaction: (_tx, { type, orderId, amount }) => {
        if (type !== 'paid') return;
        const isAtPrice = this.prices.wasLately(orderId, amount, timeline.now);
        this.shipped.push({ orderId, isAtPrice });
      },
      on: number === 0 || faultProfile.hasHandlersEverywhere ? this.#handlers() : {},
      addresses: {
        returnUrls: (orderId) => ({ successUrl: address(orderId), failureUrl: address(orderId) }),
        statusUrl: address,
      },
    });
    const money = moneyVerbs<unknown>((work) => flows.run(work));
    const sees = parts.sees ?? (() => undefined);
    return Object.assign(waiter, { number, flows, money, sees });
  }

  #handlers(): EventHandlers {
    const handle = (event: PaymentEvent): void => {
      if (this.calls.isUnlucky(this.#options.faultProfile.handlerFaults))
        throw new Error('no luck');
      // The first time counts: an event whose report was lost is delivered again.
      if (!this.told.has(event.id)) this.told.set(event.id, event);
    };
    return Object.fromEntries(eventTypes.map((type) => [type, handle]));
  }

  #logger(): Logger {
    const log = (fields: object, message: string): void => void this.logged.push([fields, message]);
    return { info: log, warn: log, error: log };
  }
}
