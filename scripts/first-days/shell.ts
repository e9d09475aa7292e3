import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A command without an end fails; an installation may take its time. */
const LIMIT_MS = 300_000;

/** A registry that fails for a moment says nothing about our documents. */
const retries = { npm_config_fetch_retries: '6' };

/** A reader's terminals: commands run as they are written, each in the folder that the last one left. */
export class Shell {
  cwd: string;
  readonly #note: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #servers: { readonly child: ChildProcess; readonly closed: Promise<unknown> }[] = [];

  /** @param folder where the first command runs; a file beside it keeps where the last one ended. */
  constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.cwd = folder;
    this.#note = `${folder}.cwd`;
    this.#env = { ...environmentOfReader(), ...retries, ...env };
  }

  /** Runs a command to its end. @returns what it printed. @throws where it fails. */
  async run(command: string): Promise<string> {
    const child = this.#spawn(`${command}\ncode=$?; pwd > "${this.#note}"; exit $code`);
    const output = collect(child);
    const limit = globalThis.setTimeout(() => end(child), LIMIT_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(limit);
    if (code !== 0) throw new Error(`$ ${command}\n${output()}\nended with code ${code}`);
    this.cwd = readFileSync(this.#note, 'utf8').trim();
    return output();
  }

  /** Starts a server and waits until it answers at an address. @returns what it has printed since. */
  async start(command: string, address: string): Promise<() => string> {
    const child = this.#spawn(command);
    this.#servers.push({ child, closed: once(child, 'close') });
    const output = collect(child);
    while (isRunning(child)) {
      if (await answers(address)) return output;
      await setTimeout(100);
    }
    throw new Error(`$ ${command}\n${output()}\nended with code ${child.exitCode}`);
  }

  /** Ends the servers, with what they started. */
  async close(): Promise<void> {
    for (const { child, closed } of this.#servers) {
      if (isRunning(child)) end(child);
      await closed;
    }
  }

  #spawn(script: string): ChildProcess {
    const options = { cwd: this.cwd, env: this.#env, detached: true } as const;
    return spawn('bash', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/** Ends a command with all that it started. */
function end({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid);
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return () => output;
}

async function answers(address: string): Promise<boolean> {
  try {
    await (await fetch(address)).text();
    return true;
  } catch {
    return false;
  }
}

/** Ours without what npm and this repository put there: neither settings nor programs. */
function environmentOfReader(): NodeJS.ProcessEnv {
  const own =
    /^npm_(?!config_(?:cache|globalconfig|userconfig)$)|^NODE_(?:ENV|OPTIONS|PATH)$|^INIT_CWD$/i;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  const path = (process.env['PATH'] ?? '').split(delimiter);
  const others = path.filter((folder) => !/node_modules/.test(folder));
  const env = Object.fromEntries(kept);
  return { ...env, PATH: [dirname(process.execPath), ...others].join(delimiter) };
}
