/** Starting and ending programs, npm among them, and ports for them to listen on. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The repository's top folder, without a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** How a child process ended; `output` is empty where it was only shown. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  /** Why it counts as broken although it may have no exit code: a signal, a limit, no such file. */
  readonly trouble: string | undefined;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * `inherit` shows the output as it comes, `capture` keeps it for the caller, `both` does both.
   *
   * @defaultValue `capture`
   */
  readonly output?: 'inherit' | 'capture' | 'both';
  /** After this the process is ended. @defaultValue 20 minutes */
  readonly timeoutMs?: number;
}

const running = new Set<ChildProcess>();

/** Ends every process that {@link run} has under way. */
export function endRunning(signal: NodeJS.Signals): void {
  for (const child of running) child.kill(signal);
}

/** Runs a program without a shell and waits for its end. Never rejects: see {@link Ended}. */
export function run(
  file: string,
  parameters: readonly string[],
  { cwd = root, env, output = 'capture', timeoutMs = 20 * 60_000 }: RunOptions = {},
): Promise<Ended> {
  // The programs of the lockfile and the Node that runs us go before those of the machine.
  const first = [join(root, 'node_modules/.bin'), dirname(process.execPath)];
  const path = [...first, process.env['PATH'] ?? ''].join(delimiter);
  const way = output === 'inherit' ? 'inherit' : 'pipe';
  const child = spawn(file, parameters, {
    cwd,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', way, way],
  });
  running.add(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (output === 'both') process.stdout.write(chunk);
    });
  }
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  }, timeoutMs);
  return new Promise((resolve) => {
    const finish = (code: number | null, trouble: string | undefined): void => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8'), trouble });
    };
    child.once('error', (error) => finish(null, error.message));
    child.once('close', (code, signal) => {
      if (late) finish(code, `took longer than ${timeoutMs / 1000} s and was ended`);
      else finish(code, signal === null ? undefined : `was ended by ${signal}`);
    });
  });
}

/** Runs a script with the very Node that runs us. */
export const runNode = (parameters: readonly string[], options?: RunOptions): Promise<Ended> =>
  run(process.execPath, parameters, options);

/** What is wrong, in words for the reader of a report, who needs no stack. */
export class Trouble extends Error {}

/** Runs a program to a good end. @returns what it printed. @throws with that where it ends badly. */
export async function succeed(
  file: string,
  parameters: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const ended = await run(file, parameters, options);
  if (ended.code === 0 && ended.trouble === undefined) return ended.output;
  const trouble = ended.trouble ?? `ended with code ${ended.code}`;
  throw new Trouble([[file, ...parameters].join(' '), ended.output.trimEnd(), trouble].join('\n'));
}

/**
 * Installs the packages of a folder with a lockfile of its own, where they are missing or old.
 *
 * @throws with npm's words where that fails.
 */
export async function installIn(folder: string): Promise<void> {
  const setup = [join(root, 'scripts/setup.mjs'), `--in=${folder}`];
  await succeed(process.execPath, setup, { output: 'both' });
}

/** A program that goes on, such as a server, in a process of its own. */
export type Started = Awaited<ReturnType<typeof startProgram>>;

export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether of our own environment it gets the PATH alone. */
  readonly isBare?: boolean;
  /** The program. @defaultValue the Node that runs this */
  readonly program?: string;
  /** What the line has that says that it is ready. @defaultValue `ready ` */
  readonly sign?: RegExp;
}

/** A server that says nothing for as long has failed. */
const START_LIMIT_MS = 120_000;

/** Starts a program and waits for its line `ready …`. @throws when it ends before it, or is silent. */
export async function startProgram(
  parameters: readonly string[],
  { cwd, env = {}, isBare = false, program = process.execPath, sign = /ready / }: Place,
) {
  const own = isBare ? { PATH: process.env['PATH'] } : process.env;
  const child = spawn(program, parameters, {
    cwd,
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stderr, child.stdout]) {
    stream.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  }
  const ended = once(child, 'exit');
  const end = async (signal: 'SIGINT' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    assert.deepEqual(await ended, [0, null], `${signal} ends the shop as it should\n${said}`);
  };
  const endBy = (signal: 'SIGTERM' | 'SIGKILL') => async (): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  try {
    const ready = await new Promise<string>((resolve, reject) => {
      for (const input of [child.stdout, child.stderr]) {
        createInterface({ input }).on('line', (line) => {
          const found = sign.exec(line);
          if (found !== null) resolve(line.slice(found.index + found[0].length));
        });
      }
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`It ended with code ${code}.\n${said}`)));
    });
    return {
      pid: child.pid ?? 0,
      /** The rest of the line that it printed, after the sign. */
      ready,
      said: (): string => said,
      /** Ends it. @throws where it has not ended by itself, with code 0. */
      end,
      stop: endBy('SIGTERM'),
      /** Ends it at once, as a power cut would. */
      kill: endBy('SIGKILL'),
    };
  } finally {
    clearTimeout(limit);
  }
}

/** Asks until there is an answer. @throws after two minutes, naming what did not happen. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + START_LIMIT_MS;
  while (performance.now() < giveUpAt) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Not within ${START_LIMIT_MS / 1_000} s: ${what}.`);
}

/**
 * Runs npm to a good end: by the path that npm gave us where it started us, because the `npm` on the
 * PATH may be another one.
 *
 * @returns what it printed.
 * @throws with that where it ends badly.
 */
export function runNpm(parameters: readonly string[], options?: RunOptions): Promise<string> {
  const path = process.env['npm_execpath'];
  if (path?.endsWith('.js') !== true) return succeed('npm', parameters, options);
  return succeed(process.execPath, [path, ...parameters], options);
}

/** A package as a merchant would get it. */
export interface Packed {
  readonly tarball: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the built package in `folder` into `destination`. @throws with npm's words where it cannot. */
export async function pack(folder: string, destination: string): Promise<Packed> {
  const parameters = ['pack', '--json', '--silent', '--ignore-scripts'];
  const output = await runNpm([...parameters, `--pack-destination=${destination}`], {
    cwd: folder,
    env: { npm_config_loglevel: 'silent' },
  });
  // npm answers a list of one, or (since npm 12) an object keyed by the package's name.
  const answer: unknown = JSON.parse(output.slice(output.search(/[[{]/)));
  const [packed] = Object.values(answer as Record<string, Packed & { filename: string }>);
  if (packed === undefined) throw new Error(`npm pack named no tarball:\n${output}`);
  return { ...packed, tarball: join(destination, packed.filename) };
}

/** Below those that the system gives to who asks for any, so that none is taken before its program starts. */
const [FIRST_PORT, PORTS] = [20_000, 12_000];

/** A port that no program listens on; a shop has to know its address before it starts. */
export const freePort = (): Promise<number> =>
  freePortLike(FIRST_PORT + Math.floor(Math.random() * PORTS));

/** This port where no program listens on it, else another. */
export async function freePortLike(port: number): Promise<number> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    // At every address, as a server listens that names none.
    server.once('error', () => resolve(false)).listen(port, () => resolve(true));
  });
  if (!isFree) return freePort();
  await once(server.close(), 'close');
  return port;
}
