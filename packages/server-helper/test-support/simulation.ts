import type { Clock } from '../src/clock.ts';
import { moneyVerbs, type MoneyVerbs } from '../src/flows/money/money-verbs.ts';
import { PaymentFlows } from '../src/flows/payment-flows.ts';
import { GatewayError } from '../src/gateway/gateway-error.ts';
import { silentLogger } from '../src/logger.ts';
import type { PaymentEvent, PaymentRecord } from '../src/payments/payment-record.ts';
import { PaymentsError } from '../src/errors.ts';
import type { History, Store } from '../src/stores/store.ts';
import { faultyStore, type Faults } from '../src/doubles/faulty-store.ts';
import { ORDER_IDS, type OrderId } from './order-ids.ts';
import { QuietTime } from './quiet-time.ts';
import { isMoneyStep, playMoney, type MoneyStage, type MoneyStep } from './money-steps.ts';
import { SimulatedGateway, type GatewayMood } from './simulated-gateway.ts';

/** Long enough for every status check of the watch schedule, in hours between ticks. */
const SETTLING_HOURS = [
  0.1,
  0.1,
  ...Array.from({ length: 55 }, () => 1.3),
  30,
  30,
  30,
  30,
  30,
  30,
  30,
  30,
];

/** Turns of the event loop after which whoever works on in memory has ended. */
const QUIET_TURNS = 30;

/** One thing that happens. */
export type Step =
  | { readonly kind: 'want-to-pay' | 'two-tabs' | 'confirm' | 'cancel'; readonly orderId: OrderId }
  | {
      readonly kind: 'pay';
      readonly orderId: OrderId;
      readonly pick: number;
      readonly isApproved: boolean;
    }
  | { readonly kind: 'hint'; readonly orderId: OrderId; readonly garbage: string }
  | { readonly kind: 'reprice'; readonly orderId: OrderId; readonly amount: string }
  | { readonly kind: 'mood'; readonly mood: GatewayMood }
  | { readonly kind: 'store-fault'; readonly fault: Exclude<Faults, 'ok'> }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'tick' | 'crowd' | 'restart' }
  | MoneyStep;

/** How hints read: as the gateway would write them, or as an attacker would. */
export type HintContent = 'honest' | 'garbage';

/** Errors by which the kit says that it could not do something; anything else is a bug. */
const isExpected = (error: unknown): boolean =>
  error instanceof PaymentsError || error instanceof GatewayError || nameIs(error, 'StoreFault');

const nameIs = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name;

/** How others are let run. */
export interface Turns {
  /** Lets others run; with a real database, long enough for its answers. */
  readonly turn?: () => Promise<unknown>;
  /** After so many, whoever works on has ended. */
  readonly turns?: number;
}

