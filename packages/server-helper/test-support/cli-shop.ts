import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Express } from 'express';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../../scripts/process.ts';
import { runCli as runProgram } from '../src/cli/run.ts';
import { type Payments, type PaymentsOptions, sqliteStore } from '../src/index.ts';
import { type ScriptedGateway, statusRow } from './scripted-gateway.ts';
import { canaries, Shop } from './shop.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a run of the program printed, and how it ended. */
export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What it printed, where that is JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** What the doctor found by a check. */
type Found = Readonly<Record<string, string>>;

const program = new URL('../src/cli/main.ts', import.meta.url).pathname;

/** Node keeps what it compiled, also between runs: a process then starts in a third of the time. */
const compiled = new URL('../../../node_modules/.cache/pay-button/compiled', import.meta.url);

/** What the program's processes need beside its settings. */
const surroundings = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compiled.pathname };

/**
 * Runs `pay-button` as its own process; what it prints is searched for canaries.
 *
 * @param where - `stopAt` is a text at which a person presses Ctrl-C; `cwd` the folder to run in.
 */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { stopAt, cwd }: { readonly stopAt?: string; readonly cwd?: string } = {},
): Promise<CliRun> {
  const child = spawn(
    process.execPath,
    ['--conditions=@pay-button/source', '--no-warnings', program, ...args],
    { env: { ...surroundings, ...env }, cwd, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { code, out, err } = await outputOf(child, stopAt);
  return { code, out, err, json: readJson(out) };
}

async function outputOf(child: ChildProcess, stopAt?: string) {
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    if (stopAt !== undefined && text.includes(stopAt)) child.kill('SIGINT');
  });
  const [code] = (await once(child, 'close')) as [number];
  for (const canary of Object.values(canaries)) expect(out + err).not.toContain(canary);
  return { code, out, err };
}

const sink = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

/**
 * Runs it in this process, for what does not depend on the process; quicker.
 *
 * @param typed - What a person types at a terminal; without it the input is no terminal.
 */
export async function runCliInside(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  isTTY = false,
  typed?: readonly string[],
  cwd?: string,
): Promise<CliRun> {
  const [out, err, input] = [sink(isTTY), sink(isTTY), sink(typed !== undefined)];
  input.end((typed ?? []).map((line) => `${line}\n`).join(''));
  const code = await runProgram({ args, env, out, err, input, cwd });
  const [printed, told] = [out, err].map((one) => String(one.read() ?? ''));
  for (const canary of Object.values(canaries)) expect(`${printed}${told}`).not.toContain(canary);
  return { code, out: printed ?? '', err: told ?? '', json: readJson(printed ?? '') };
}

function readJson(text: string): CliRun['json'] {
  try {
    return JSON.parse(text) as CliRun['json'];
  } catch {
    return {};
  }
}

/** The database of a shop in a folder. */
const fileIn = (folder: string): string => join(folder, 'payments.db');

export interface CliShopOptions {
  /** Sets the app up before and after the router. */
  readonly prepare?: (app: Express) => void;
  readonly mountAt?: string;
  readonly payments?: Partial<PaymentsOptions<unknown>>;
}

const SCRIPT = '<script type="module" src="/widget.js"></script>';
const ELEMENT = '<pay-button endpoint="/pay/checkout" order-id="1001"></pay-button>';

/** A page with the button, and the script that defines it. */
function serveProduct(app: Express): void {
  app.get('/product', (_request, response) => void response.send(SCRIPT + ELEMENT));
  app.get('/widget.js', (_request, response) => {
    response.type('text/javascript').send('customElements.define("pay-button", class {});');
  });
}

/** A shop with a database of its own, as its operator meets it from outside. */
export class CliShop {
  readonly gateway: ScriptedGateway;
  readonly payments: Payments;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly url: string;

