import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, root, startProgram } from '../../../scripts/process.ts';
import { gatewayProgram } from '../gateway.ts';

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
  readonly sign?: RegExp;
  readonly access?: Access;
}

/** The bare handler: what a server costs that reads the request, and reads and keeps nothing. */
export const floor: ServerKind = {
  name: 'bare node:http (floor)',
  parameters: [gatewayProgram, '{"paidAfterMs":null}'],
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
    sign: /Prism is listening/,
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
