import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliShop, runCliInside } from '../../../test-support/cli-shop.ts';

let shop: CliShop;
beforeEach(async () => void (shop = await CliShop.start()));
afterEach(() => shop.close());

/** What the doctor says of the way to a database. */
async function finding(databaseUrl: string): Promise<Readonly<Record<string, string>>> {
  const env = { ...shop.env, DATABASE_URL: databaseUrl };
  const { json } = await runCliInside(['doctor', '--json', '--offline'], env);
  const checks = json['checks'] as readonly Record<string, string>[];
  return checks.find(({ id }) => id === 'database-tls') ?? {};
}

const remote = 'postgres://shop:hunter2@db.invalid/shop';

it.each([
  ['', 'not encrypted'],
  ['?sslmode=disable', 'not encrypted'],
  ['?sslmode=no-verify', 'not checked'],
])('the doctor finds a database that an attacker can pass for: %j', async (query, what) => {
  const reported = await finding(`${remote}${query}`);
  expect(reported).toMatchObject({ status: 'odd', code: 'database_unverified' });
  expect(reported['what']).toContain(what);
  expect(reported['fix']).toContain('sslmode=verify-full');
  expect(JSON.stringify(reported)).not.toContain('hunter2');
});

it.each([
  'sqlite:payments.db',
  'postgres://shop:hunter2@127.0.0.1:9/shop',
  'postgres://shop:hunter2@localhost:9/shop?sslmode=disable',
  'postgres://shop:hunter2@/shop?host=/var/run/none',
  `${remote}?sslmode=verify-full`,
  `${remote}?sslmode=require`,
])('the doctor has nothing to say of %s', async (databaseUrl) => {
  expect(await finding(databaseUrl)).toMatchObject({ status: 'fine' });
});