  private constructor(shop: Shop, url: string, folder: string) {
    this.gateway = shop.gateway;
    this.payments = shop.payments;
    this.url = url;
    this.folder = folder;
    this.env = {
      GATEWAY_ENVIRONMENT: 'staging',
      GATEWAY_BASE_URL: this.gateway.baseUrl,
      GATEWAY_API_KEY: canaries.apiKey,
      PUBLIC_URL: url,
      PAY_TOKEN_SECRET: canaries.secret,
      DATABASE_URL: `sqlite:${fileIn(folder)}`,
    };
  }

  /** A shop that ends with the test. */
  static async start({ payments, ...options }: CliShopOptions = {}): Promise<CliShop> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const folder = temporaryFolder();
    const customer = { name: 'Noura', email: canaries.email, phone: canaries.phone };
    const shop = await Shop.start({
      ...options,
      port,
      finish: serveProduct,
      payments: {
        publicUrl: url,
        store: sqliteStore({ file: fileIn(folder) }),
        loadOrder: (orderId) => ({ orderId, amount: '115.00', customer }),
        on: { paid: () => undefined },
        ...payments,
      },
    });
    onTestFinished(() => shop.close());
    return new CliShop(shop, url, folder);
  }

  /** Gives an order a link; answers with its session. */
  async open(orderId: string): Promise<string> {
    const { redirectUrl } = await this.payments.ensureLink(orderId);
    return new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  }

  /** Opens an order, and lets its money come as the row says. */
  async receive(orderId = '1001', row: object = {}): Promise<void> {
    this.gateway.rows.set(await this.open(orderId), [statusRow({ ...row })]);
    await this.payments.confirm(orderId);
  }

  /** Runs SQL on the shop's database. @returns the first row. */
  query(sql: string, ...values: readonly (string | number)[]): Readonly<Record<string, unknown>> {
    const database = new DatabaseSync(fileIn(this.folder));
    try {
      return database.prepare(sql).get(...values) ?? {};
    } finally {
      database.close();
    }
  }

  /** What the doctor says by one check. */
  async said(check: string, env: object = {}, ...args: readonly string[]): Promise<Found[]> {
    const all = ['doctor', '--json', ...args];
    const run = await runCliInside(all, { ...this.env, ...env }, false, undefined, this.folder);
    const checks = run.json['checks'] as readonly Found[];
    return checks.filter(({ id }) => id === check);
  }

  /**
   * Writes `pay.config.ts`, with what the shop's code would share with the program. It notes the
   * events of its commits in the file `committed`.
   */
  configure(more = ''): void {
    const lines = [
      `import { appendFileSync } from 'node:fs';`,
      `const loadOrder = (orderId: string) =>`,
      `  ({ orderId, amount: '115.00', customer: { phone: '0501234567' } });`,
      `const inTransaction = (_tx: unknown, { type }: { type: string }) =>`,
      `  appendFileSync(new URL('committed', import.meta.url), type + ' ');`,
      `const pages = { success: '/thanks', pending: '/wait', failure: '/retry' };`,
      `export default { loadOrder, inTransaction, pages, ${more} };`,
    ];
    writeFileSync(join(this.folder, 'pay.config.ts'), lines.join('\n'));
  }

  /** Runs the program in a process of its own, in the shop's folder. */
  run(...args: readonly string[]): Promise<CliRun> {
    return runCli(args, this.env, { cwd: this.folder });
  }

  /** Runs a line of a shell in the shop's folder, where `pay-button` is the program. */
  async runShell(line: string): Promise<Pick<CliRun, 'code' | 'out' | 'err'>> {
    const name = `alias pay-button='"${process.execPath}" --conditions=@pay-button/source --no-warnings "${program}"'`;
    const env = { ...surroundings, ...this.env };
    // An alias holds from the next line on.
    return outputOf(spawn('sh', ['-c', `${name}\n${line}`], { env, cwd: this.folder }));
  }

  /** Runs the program in this process, in the shop's folder. */
  runInside(...args: readonly string[]): Promise<CliRun> {
    return runCliInside(args, this.env, false, undefined, this.folder);
  }

  /** As {@link CliShop.runInside}, at a terminal where a person types. */
  runTyping(typed: readonly string[], ...args: readonly string[]): Promise<CliRun> {
    return runCliInside(args, this.env, true, typed, this.folder);
  }
}
