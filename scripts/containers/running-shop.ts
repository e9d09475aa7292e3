import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { payAsShopper } from '../examples/pay-as-shopper.ts';
import { rowsIn, startPostgres } from '../postgres.ts';
import { freePort, root, type Started, startProgram } from '../process.ts';
import { commandIn, compose, folder, inStage } from './read-files.ts';

/** What stands behind the shop: the address of PostgreSQL, and the secrets that both know. */
export interface Behind {
  readonly server: URL;
  readonly secret: (name: string) => string;
}

/**
 * Starts what the containers are, as processes of this machine with the files' own settings: the
 * shop is healthy, takes a payment, and ends at SIGTERM.
 *
 * @param startPooler - Starts the pooler before PostgreSQL, and gives its host and port; without it
 * the shop asks PostgreSQL itself.
 */
export async function expectShopToWork(
  startPooler: (behind: Behind) => Promise<string> = async ({ server }) => server.host,
): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'pay-containers-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  execFileSync('sh', [join(folder, 'make-secrets.sh')], { cwd: scratch });
  const secret = (name: string): string => readFileSync(join(scratch, 'secrets', name), 'utf8');
  // The account and the database that the image makes of its environment.
  const { url, stop } = await startPostgres({});
  onTestFinished(stop);
  await rowsIn(url, `CREATE ROLE shop LOGIN PASSWORD '${secret('postgres-password')}'`);
  await rowsIn(url, 'CREATE DATABASE shop OWNER shop');
  const server = new URL(url);
  const ports = { shop: String(await freePort()), sandbox: String(await freePort()) };
  const places: Readonly<Record<string, string>> = {
    ':3000': `:${ports.shop}`,
    ':4010': `:${ports.sandbox}`,
    '@pgbouncer:6432': `@${await startPooler({ server, secret })}`,
  };
  /** Puts ports of this machine in place of the files' own. */
  const here = (text: string): string =>
    text.replaceAll(/:3000\b|:4010\b|@pgbouncer:6432\b/g, (place) => places[place] ?? place);
  /** Starts a program of Node, which ends with the test, and waits for its line "ready". */
  const start = async (env: Environment, ...parameters: readonly string[]): Promise<Started> => {
    const place = { cwd: scratch, env, sign: /ready/, isBare: true };
    const program = await startProgram(['--conditions=@pay-button/source', ...parameters], place);
    onTestFinished(program.stop);
    return program;
  };

  const sandbox = join(root, 'packages/gateway-sandbox/src/cli.ts');
  const command = (compose.services['sandbox']?.command ?? []).map(here);
  await start({}, sandbox, '--port', ports.sandbox, ...command);
  // The command of the image, with the file of its secrets, in the environment of both files.
  const option = commandIn(inStage('shop', 'CMD'))[1] ?? '';
  const name = /^--env-file-if-exists=\/run\/secrets\/(.+)$/.exec(option)?.[1] ?? '';
  const file = join(scratch, name);
  writeFileSync(file, here(secret(name)));
  const given = Object.entries(compose.services['shop']?.environment ?? {});
  const env: Environment = {
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    ...Object.fromEntries(given.map(([variable, value]) => [variable, here(value)])),
    PORT: ports.shop,
  };
  const shop = await start(env, `--env-file-if-exists=${file}`, join(folder, 'server.ts'));
  const [, ...check] = commandIn(inStage('shop', 'HEALTHCHECK'));
  expect(spawnSync(process.execPath, check, { env }).status).toBe(0);
  expect(await payAsShopper(env['PUBLIC_URL'] ?? '')).toMatch(/\/thanks\/1001$/);
  await shop.end('SIGTERM');
  expect(spawnSync(process.execPath, check, { env }).status).toBe(1);
}

type Environment = Readonly<Record<string, string>>;
