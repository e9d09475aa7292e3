import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

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
  readonly end: () => Promise<void>;
}

/** How to start a server, and how to know from a line it prints that it is ready. */
export interface ServerKind {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly readLine: (line: string) => Readonly<Record<string, unknown>> | null;
}

/** The line that the sandbox prints when it is ready, and others that follow its example. */
export function readReadyLine(line: string): Readonly<Record<string, unknown>> | null {
  if (!line.startsWith('ready ')) return null;
  return JSON.parse(line.slice('ready '.length)) as Record<string, unknown>;
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
  const readyMs = performance.now() - startedAt;
  return {
    name,
    ready,
    readyMs,
    residentBytes: () => residentBytes(child),
    cpuMicroseconds: () => cpuMicroseconds(child),
    end: () => end(child),
  };
}

/** Linux tells it in a file; elsewhere this measurement does not run. */
function residentBytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes) * 1024;
}

/** Time in the program and in the system, the 14th and 15th field, in hundredths of a second. */
function cpuMicroseconds(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid ?? 0}/stat`, 'utf8').split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10_000;
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
