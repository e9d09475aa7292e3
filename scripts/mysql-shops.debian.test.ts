import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { startSandbox } from '@pay-button/gateway-sandbox';
import { expect, it, onTestFinished } from 'vitest';
import { makeMariadb } from '../packages/server-helper/test-support/mariadb.ts';
import { temporaryFolder } from '../packages/server-helper/test-support/temporary-folder.ts';
import { payAsShopper, shopSettings } from './examples/pay-as-shopper.ts';
import { type Place, root, startProgram, succeed } from './process.ts';

const source = '--conditions=@pay-button/source';

/** Pays order 1001 in a shop on a new database, and reads what is there then. */
async function payIn(program: string[], place: Place, shopUrl: string, sql: string) {
  const { database, rows, remove } = await makeMariadb();
  onTestFinished(remove);
  await rows('CREATE DATABASE other');
  const env = { ...place.env, DATABASE_URL: database.replace(/shop$/, 'other') };
  const shop = await startProgram([source, ...program], { ...place, env });
  onTestFinished(shop.stop);
  await payAsShopper(shopUrl);
  return rows(sql);
}

it('examples/express-mysql takes a payment, and ships in its commit', async () => {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const env = await shopSettings(sandbox, '');
  const place = { cwd: join(root, 'examples/express-mysql'), env };
  const sql = 'SELECT * FROM other.shipments';
  expect(await payIn(['server.ts'], place, env.PUBLIC_URL, sql)).toEqual([{ order_id: '1001' }]);
});

it('the shop that `create --mysql` writes takes a payment where DATABASE_URL is a MariaDB', async () => {
  const cwd = temporaryFolder();
  const create = [source, join(root, 'packages/create/bin/create.js'), '--mysql', '--no-install'];
  await succeed(process.execPath, create, { cwd });
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const { PUBLIC_URL: url = '' } = parseEnv(readFileSync(join(cwd, '.env'), 'utf8'));
  const sql = 'SELECT order_id, state FROM other.pay_orders';
  const stored = await payIn(['--env-file=.env', 'shop.ts'], { cwd, sign: /Shop / }, url, sql);
  expect(stored).toEqual([{ order_id: '1001', state: 'paid' }]);
});
