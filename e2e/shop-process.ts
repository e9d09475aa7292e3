import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(import.meta.resolve('@pay-button/demo/dist/main.js'));

/** What the shop's `ready` line says. */
type Addresses = Readonly<Record<'shop' | 'sandbox' | 'adminToken', string>>;

/** The most of a shop's log that is kept, in characters. */
const LOG_LENGTH = 20_000;

/** Settings of the shop's environment. */
type Settings = Readonly<Record<string, string>>;

/**
 * A built shop with its own sandbox, as a merchant runs one: its own process, ports and folder, so
 * that tests can run side by side and a shop can be killed like a real one.
 */
export class ShopProcess {
  readonly #folder: string;
  readonly #settings: Settings;
  #child: ChildProcess;
  #addresses: Addresses;
  #said = '';

  private constructor(
    { folder, settings }: { readonly folder: string; readonly settings: Settings },
    child: ChildProcess,
    addresses: Addresses,
  ) {
    this.#folder = folder;
    this.#settings = settings;
    this.#child = child;
    this.#addresses = addresses;
    this.#listen();
  }

  static async start(settings: Settings = {}): Promise<ShopProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'pay-button-e2e-'));
    const ports = { PORT: '0', SANDBOX_PORT: '0' };
    const started = await launch(folder, { ...ports, ...settings });
    return new ShopProcess({ folder, settings }, ...started);
  }

  get url(): string {
    return this.#addresses.shop;
  }

  /** The sandbox that the shop started. */
  get sandboxUrl(): string {
    return this.#addresses.sandbox;
  }

  get adminToken(): string {
    return this.#addresses.adminToken;
  }

  /** Ends the process at once, as a power cut would, and starts it again on the same ports. */
  async killAndRestart(): Promise<void> {
    await end(this.#child, 'SIGKILL');
    const ports = { PORT: new URL(this.url).port, SANDBOX_PORT: new URL(this.sandboxUrl).port };
    [this.#child, this.#addresses] = await launch(this.#folder, { ...this.#settings, ...ports });
    this.#listen();
  }

  /** What the shop logged since the last call. */
  takeLog(): string {
    const said = this.#said;
    this.#said = '';
    return said;
  }

  #listen(): void {
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(-LOG_LENGTH);
    });
  }

  /** Ends the process politely. A shop that does not end with code 0 fails the test. */
  async stop(): Promise<void> {
    const code = await end(this.#child, 'SIGTERM');
    await rm(this.#folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The shop ended with code ${code}.`);
  }
}

async function launch(cwd: string, settings: Settings): Promise<[ChildProcess, Addresses]> {
  // A clean environment: the tests use no database and no gateway of their caller's.
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(process.execPath, [MAIN], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ready ')) {
      child.stdout.resume();
      return [child, JSON.parse(line.slice('ready '.length)) as Addresses];
    }
  }
  throw new Error('The shop ended before it was ready.');
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}
