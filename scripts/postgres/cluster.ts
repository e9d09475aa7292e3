import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { freePort, until } from '../process.ts';
import type { Prepared } from './binaries.ts';

/** PostgreSQL refuses to run as root: then Debian's account `nobody` runs it. */
export const serverAccount = process.getuid?.() === 0 ? 65_534 : undefined;

const START_LIMIT_MS = 60_000;
const PORT_TRIES = 5;

/**
 * Makes a database cluster in `folder` and starts it on a free port of 127.0.0.1, with a password
 * made for this run.
 *
 * @throws with the server's output when it cannot be made or started.
 */
export async function startCluster(prepared: Prepared, folder: string) {
  const password = randomBytes(18).toString('base64url');
  const data = makeData(prepared, folder, password);
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      const server = await startServer(prepared, data, port);
      const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
      // The processes of a killed server need a moment to release its memory and its port.
      /** Starts another server on the same data and port, when the first was killed. */
      const startAgain = () =>
        until('PostgreSQL is back', () => startServer(prepared, data, port).catch(() => undefined));
      return { url, server, startAgain };
    } catch (error) {
      // Another process may take the port between our probe and the server's start.
      if (tries === PORT_TRIES || !String(error).includes('Address already in use')) throw error;
    }
  }
}

function makeData(prepared: Prepared, folder: string, password: string): string {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (serverAccount !== undefined) {
    for (const path of [folder, data, passwordFile]) chownSync(path, serverAccount, serverAccount);
  }
  const how = '--username=postgres --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync';
  const made = spawnSync(
    join(prepared.bin, 'initdb'),
    [...how.split(' '), `--pwfile=${passwordFile}`, `--pgdata=${data}`],
    { ...account(prepared), encoding: 'utf8', timeout: START_LIMIT_MS },
  );
  if (made.status === 0) return data;
  const output = made.error?.message ?? `${made.stdout}${made.stderr}`;
  throw new Error(`PostgreSQL's initdb failed:\n${output}`);
}

/** Starts a server, and waits until it accepts connections. @throws with its output where it does not. */
async function startServer(prepared: Prepared, data: string, port: number): Promise<ChildProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // The data are removed with the run and need not survive a power cut.
    'fsync=off',
    'max_connections=200',
    'lc_messages=C',
    'track_commit_timestamp=on',
  ];
  const server = spawn(
    join(prepared.bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...account(prepared), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  const limit = setTimeout(() => {
    output += `not ready after ${START_LIMIT_MS / 1000} s\n`;
    server.kill('SIGKILL');
  }, START_LIMIT_MS);
  await new Promise<void>((resolve, reject) => {
    server.stderr.on('data', (chunk: Buffer) => {
      if (output.length < 16_384) output += chunk.toString('utf8');
      if (output.includes('ready to accept connections')) resolve();
    });
    const fail = (why: string): void => reject(new Error(`PostgreSQL did not start:\n${why}`));
    server.once('error', (error) => fail(error.message));
    server.once('close', () => fail(output === '' ? 'it ended at once' : output));
  }).finally(() => clearTimeout(limit));
  return server;
}

function account({ env }: Prepared) {
  const own = { cwd: '/', env: { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C', ...env } };
  return serverAccount === undefined ? own : { ...own, uid: serverAccount, gid: serverAccount };
}
