import { spawn, type ChildProcess } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
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

/** Runs a script with the very Node that runs us. */
export function runNode(parameters: readonly string[], options: RunOptions): Promise<Ended> {
  return run(process.execPath, parameters, options);
}

function pathWithLocalNode(): string {
  const first = [join(root, 'node_modules', '.bin'), dirname(process.execPath)];
  return [...first, process.env['PATH'] ?? ''].join(delimiter);
}
