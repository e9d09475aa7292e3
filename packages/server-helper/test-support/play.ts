import type { OrderId } from './order-ids.ts';
import { Simulation, type Step, type Turns } from './simulation.ts';
import { memoryStore } from '../src/stores/memory/memory-store.ts';
import type { Store } from '../src/stores/store.ts';

/** A simulation with the words that its tests read by. */
export class Play {
  readonly simulation: Simulation;
  readonly orderId: OrderId = 'a';

  constructor(store: Store<unknown> = memoryStore(), turns: Turns = {}) {
    this.simulation = new Simulation(store, turns);
  }

  get money() {
    return this.simulation.money();
  }

  get transactions() {
    return this.simulation.gateway.transactions;
  }

  async steps(...steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.simulation.run(step, 'honest');
  }

  /** Time passes, and the background work is done. */
  async later(milliseconds = 20_000): Promise<void> {
    await this.steps({ kind: 'wait', milliseconds }, { kind: 'tick' }, { kind: 'tick' });
  }

  /** Makes the order paid by its first link. */
  async payByLink(): Promise<void> {
    const { orderId } = this;
    await this.steps({ kind: 'want-to-pay', orderId });
    await this.steps({ kind: 'pay', orderId, pick: 0, isApproved: true });
    await this.steps({ kind: 'confirm', orderId });
  }

  async record() {
    const record = await this.simulation.record(this.orderId);
    if (record === null) throw new Error('no record');
    return record;
  }

  async payment() {
    return (await this.record()).payment;
  }

  /** How often an operation was sent. */
  sent(operation: string): number {
    return this.transactions.posts.filter((post) => post.operation === operation).length;
  }
}
