import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { root } from '../process/root.ts';
import type { ShopSettings } from '../../packages/server-helper/test-support/torture/shop-process.ts';

const programs = new URL('../../packages/server-helper/test-support/torture/', import.meta.url);

/** Compiled once, so that the next start is quick. */
const cache = join(root, 'node_modules/.cache/torture');

/** A process that serves HTTP and goes away with this one. */
export interface Child {
  readonly url: string;
  readonly process: ChildProcess;
  /** Settles when it has ended. */
  readonly ended: Promise<unknown>;
}

/** Starts the gateway, whose truth outlives every kill. */
export const startGateway = (): Promise<Child> => start('gateway-process.ts');

/** Starts one process of the shop. */
export const startShop = (settings: ShopSettings): Promise<Child> =>
  start('shop-process.ts', JSON.stringify(settings));

async function start(program: string, ...args: readonly string[]): Promise<Child> {
  const child = spawn(
    process.execPath,
    ['--conditions=@pay-button/source', fileURLToPath(new URL(program, programs)), ...args],
    {
      // A Ctrl-C is for the one who tortures; its children hang on its pipes.
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production', NODE_COMPILE_CACHE: cache },
    },
  );
  const ended = once(child, 'exit');
  // What its own end breaks is no error of ours.
  child.stdin.on('error', () => undefined);
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([first]) => String(first)),
    ended.then(() => undefined),
  ]);
  // Its fail point may lie before it serves anybody.
  const port = line === undefined ? 0 : (JSON.parse(line) as { port: number }).port;
  return { url: `http://127.0.0.1:${port}`, process: child, ended };
}
