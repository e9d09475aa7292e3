import { rmSync } from 'node:fs';
import { freePort } from '../process.ts';
import { Daemon, makeFolder, makeRunFolder, untilListening, writeSettings } from './daemon.ts';

/** A PgBouncer in transaction mode before a PostgreSQL. */
export interface Pgbouncer {
  readonly url: string;
  /** Kills the pooler and starts another one at the same address. */
  readonly killAndRestart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts Debian's PgBouncer for the database of `url`. */
export async function startPgbouncer(url: string): Promise<Pgbouncer> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = makeRunFolder('pgbouncer');
  const own = makeFolder(folder, 'pgbouncer');
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
  const file = writeSettings(own, 'pgbouncer.ini', settings);
  const start = async (): Promise<Daemon> => {
    const pooler = new Daemon(own, 'pgbouncer', [file]);
    await untilListening(ownPort);
    return pooler;
  };
  let pooler = await start();
  return {
    url: `postgres://${username}@127.0.0.1:${ownPort}${pathname}`,
    killAndRestart: async () => {
      await pooler.end('SIGKILL');
      pooler = await start();
    },
    stop: async () => {
      await pooler.end('SIGTERM');
      rmSync(folder, { recursive: true });
    },
  };
}
