import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePortLike } from '../process.ts';
import { writtenSteps } from './written-steps.ts';

/** A line that starts a server; every other ends by itself. */
const server = /^(?:npx pay-gateway-sandbox|node .*\.ts|npm start|npm run dev)\b/;

/** A command without an end fails; an installation may take its time. */
const LIMIT_MS = 300_000;

/**
 * Does what documents say, in an empty folder: writes the files and types the commands, with our
 * packages from a registry of this machine. The ports are the documents', or free ones where other
 * programs have those.
 */
export class Reader {
  readonly #scratch: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #shown: (() => string)[] = [];
  readonly #servers: { readonly child: ChildProcess; readonly closed: Promise<unknown> }[] = [];
  /** Where the reader's commands run now: where the last one left. */
  folder: string;

  private constructor(
    scratch: string,
    ports: ReadonlyMap<string, number>,
    env: Readonly<Record<string, string>>,
  ) {
    this.#scratch = scratch;
    this.#ports = ports;
    this.folder = join(scratch, 'empty');
    // Without one, npm would install into a folder above that has one, as a shared temporary folder may.
    mkdirSync(join(this.folder, 'node_modules'), { recursive: true });
    this.#env = {
      ...environmentOfReader(),
      // A registry that fails for a moment says nothing about our documents.
      npm_config_fetch_retries: '6',
      npm_config_yes: 'true',
      ...env,
    };
  }

  /**
   * Lets a reader work, and takes everything away afterwards.
   *
   * @param isNew - Whether npm knows nothing yet: `npm create` would run the package of another day.
   */
  static async at<Result>(
    registry: string,
    work: (reader: Reader) => Promise<Result>,
    isNew = false,
  ): Promise<Result> {
    const ports = new Map<string, number>();
    for (const port of [4010, 3000]) ports.set(String(port), await freePortLike(port));
    const scratch = mkdtempSync(join(tmpdir(), 'pay-button-reader-'));
    const cache = isNew ? { npm_config_cache: join(scratch, 'cache') } : {};
    const reader = new Reader(scratch, ports, { npm_config_registry: registry, ...cache });
    try {
      return await work(reader);
    } finally {
      await reader.#close();
    }
  }

  /** The address of the shop, which documents have at port 3000. */
  get shop(): string {
    return this.#here('http://127.0.0.1:3000');
  }

  /** What the reader's terminals showed until now. */
  shown(): string {
    return this.#shown.map((output) => output()).join('\n');
  }

  /** Does the steps of a part of a document. @returns how many they were. */
  async follow(part: string): Promise<number> {
    const steps = writtenSteps(this.#here(part));
    for (const step of steps) {
      if (step.kind === 'file') {
        const path = join(this.folder, step.name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, step.text);
      } else if (server.test(step.line)) {
        const sandbox = step.line.startsWith('npx pay-gateway-sandbox');
        const address = sandbox ? this.#here('http://127.0.0.1:4010') : this.shop;
        // The sandbox alone is not told its port by the document.
        const port = sandbox ? this.#here('sandbox --port 4010') : 'sandbox';
        await this.start(step.line.replace('sandbox', port), address);
      } else await this.run(step.line);
    }
    return steps.length;
  }

  /** Runs a command to its end. @throws where it fails. */
  async run(command: string): Promise<void> {
    const note = join(this.#scratch, 'cwd');
    const child = this.#spawn(`${command}\ncode=$?; pwd > "${note}"; exit $code`);
    const limit = globalThis.setTimeout(() => end(child), LIMIT_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(limit);
    if (code !== 0) throw this.#failed(command, code);
    this.folder = readFileSync(note, 'utf8').trim();
  }

  /** Starts a server and waits until it answers at an address. */
  async start(command: string, address: string): Promise<void> {
    const child = this.#spawn(command);
    this.#servers.push({ child, closed: once(child, 'close') });
    while (isRunning(child)) {
      if (await answers(address)) return;
      await setTimeout(100);
    }
    throw this.#failed(command, child.exitCode);
  }

  #spawn(script: string): ChildProcess {
    const options = { cwd: this.folder, env: this.#env, detached: true } as const;
    const child = spawn('bash', ['-c', script], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    this.#shown.push(() => output);
    return child;
  }

  #failed(command: string, code: number | null): Error {
    return new Error(`$ ${command}\n${this.#shown.at(-1)?.()}\nended with code ${code}`);
  }

  #here(text: string): string {
    return text.replaceAll(/\b(?:4010|3000)\b/g, (port) => String(this.#ports.get(port)));
  }

  /** Ends the servers, with what they started, and removes the folder. */
  async #close(): Promise<void> {
    for (const { child, closed } of this.#servers) {
      if (isRunning(child)) end(child);
      await closed;
    }
    rmSync(this.#scratch, { recursive: true, force: true });
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/** Ends a command with all that it started. */
function end({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid);
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
