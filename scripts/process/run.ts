import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './root.ts';

/** How a child process ended; `output` is empty where it was only shown. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  /** Why it counts as broken although it may have no exit code: a signal, a limit, no such file. */
  readonly trouble: string | undefined;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `inherit` shows the output as it comes, `capture` keeps it for the caller, `both` does both. */
  readonly output: 'inherit' | 'capture' | 'both';
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
  options: RunOptions,
): Promise<Ended> {
  const timeoutMs = options.timeoutMs ?? 20 * 60_000;
  const captured = options.output !== 'inherit';
  const child = spawn(file, parameters, {
    cwd: options.cwd ?? root,
    env: { ...process.env, PATH: pathWithLocalNode(), ...options.env },
    stdio: captured ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
  });
  running.add(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (options.output === 'both') process.stdout.write(chunk);
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

/** Runs a program to a good end. @returns what it printed. @throws with that where it ends badly. */
export async function succeed(
  file: string,
  parameters: readonly string[],
  options: Omit<RunOptions, 'output'> = {},
): Promise<string> {
  const { code, output, trouble } = await run(file, parameters, { ...options, output: 'capture' });
  if (code === 0 && trouble === undefined) return output;
  const reason = trouble ?? `ended with code ${code}`;
  throw new Error(`${[file, ...parameters].join(' ')} ${reason}\n${output}`);
}

/** Runs a script with the very Node that runs us. */
export function runNode(parameters: readonly string[], options: RunOptions): Promise<Ended> {
  return run(process.execPath, parameters, options);
}

/** A program that goes on, such as a server, in a process of its own. */
export interface Started {
  /** The rest of the line that it printed, after the sign. */
  readonly ready: string;
  /** What it printed until now. */
  readonly said: () => string;
  /** Ends it. @throws where it has not ended by itself, with code 0. */
  readonly end: (signal: 'SIGINT' | 'SIGTERM') => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Where a program runs. */
export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether of our own environment it gets the PATH alone. */
  readonly isBare?: boolean;
  /** The program. @defaultValue the Node that runs this */
  readonly program?: string;
  /** The words in the line that says that it is ready. @defaultValue `ready ` */
  readonly sign?: string;
}

/** A server that says nothing for as long has failed. */
const START_LIMIT_MS = 120_000;

/** Starts a program and waits for its line `ready …`. @throws when it ends before it, or is silent. */
export async function startProgram(
  parameters: readonly string[],
  { cwd, env = {}, isBare = false, program = process.execPath, sign = 'ready ' }: Place,
): Promise<Started> {
  const own = isBare ? { PATH: process.env['PATH'] } : process.env;
  const child = spawn(program, parameters, {
    cwd,
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const keep = (chunk: Buffer): void => void (said += chunk.toString());
  child.stderr.on('data', keep);
  child.stdout.on('data', keep);
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const end = async (signal: 'SIGINT' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    assert.deepEqual(await ended, [0, null], `${signal} ends the shop as it should\n${said}`);
  };
  const limit = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  try {
    const ready = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const at = line.indexOf(sign);
        if (at >= 0) resolve(line.slice(at + sign.length));
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`It ended with code ${code}.\n${said}`)));
    });
    return { ready, said: () => said, end, stop };
  } finally {
    clearTimeout(limit);
  }
}

function pathWithLocalNode(): string {
  const first = [join(root, 'node_modules', '.bin'), dirname(process.execPath)];
  return [...first, process.env['PATH'] ?? ''].join(delimiter);
}
