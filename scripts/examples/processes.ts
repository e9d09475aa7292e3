import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server under trial, in a process of its own. */
export interface Started {
  /** The rest of the line that it printed, after the sign. */
  readonly ready: string;
  /** Ends it. @throws where it has not ended by itself, with code 0. */
  readonly end: (signal: 'SIGINT' | 'SIGTERM') => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Where a program runs. */
export interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program. @defaultValue the Node that runs this */
  readonly program?: string;
  /** The words in the line that says that it is ready. @defaultValue `ready ` */
  readonly sign?: string;
}

/** A server that says nothing for as long has failed. */
const TIME_LIMIT_MS = 120_000;

/** Starts a program and waits for its line `ready …`. @throws when it ends before it, or is silent. */
export async function startProgram(
  parameters: readonly string[],
  { cwd, env = {}, program = process.execPath, sign = 'ready ' }: Place,
): Promise<Started> {
  const child = spawn(program, parameters, {
    cwd,
    env: { ...process.env, ...env },
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
  const limit = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
  try {
    const ready = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const at = line.indexOf(sign);
        if (at >= 0) resolve(line.slice(at + sign.length));
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`It ended with code ${code}.\n${said}`)));
    });
    return { ready, end, stop };
  } finally {
    clearTimeout(limit);
  }
}
