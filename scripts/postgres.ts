import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';

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
  const exited = new Promise<Reply>((resolve) => {
    const problem = 'The process guard of PostgreSQL ended without an answer.';
    child.once('exit', () => resolve({ problem }));
    child.once('error', () => resolve({ problem }));
  });
  const lines = createInterface({ input: child.stdout });
  const nextUrl = async (): Promise<string> => {
    const line = once(lines, 'line').then(([text]) => JSON.parse(String(text)) as Reply);
    const { url, problem } = await Promise.race([line, exited]);
    if (url === undefined) throw new Error(problem);
    return url;
  };
  const url = await nextUrl();
  // The guard must not keep this process alive; the pipe to it ends the guard.
  child.unref();
  const { stdin, stdout } = child;
  for (const pipe of [stdin, stdout]) if (pipe instanceof Socket) pipe.unref();
  return {
    url,
    stop: async () => {
      child.ref();
      stdin.end();
      await exited;
    },
    killAndRestart: async () => {
      // The caller waits for the answer: until then the pipe keeps this process alive.
      if (stdout instanceof Socket) stdout.ref();
      stdin.write('kill\n');
      await nextUrl();
      if (stdout instanceof Socket) stdout.unref();
    },
  };
}

/** What a statement answers in a database, which its address names: of PostgreSQL, or `sqlite:` and a file. */
export async function rowsIn(
  url: string,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
    const rows = database.prepare(sql).all();
    database.close();
    // They come without a prototype.
    return rows.map((row) => ({ ...row }));
  }
  const pool = new pg.Pool({ connectionString: url });
  // A server that ends takes its idle connections along; our statement rejects anyway.
  pool.on('error', () => undefined);
  try {
    return (await pool.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await pool.end();
  }
}

interface Reply {
  readonly url?: string;
  readonly problem?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the PostgreSQL of this run; see CONTRIBUTING.md. */
    readonly databaseUrl: string;
  }
}

/** Vitest's global set-up of the projects whose tests need PostgreSQL. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide('databaseUrl', postgres.url);
  return postgres.stop;
}
