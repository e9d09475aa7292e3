import { freePort } from '../process.ts';
import { makeFolder, startListening, writeSettings } from './daemon.ts';

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
