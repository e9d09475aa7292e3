import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianProgram, type DebianProgram } from '../debian-programs.ts';
import { serverAccount, serverUser } from '../postgres.ts';
import { freePort, until } from '../process.ts';

function own(path: string): string {
  if (serverAccount !== undefined) chownSync(path, serverAccount, serverAccount);
  return path;
}

/** A program of Debian that runs for a torture and ends with this process, however that ends. */
export class Daemon {
  readonly process: ChildProcess;
  readonly #ended: Promise<unknown>;

  /** @param folder - Where the program works, of {@link makeFolder}; `output.log` there has its output. */
  constructor(folder: string, program: DebianProgram, parameters: readonly string[]) {
    const path = debianProgram(program);
    const output = openSync(join(folder, 'output.log'), 'a');
    const call = ['--pdeathsig=TERM', path, ...parameters];
    this.process = spawn(debianProgram('setpriv'), call, {
      ...serverUser,
      cwd: folder,
      stdio: ['ignore', output, output],
      env: { PATH: '/usr/sbin:/usr/bin', LC_ALL: 'C' },
    });
    this.#ended = once(this.process, 'exit');
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill(signal);
    await this.#ended;
  }
}

/** Makes an empty folder, which the account of a {@link Daemon} owns. */
export const makeFolder = (prefix: string): string =>
  own(mkdtempSync(join(tmpdir(), `pay-button-${prefix}-`)));

/** Writes a file that the account of a {@link Daemon} may read. @returns its path. */
export function writeSettings(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return own(file);
}

/** Starts a program that listens on a port of 127.0.0.1, in a folder that goes away with it. */
export async function startListening(
  port: number,
  ...command: ConstructorParameters<typeof Daemon>
) {
  const start = async (): Promise<Daemon> => {
    const daemon = new Daemon(...command);
    await until(`port ${port} is open`, async () => {
      const socket = connect(port, '127.0.0.1');
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return isOpen;
    });
    return daemon;
  };
  let daemon = await start();
  return {
    killAndRestart: async () => {
      await daemon.end('SIGKILL');
      daemon = await start();
    },
    stop: async () => {
      await daemon.end('SIGTERM');
      rmSync(command[0], { recursive: true });
    },
  };
}

/** Starts Debian's PgBouncer in transaction mode for the database of `url`. */
export async function startPgbouncer(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = makeFolder('pgbouncer');
  const ownPort = await freePort();
  const settings = `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 200
server_login_retry = 1
`;
  const file = writeSettings(folder, 'pgbouncer.ini', settings);
  const pooler = await startListening(ownPort, folder, 'pgbouncer', [file]);
  return { ...pooler, url: `postgres://${username}@127.0.0.1:${ownPort}${pathname}` };
}
