import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Started, startProgram } from '../scripts/process.ts';

const MAIN = fileURLToPath(import.meta.resolve('@pay-button/demo/dist/main.js'));

/** What the shop's `ready` line says. */
type Addresses = Readonly<Record<'shop' | 'sandbox' | 'adminToken', string>>;

/** Settings of the shop's environment. */
type Settings = Readonly<Record<string, string>>;

/**
 * A built shop with its own sandbox, as a merchant runs one: its own process, ports and folder, so
 * that tests can run side by side and a shop can be killed like a real one.
 */
export class ShopProcess {
  readonly #folder: string;
  readonly #settings: Settings;
  #shop: Started;
  /** How much of the log was taken. */
  #taken = 0;

  private constructor(folder: string, settings: Settings, shop: Started) {
    this.#folder = folder;
    this.#settings = settings;
    this.#shop = shop;
  }

  static async start(settings: Settings = {}): Promise<ShopProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'pay-button-e2e-'));
    const shop = await launch(folder, { PORT: '0', SANDBOX_PORT: '0', ...settings });
    return new ShopProcess(folder, settings, shop);
  }

  get #addresses(): Addresses {
    return JSON.parse(this.#shop.ready) as Addresses;
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
    await this.#shop.kill();
    const ports = { PORT: new URL(this.url).port, SANDBOX_PORT: new URL(this.sandboxUrl).port };
    this.#shop = await launch(this.#folder, { ...this.#settings, ...ports });
    this.#taken = 0;
  }

  /** What the shop printed since the last call, or since its restart. */
  takeLog(): string {
    const log = this.#shop.said().slice(this.#taken);
    this.#taken += log.length;
    return log;
  }

  /** Ends the process politely. A shop that does not end with code 0 fails the test. */
  async stop(): Promise<void> {
    try {
      await this.#shop.end('SIGTERM');
    } finally {
      await rm(this.#folder, { recursive: true, force: true });
    }
  }
}

// Bare: the tests use no database and no gateway of their caller's.
const launch = (cwd: string, env: Settings): Promise<Started> =>
  startProgram([MAIN], { cwd, env, isBare: true });
