import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A PostgreSQL that is ready for connections. */
export interface TestPostgres {
  /** Connection string of an account that may create schemas and databases. */
  readonly url: string;
  /** Ends the server and removes its data; does nothing to a server of `DATABASE_URL`. */
  readonly stop: () => Promise<void>;
  /**
   * Kills the server with SIGKILL, and starts it again on the same data and address; absent for a
   * server of `DATABASE_URL`.
   */
  readonly killAndRestart?: () => Promise<void>;
}

const processGuard = fileURLToPath(new URL('./postgres/process-guard.ts', import.meta.url));

/**
 * A real PostgreSQL for tests: the one of `DATABASE_URL` where it is set, else one started for this
 * process alone, from the npm package. The server ends with this process, however
 * this process ends. Several may run side by side.
 *
 * @throws with a way to mend it when there is no PostgreSQL or the server does not start.
 */
export async function startPostgres(env: NodeJS.ProcessEnv = process.env): Promise<TestPostgres> {
  const given = env['DATABASE_URL'];
  if (given !== undefined && /^postgres(ql)?:/.test(given)) {
    return { url: given, stop: () => Promise.resolve() };
  }
  const child = spawn(process.execPath, [processGuard], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const lines = createInterface({ input: child.stdout });
  const reply = await nextReply(lines, exited);
  if (reply.url === undefined) {
    await exited;
    throw new Error(reply.problem);
  }
  const stop = async (): Promise<void> => {
    child.ref();
    child.stdin.end();
    await exited;
  };
  // The guard must not keep this process alive; the pipe to it ends the guard.
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) if (pipe instanceof Socket) pipe.unref();
  const { stdout } = child;
  const killAndRestart = async (): Promise<void> => {
    // The caller waits for the answer: until then the pipe keeps this process alive.
    if (stdout instanceof Socket) stdout.ref();
    child.stdin.write('kill\n');
    const { problem } = await nextReply(lines, exited);
    if (stdout instanceof Socket) stdout.unref();
    if (problem !== undefined) throw new Error(problem);
  };
  return { url: reply.url, stop, killAndRestart };
}

interface Reply {
  readonly url?: string;
  readonly problem?: string;
}

async function nextReply(lines: Interface, exited: Promise<void>): Promise<Reply> {
  const line = new Promise<Reply>((resolve) => {
    lines.once('line', (text) => resolve(JSON.parse(text) as Reply));
  });
  const ended = { problem: 'The process guard of PostgreSQL ended without an answer.' };
  return Promise.race([line, exited.then((): Reply => ended)]);
}
