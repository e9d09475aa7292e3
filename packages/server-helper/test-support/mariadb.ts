import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import mysql from 'mysql2/promise';
import { freePort } from '../../../scripts/process.ts';
import {
  Daemon,
  makeFolder,
  startListening,
  writeSettings,
} from '../../../scripts/torture/daemon.ts';

export const poolTo = (url: string): mysql.Pool => mysql.createPool(url);

export type Mariadb = Awaited<ReturnType<typeof startMariadb>>;

/** Starts Debian's MariaDB for this process alone, in a folder of its own. @param more - Settings. */
export async function startMariadb(...more: readonly string[]) {
  const folder = makeFolder('mariadb');
  const data = `--datadir=${folder}/data`;
  const how = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  const made = new Daemon(folder, 'mariadb-install-db', ['--no-defaults', data, ...how]);
  await once(made.process, 'exit');
  const [port, password] = [await freePort(), randomBytes(18).toString('base64url')];
  const account = writeSettings(
    folder,
    'account.sql',
    `SET PASSWORD FOR root@localhost = PASSWORD('${password}');\nCREATE DATABASE IF NOT EXISTS shop;\n`,
  );
  // The data need not survive a power cut, and must survive the server's own death.
  const settings = `${data} --port=${port} --socket=${folder}/socket --bind-address=127.0.0.1
    --init-file=${account} --innodb-flush-log-at-trx-commit=2 --max-connections=200
    --innodb-buffer-pool-size=64M --innodb-log-file-size=32M`.split(/\s+/);
  const parameters = ['--no-defaults', ...settings, ...more];
  const server = await startListening(port, folder, 'mariadbd', parameters);
  /** Of an account that may do everything, to an empty database. */
  return { ...server, url: `mysql://root:${password}@127.0.0.1:${port}/shop` };
}

/** The same as a database that a torture kills, where an order may be shipped twice, so that it shows. */
export async function makeMariadb() {
  const { url, killAndRestart: kill, stop } = await startMariadb();
  const connect = () => mysql.createConnection(url);
  const rows = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const connection = await connect();
    const [found] = await connection.query<mysql.RowDataPacket[]>(sql);
    await connection.end();
    return found;
  };
  const lock = async (orderId: string) => {
    const connection = await connect();
    await connection.beginTransaction();
    await connection.query('SELECT 1 FROM pay_orders WHERE order_id = ? FOR UPDATE', [orderId]);
    return () => connection.end();
  };
  await rows('CREATE TABLE shipments (id INT AUTO_INCREMENT PRIMARY KEY, order_id TEXT NOT NULL)');
  return { database: url, isPooled: false, kill, rows, lock, remove: stop };
}
