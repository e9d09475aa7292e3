import { execFileSync } from 'node:child_process';
import { it, onTestFinished } from 'vitest';
import { debianProgram } from '../debian-programs.ts';
import { freePort } from '../process.ts';
import { makeFolder, startListening, writeSettings } from '../torture/daemon.ts';
import { fileText } from './read-files.ts';
import { expectShopToWork, type Behind } from './running-shop.ts';

it('the shop of the containers takes a payment through PgBouncer with its container’s settings', async () => {
  await expectShopToWork(startPooler);
}, 180_000);

/** Starts Debian's PgBouncer with the container's settings. @returns its host and port. */
async function startPooler({ server, secret }: Behind): Promise<string> {
  const version = execFileSync(debianProgram('pgbouncer'), ['--version'], { encoding: 'utf8' });
  const folder = makeFolder('containers');
  const list = writeSettings(folder, 'userlist.txt', secret('userlist.txt'));
  const port = await freePort();
  const settings = fileText('pgbouncer.ini')
    .replace('host=postgres port=5432', `host=${server.hostname} port=${server.port}`)
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/run/secrets/userlist.txt', list);
  const supported = followsNames(version) ? settings : forOld(settings);
  const file = writeSettings(folder, 'pgbouncer.ini', supported);
  const { stop } = await startListening(port, folder, 'pgbouncer', [file]);
  onTestFinished(stop);
  return `127.0.0.1:${port}`;
}

/** From 1.21 on a pooler follows the names of prepared statements from connection to connection. */
function followsNames(version: string): boolean {
  const [, major = '', minor = ''] = /PgBouncer (\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

const forOld = (settings: string): string =>
  settings.replace(/^max_prepared_statements.*\n/m, '').replace('= transaction', '= session');
