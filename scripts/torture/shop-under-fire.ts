import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import {
  failPoints,
  type FailPoint,
  type FailPointName,
} from '../../packages/server-helper/test-support/torture/fail-point.ts';
import type { ShopSettings } from '../../packages/server-helper/test-support/torture/shop-process.ts';
import { root } from '../process.ts';

const programs = join(root, 'packages/server-helper/test-support/torture');

/** Compiled once, so that the next start is quick. */
const cache = join(root, 'node_modules/.cache/torture');

export type Child = Awaited<ReturnType<typeof start>>;

/** Starts the gateway, whose truth outlives every kill. */
export const startGateway = (): Promise<Child> => start('gateway-process.ts');

/** What all processes of a shop share. */
export type Shared = Omit<ShopSettings, 'failPoint'>;

export const startShop = (shared: Shared, failPoint: FailPoint | null = null): Promise<Child> =>
  start('shop-process.ts', JSON.stringify({ ...shared, failPoint }));

/** Starts a process that serves HTTP and goes away with this one; `ended` settles when it has ended. */
async function start(program: string, ...parameters: readonly string[]) {
  const command = ['--conditions=@pay-button/source', join(programs, program), ...parameters];
  const child = spawn(process.execPath, command, {
    // A Ctrl-C is for the one who tortures; its children hang on its pipes.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NODE_COMPILE_CACHE: cache },
  });
  const ended = once(child, 'exit');
  // What its own end breaks is no error of ours.
  child.stdin.on('error', () => undefined);
  // Its fail point may lie before it serves anybody: then it has no address.
  const line = once(createInterface({ input: child.stdout }), 'line');
  const [first] = await Promise.race([line, ended.then(() => ['{}'])]);
  const { port = 0 } = JSON.parse(String(first)) as { port?: number };
  return { url: `http://127.0.0.1:${port}`, process: child, ended };
}

type Kills = Record<FailPointName | 'at random' | 'the database', number>;

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
  readonly #shared: Shared;
  readonly #serving = new Set<Child>();
  readonly #lives: Promise<void>[] = [];
  #isOver = false;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Starts the first process alone, since it makes the tables. */
  async start(processes: number): Promise<void> {
    for (let index = 0; index < processes; index += 1) {
      this.#lives.push(this.#live());
      while (this.serving === 0) await pause(20);
    }
    while (this.serving < processes) await pause(20);
  }

  get serving(): number {
    return this.#serving.size;
  }

  /** The address of a process that serves, as a load balancer would choose it. @throws without one. */
  get url(): string {
    const one = anyOf([...this.#serving]);
    if (one === undefined) throw new Error('no process serves');
    return one.url;
  }

  get total(): number {
    return Object.values(this.kills).reduce((sum, one) => sum + one, 0);
  }

  killOne(): void {
    const target = anyOf([...this.#serving]);
    if (target?.process.kill('SIGKILL') === true) this.kills['at random'] += 1;
  }

  /** No more deaths: those that are still doomed are exchanged. */
  async spare(): Promise<void> {
    this.#isOver = true;
    for (const shop of this.#serving) shop.process.kill('SIGTERM');
    await Promise.all(this.#lives);
  }

  async #live(): Promise<void> {
    while (!this.#isOver) {
      // Half of the processes are doomed to die at one of the named points, after a while.
      const name = Math.random() < 0.5 ? undefined : anyOf(failPoints);
      const times = 1 + Math.floor(Math.random() * MOST_TIMES);
      const failPoint = name === undefined ? null : { name, times };
      const shop = await startShop(this.#shared, failPoint);
      this.#serving.add(shop);
      // It was starting when the others were asked to end, and was not asked.
      if (this.#isOver) shop.process.kill('SIGTERM');
      const before = this.kills['at random'];
      await shop.ended;
      this.#serving.delete(shop);
      const wasKilled = this.kills['at random'] > before && shop.process.killed;
      if (failPoint !== null && !wasKilled && !this.#isOver) this.kills[failPoint.name] += 1;
    }
  }
}

const anyOf = <T>(list: readonly T[]): T | undefined =>
  list[Math.floor(Math.random() * list.length)];
