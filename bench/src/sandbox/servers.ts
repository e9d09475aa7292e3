import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { freePort, root, startProgram } from '../../../scripts/process.ts';
import { atATime } from '../measured.ts';

/** What a server answers calls with. */
interface Access {
  readonly url?: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** How to start a server; without `access`, it prints it in its line `ready`. */
interface ServerKind {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly sign?: string;
  readonly access?: Access;
}

/** The bare handler: what a server that does nothing costs. */
export const floor: ServerKind = {
  name: 'bare node:http (floor)',
  parameters: [fileURLToPath(new URL('answers.ts', import.meta.url))],
};

/** The sandbox as a merchant starts it: built, in memory. */
export const sandbox: ServerKind = {
  name: 'sandbox',
  parameters: [join(root, 'packages/gateway-sandbox/dist/cli.js'), '--port', '0', '--seed', 'demo'],
};

/** A mock made of the same contract, which keeps nothing either. */
export async function prism(): Promise<ServerKind> {
  const port = String(await freePort());
  const program = join(root, 'contract-tools/node_modules/@stoplight/prism-cli/dist/index.js');
  const document = join(root, 'contract/gateway.openapi.yaml');
  return {
    name: 'Prism mock',
    parameters: [program, 'mock', document, '--host', '127.0.0.1', '--port', port],
    sign: 'Prism is listening',
    access: { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'any' },
  };
}

/** A server under measurement, in a process of its own. */
export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts a server with the Node that runs us. @throws when it ends before it is ready. */
export async function startServer({ name, parameters, sign, access }: ServerKind) {
  const startedAt = performance.now();
  const started = await startProgram(parameters, { cwd: root, ...(sign && { sign }) });
  // Linux tells both in files; elsewhere this measurement does not run.
  const told = (file: string): string => readFileSync(`/proc/${started.pid}/${file}`, 'utf8');
  return {
    name,
    access: access ?? (JSON.parse(started.ready) as Access),
    /** From the start of the process to the line that says that it is ready. */
    readyMs: performance.now() - startedAt,
    /** What it holds of memory now. */
    residentBytes: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(told('status'))?.[1]) * 1024,
    /** What it took of the processor until now, in steps of ten thousand. */
    cpuMicroseconds: () => {
      // Time in the program and in the system, the 14th and 15th field, in hundredths of a second.
      const fields = told('stat').split(' ');
      return (Number(fields[13]) + Number(fields[14])) * 10_000;
    },
    end: started.stop,
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

  constructor({ access }: Server) {
    const { origin, pathname } = new URL(access.baseUrl);
    this.#pool = new Pool(origin, { connections: 64 });
    this.#base = pathname === '/' ? '' : pathname;
    this.#headers = { 'x-api-key': access.apiKey, 'content-type': 'application/json' };
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
