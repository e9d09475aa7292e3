import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { payAsShopper } from '../examples/pay-as-shopper.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { freePort } from '../process/free-port.ts';
import { root } from '../process/root.ts';
import { Daemon, makeFolder, makeRunFolder, untilListening } from '../torture/daemon.ts';
import { commandIn, compose, fileText, folder, inStage } from './read-files.ts';

/** The files' own ports, and free ones of this machine in their place. */
const ports = new Map<string, string>();
const here = (text: string): string =>
  [...ports].reduce((changed, [from, to]) => changed.replaceAll(from, to), text);

const readSecret = (name: string): string => readFileSync(join(scratch, 'secrets', name), 'utf8');

let scratch: string;
let postgres: TestPostgres;
let pooler: Daemon | undefined;
let poolerFolder: string;
let sandbox: ChildProcess;
let shop: ChildProcess;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'pay-containers-'));
  execFileSync('sh', [join(folder, 'make-secrets.sh')], { cwd: scratch });
  poolerFolder = makeRunFolder('containers');
  postgres = await startPostgres({});
  for (const port of ['3000', '4010', '6432']) ports.set(`:${port}`, `:${await freePort()}`);
  await makeDatabase();
  await startPooler();
  sandbox = await startSandbox();
  shop = await startShop();
});

afterAll(async () => {
  sandbox.kill();
  await pooler?.end('SIGTERM');
  await postgres.stop();
  for (const made of [scratch, poolerFolder]) rmSync(made, { recursive: true, force: true });
});

/** The account and the database that the image makes of its environment. */
async function makeDatabase(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`CREATE ROLE shop LOGIN PASSWORD '${readSecret('postgres-password')}'`);
  await client.query('CREATE DATABASE shop OWNER shop');
  await client.end();
}

/** Debian's PgBouncer with the container's settings; the shop does without one that is missing. */
async function startPooler(): Promise<void> {
  const server = new URL(postgres.url);
  const version = spawnSync('/usr/sbin/pgbouncer', ['--version'], { encoding: 'utf8' }).stdout;
  if (version === null) return void ports.set('@pgbouncer:6432', `@${server.host}`);
  const port = ports.get(':6432')?.slice(1) ?? '';
  ports.delete(':6432');
  ports.set('@pgbouncer:6432', `@127.0.0.1:${port}`);
  const own = makeFolder(poolerFolder, 'pgbouncer');
  const list = join(own, 'userlist.txt');
  writeFileSync(list, readSecret('userlist.txt'));
  chmodSync(list, 0o644);
  const settings = fileText('pgbouncer.ini')
    .replace('host=postgres port=5432', `host=${server.hostname} port=${server.port}`)
    .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('/run/secrets/userlist.txt', list);
  const file = join(own, 'pgbouncer.ini');
  writeFileSync(file, followsNames(version) ? settings : forOld(settings));
  pooler = new Daemon(own, 'pgbouncer', [file]);
  await untilListening(Number(port));
}

/** From 1.21 on a pooler follows the names of prepared statements from connection to connection. */
function followsNames(version: string): boolean {
  const [, major = '', minor = ''] = /PgBouncer (\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

const forOld = (settings: string): string =>
  settings.replace(/^max_prepared_statements.*\n/m, '').replace('= transaction', '= session');

async function startSandbox(): Promise<ChildProcess> {
  const program = join(root, 'packages/gateway-sandbox/src/cli.ts');
  const port = ports.get(':4010')?.slice(1) ?? '';
  const command = (compose.services['sandbox']?.command ?? []).map(here);
  return started(program, ['--port', port, ...command], {});
}

/** The command of the image and the environment of both files, at this machine's ports. */
async function startShop(): Promise<ChildProcess> {
  const [, file = ''] = /^--env-file-if-exists=\/run\/secrets\/(.+)$/.exec(secretOption()) ?? [];
  writeFileSync(join(scratch, file), here(readSecret(file)));
  return started(join(folder, 'server.ts'), [], shopEnvironment(), [
    `--env-file-if-exists=${join(scratch, file)}`,
  ]);
}

const secretOption = (): string => commandIn(inStage('shop', 'CMD'))[1] ?? '';

function shopEnvironment(): Record<string, string> {
  const given = Object.entries(compose.services['shop']?.environment ?? {});
  const PORT = ports.get(':3000')?.slice(1) ?? '';
  const changed = Object.fromEntries(given.map(([name, value]) => [name, here(value)]));
  return { NODE_ENV: 'production', HOST: '0.0.0.0', ...changed, PORT };
}

/** Starts a program of Node, and waits for its line "ready". */
async function started(
  program: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<ChildProcess> {
  const all = ['--conditions=@pay-button/source', ...flags, program, ...parameters];
  const child = spawn(process.execPath, all, {
    cwd: scratch,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('ready')) resolve();
    });
    child.once('exit', () => reject(new Error(`${program} ended early.\n${errors}`)));
  });
  return child;
}

it('the shop of the containers is healthy, takes a payment, and ends at SIGTERM', async () => {
  const [, ...check] = commandIn(inStage('shop', 'HEALTHCHECK'));
  const env = shopEnvironment();
  const probe = spawnSync(process.execPath, check, { env });
  expect(probe.status).toBe(0);

  expect(await payAsShopper(env['PUBLIC_URL'] ?? '')).toMatch(/\/thanks\/1001$/);

  const ended = once(shop, 'exit');
  shop.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(spawnSync(process.execPath, check, { env }).status).toBe(1);
});
