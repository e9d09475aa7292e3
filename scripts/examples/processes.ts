import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server under trial, in a process of its own. */
export interface Started {
  /** The rest of the line that it printed, after the sign. */
  readonly ready: string;
  readonly stop: () => Promise<void>;
}

/** Where a program runs. */
interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The words in the line that says that it is ready. @defaultValue `ready ` */
  readonly sign?: string;
}

/** Starts a Node program and waits for its line `ready …`. @throws when it ends before it. */
export async function startProgram(
  parameters: readonly string[],
  { cwd, env = {}, sign = 'ready ' }: Place,
): Promise<Started> {
  const child = spawn(process.execPath, parameters, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit');
  const ready = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const at = line.indexOf(sign);
      if (at >= 0) resolve(line.slice(at + sign.length));
    });
    child.once('exit', (code) => reject(new Error(`It ended with code ${code}.\n${errors}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ready, stop };
}
