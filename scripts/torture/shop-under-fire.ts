import {
  failPoints,
  type FailPoint,
  type FailPointName,
} from '../../packages/server-helper/test-support/torture/fail-point.ts';
import type { ShopSettings } from '../../packages/server-helper/test-support/torture/shop-process.ts';
import { startShop, type Child } from './children.ts';

/** How often what was killed. */
export type Kills = Record<FailPointName | 'at random' | 'the database', number>;

/** The commits or answers that a doomed process still has. */
const MOST_TIMES = 25;

/** The shop's processes, each of which is started again as soon as it has died. */
export class ShopUnderFire {
  readonly kills: Kills = {
    'at random': 0,
    'before-commit': 0,
    'after-commit': 0,
    'after-answer': 0,
    'the database': 0,
  };
  /** The longest time from a death to the next answer of the same process, in milliseconds. */
  longestRestartMs = 0;
  readonly #settings: Omit<ShopSettings, 'failPoint'>;
  readonly #doom: () => FailPoint | null;
  readonly #shops: (Child | undefined)[] = [];
  readonly #lives: Promise<void>[] = [];
  #isOver = false;

  /** @param doom - At which point a process that starts is to die, if at one. */
  constructor(settings: Omit<ShopSettings, 'failPoint'>, doom: () => FailPoint | null) {
    this.#settings = settings;
    this.#doom = doom;
  }

  /** Starts the first process alone, since it makes the tables. */
  async start(processes: number): Promise<void> {
    for (let index = 0; index < processes; index += 1) {
      this.#lives.push(this.#live(index));
      while (this.#shops[0] === undefined) await pause(20);
    }
    while (this.serving < processes) await pause(20);
  }

  /** How many processes serve. */
  get serving(): number {
    return this.#shops.filter((one) => one !== undefined).length;
  }

  /** The address of a process that serves, as a load balancer would choose it. */
  get url(): string | undefined {
    const living = this.#shops.filter((one) => one !== undefined);
    return living[Math.floor(Math.random() * living.length)]?.url;
  }

  get total(): number {
    return Object.values(this.kills).reduce((sum, one) => sum + one, 0);
  }

  /** Kills one of the processes, wherever it is. */
  killOne(): void {
    const living = this.#shops.filter((one) => one !== undefined);
    const target = living[Math.floor(Math.random() * living.length)];
    if (target?.process.kill('SIGKILL') === true) this.kills['at random'] += 1;
  }

  /** No more deaths: those that are still doomed are exchanged. */
  async spare(): Promise<void> {
    this.#isOver = true;
    for (const shop of this.#shops) shop?.process.kill('SIGTERM');
    await Promise.all(this.#lives);
  }

  async #live(index: number): Promise<void> {
    let diedAt: number | undefined;
    while (!this.#isOver) {
      const failPoint = this.#doom();
      const shop = await startShop({ ...this.#settings, failPoint });
      if (diedAt !== undefined) {
        this.longestRestartMs = Math.max(this.longestRestartMs, performance.now() - diedAt);
      }
      this.#shops[index] = shop;
      // It was starting when the others were asked to end, and was not asked.
      if (this.#isOver) shop.process.kill('SIGTERM');
      const before = this.kills['at random'];
      await shop.ended;
      diedAt = performance.now();
      this.#shops[index] = undefined;
      const wasKilled = this.kills['at random'] > before && shop.process.killed;
      if (failPoint !== null && !wasKilled && !this.#isOver) this.kills[failPoint.name] += 1;
    }
  }
}

/** Half of the processes are doomed to die at one of the named points, after a while. */
export function someDoom(): FailPoint | null {
  const name = failPoints[Math.floor(Math.random() * failPoints.length)];
  if (name === undefined || Math.random() < 0.5) return null;
  return { name, times: 1 + Math.floor(Math.random() * MOST_TIMES) };
}

/** Lets time pass. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