/** A shop, a gateway, a store and several processes, driven step by step. */
export class Simulation {
  readonly gateway = new SimulatedGateway(() => this.#time.now);
  readonly shipped: string[] = [];
  readonly told: PaymentEvent[] = [];
  readonly refunded: PaymentEvent[] = [];
  readonly #prices = new Map<string, string>(ORDER_IDS.map((orderId) => [orderId, '115.00']));
  readonly #store: Store<unknown>;
  readonly #faulty: Store<unknown>;
  readonly #turn: () => Promise<unknown>;
  readonly #turns: number;
  #fault: Faults = 'ok';
  readonly #time: QuietTime;
  #processes: readonly PaymentFlows<unknown>[] = [];

  constructor(store: Store<unknown>, { turn = nextTurn, turns = QUIET_TURNS }: Turns = {}) {
    this.#store = store;
    this.#turn = turn;
    this.#turns = turns;
    this.#time = new QuietTime(turn, turns);
    this.#faulty = faultyStore(store, () => {
      const fault = this.#fault;
      this.#fault = 'ok';
      return fault;
    });
    this.#processes = [this.#start(), this.#start()];
  }

  /** The operations that move money, as one of the processes offers them. */
  money(process: 0 | 1 = 0): MoneyVerbs {
    const flows = this.#processes[process];
    if (flows === undefined) throw new Error('no process');
    return moneyVerbs<unknown>((work) => flows.run(work));
  }

  record(orderId: OrderId): Promise<PaymentRecord | null> {
    return this.#store.load(orderId);
  }

  history(orderId: OrderId): Promise<History> {
    return this.#store.history(orderId);
  }

  async run(step: Step, content: HintContent): Promise<void> {
    const [first, second] = this.#processes;
    if (first === undefined || second === undefined) throw new Error('no process');
    const tried = (work: Promise<unknown>): Promise<unknown> => work.catch(rethrowUnexpected);
    // Whoever dies in the middle is waited for by nobody.
    if (isMoneyStep(step)) {
      const played = tried(playMoney(step, this.#stage));
      return void (await Promise.race([played, this.#wait(played)]));
    }
    switch (step.kind) {
      case 'want-to-pay':
        return void (await tried(first.ensureLink(step.orderId)));
      case 'two-tabs':
        return void (await Promise.all(
          [first, second, first].map((one) => tried(one.ensureLink(step.orderId))),
        ));
      case 'confirm':
        return void (await tried(second.confirm(step.orderId)));
      case 'cancel':
        return void (await tried(first.cancel(step.orderId)));
      case 'pay':
        return this.#pay(step.orderId, step.pick, step.isApproved);
      case 'hint':
        await tried(first.hint(content === 'honest' ? `${step.orderId}~1` : step.garbage));
        return this.quiet();
      case 'reprice':
        return void this.#prices.set(step.orderId, step.amount);
      case 'mood':
        this.gateway.mood = step.mood;
        return;
      case 'store-fault':
        this.#fault = step.fault;
        return;
      case 'wait':
        this.#time.now += step.milliseconds;
        return;
      case 'tick':
        return void (await tried(second.tick()));
      case 'crowd':
        return void (await Promise.all(
          ORDER_IDS.flatMap((orderId) => [
            tried(first.confirm(orderId)),
            tried(second.confirm(orderId)),
            tried(second.tick()),
          ]),
        ));
      case 'restart':
        this.#processes = [this.#start(), this.#start()];
        return;
    }
  }

  /** Faults end; time passes and both processes tick, until everything watched was looked at. */
  async settle(): Promise<void> {
    this.gateway.mood = 'well';
    this.gateway.transactions.mood = 'well';
    this.gateway.transactions.settlesRefundsAtOnce = true;
    this.gateway.transactions.settleRefunds();
    this.#fault = 'ok';
    for (const hours of SETTLING_HOURS) {
      this.#time.now += hours * 3_600_000;
      for (const process of this.#processes) await process.tick();
    }
  }

  /** A shopper has the address of every link that any tab was ever sent to; any of them may be paid. */
  #pay(orderId: OrderId, pick: number, isApproved: boolean): void {
    const own = [...this.gateway.sessions.values()].filter((one) => one.orderId === orderId);
    const session = own[pick % Math.max(1, own.length)];
    if (session !== undefined) this.gateway.pay(session.id, isApproved);
  }

  /** What goes on without anyone waiting ends, so that nothing is seen half done. */
  async quiet(): Promise<void> {
    for (let turn = 0; turn < this.#turns; turn += 1) await this.#turn();
  }

  get #stage(): MoneyStage {
    return {
      money: this.money(),
      gateway: this.gateway,
      record: (orderId) => this.record(orderId),
    };
  }

  /** Resolves when work that never ends has done all that it will. */
  async #wait(work: Promise<unknown>): Promise<void> {
    if (!this.gateway.transactions.mood.startsWith('dies')) await work;
    for (let turns = 0; turns < 4; turns += 1) await this.quiet();
  }

  #start(): PaymentFlows<unknown> {
    const time = this.#time;
    const clock: Clock = { now: () => time.now, sleep: (...wait) => time.sleep(...wait) };
    const address = (orderId: string): string => `https://shop.example/${orderId}`;
    return new PaymentFlows<unknown>({
      gateway: this.gateway,
      scope: 'simulation',
      store: this.#faulty,
      clock,
      random: () => 0.5,
      logger: silentLogger,
      loadOrder: (orderId) => ({
        orderId,
        amount: this.#prices.get(orderId) ?? '115.00',
        customer: { phone: '0501234567' },
      }),
      inTransaction: (_tx, event) => {
        if (event.type === 'paid') this.shipped.push(event.orderId);
      },
      on: {
        paid: (event) => void this.told.push(event),
        refunded: (event) => void this.refunded.push(event),
      },
      addresses: {
        returnUrls: (orderId) => ({ successUrl: address(orderId), failureUrl: address(orderId) }),
        statusUrl: address,
      },
    });
  }
}

/** A turn of the event loop. */
const nextTurn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

function rethrowUnexpected(error: unknown): void {
  if (!isExpected(error)) throw error;
}
