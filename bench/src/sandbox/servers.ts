import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { freePort, root } from '../../../scripts/process.ts';
import { atATime } from '../measured.ts';

/** A server under measurement, in a process of its own. */
export interface Server {
  readonly name: string;
  /** Of what it prints when it is ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** From the start of the process to the line that says so, in milliseconds. */
  readonly readyMs: number;
  /** What it holds of memory now, in bytes. */
  readonly residentBytes: () => number;
  /** What it took of the processor until now, in microseconds, in steps of ten thousand. */
  readonly cpuMicroseconds: () => number;
  readonly end: () => Promise<unknown>;
}

/** How to start a server, and how to know from a line it prints that it is ready. */
interface ServerKind {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly readLine: (line: string) => Readonly<Record<string, unknown>> | null;
}

/** The line that the sandbox prints when it is ready, and others that follow its example. */
function readReadyLine(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.startsWith('ready ')) return null;
  return JSON.parse(line.slice('ready '.length)) as Record<string, unknown>;
}

/** The bare handler: what a server that does nothing costs. */
export const floor: ServerKind = {
  name: 'bare node:http (floor)',
  parameters: [fileURLToPath(new URL('answers.ts', import.meta.url))],
  readLine: readReadyLine,
};

/** The sandbox as a merchant starts it: built, in memory. */
export const sandbox: ServerKind = {
  name: 'sandbox',
  parameters: [join(root, 'packages/gateway-sandbox/dist/cli.js'), '--port', '0', '--seed', 'demo'],
  readLine: readReadyLine,
};

const PRISM = '@stoplight/prism-cli/dist/index.js';

/** A mock made of the same contract, which keeps nothing either. */
export async function prism(): Promise<ServerKind> {
  const port = await freePort();
  const document = join(root, 'contract/gateway.openapi.yaml');
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const ready = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'any' };
  return {
    name: 'Prism mock',
    parameters: [join(root, 'contract-tools/node_modules', PRISM), 'mock', document, ...address],
    readLine: (line) => (line.includes('Prism is listening') ? ready : null),
  };
}

/** Starts a server with the Node that runs us. @throws when it ends before it is ready. */
export async function startServer({ name, parameters, readLine }: ServerKind): Promise<Server> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const ready = await new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code}.`)));
    lines.on('line', (line) => {
      const known = readLine(line);
      if (known !== null) resolve(known);
    });
  });
  // Linux tells both in files; elsewhere this measurement does not run.
  const told = (file: string): string => readFileSync(`/proc/${child.pid ?? 0}/${file}`, 'utf8');
  return {
    name,
    ready,
    readyMs: performance.now() - startedAt,
    residentBytes: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(told('status'))?.[1]) * 1024,
    cpuMicroseconds: () => {
      // Time in the program and in the system, the 14th and 15th field, in hundredths of a second.
      const fields = told('stat').split(' ');
      return (Number(fields[13]) + Number(fields[14])) * 10_000;
    },
    end: () => {
      child.kill('SIGTERM');
      return once(child, 'exit');
    },
  };
}

/** What is asked of each server. */
export const operations = ['create link', 'status'] as const;
export type Operation = (typeof operations)[number];

/** Calls to one server, with as many at a time as told. */
export class Load {
  readonly #pool: Pool;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  #orders = 0;
  #sessionId = '5e551040-7d3c-4b52-9a7e-0c2f6f1d8a01';

  constructor({ ready }: Server) {
    const { origin, pathname } = new URL(String(ready['baseUrl']));
    this.#pool = new Pool(origin, { connections: 64 });
    this.#base = pathname === '/' ? '' : pathname;
    const key = String(ready['apiKey']);
    this.#headers = { 'x-api-key': key, 'content-type': 'application/json' };
  }

  /** @returns calls a second. @throws when an answer is not the one of a good call. */
  async measure(operation: Operation, calls: number, lanes: number): Promise<number> {
    const seconds = await atATime(lanes, calls, () =>
      operation === 'status' ? this.#retrieveStatus() : this.#createLink(),
    );
    return calls / seconds;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #createLink(): Promise<void> {
    this.#orders += 1;
    const body = JSON.stringify({
      merchantOrderId: `order-${this.#orders}`,
      amount: 115,
      currency: 'SAR',
      customerName: 'Sara',
      customerPhone: '0512345678',
      successUrl: 'http://127.0.0.1/thanks',
      failureUrl: 'http://127.0.0.1/retry',
    });
    const path = `${this.#base}/payment/checkout/intiate`;
    const text = await this.#send({ method: 'POST', path, body }, 201);
    this.#sessionId = (JSON.parse(text) as { id: string }).id;
  }

  async #retrieveStatus(): Promise<void> {
    const path = `${this.#base}/payment/checkout/status?id=${this.#sessionId}`;
    await this.#send({ method: 'GET', path }, 200);
  }

  async #send(
    request: { method: 'GET' | 'POST'; path: string; body?: string },
    expected: number,
  ): Promise<string> {
    const { statusCode, body } = await this.#pool.request({ ...request, headers: this.#headers });
    const text = await body.text();
    if (statusCode !== expected) throw new Error(`${request.path}: HTTP ${statusCode}: ${text}`);
    return text;
  }
}
