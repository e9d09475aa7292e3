import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ConfigurationError } from '@pay-button/server-helper';
import { expect, it, onTestFinished } from 'vitest';
import { openTestShop } from '../testing/test-shop.ts';
import { openHttpServer } from './start-shop.ts';
import { SettingError } from './settings.ts';

/** Why the shop does not start. */
async function refusalOf(settings: Readonly<Record<string, string>>): Promise<string> {
  const reason: unknown = await openTestShop(settings).catch((error: unknown) => error);
  if (reason instanceof SettingError || reason instanceof ConfigurationError) return reason.message;
  throw reason;
}

const gateway = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1', GATEWAY_API_KEY: 'a-key' };

it.each([
  [{ PORT: '70000' }, /^PORT is not a port/],
  [{ SANDBOX_PORT: 'x' }, /^SANDBOX_PORT is not a port/],
  [{ PUBLIC_URL: 'shop.example' }, /^PUBLIC_URL/],
  [{ PUBLIC_URL: 'https://shop.example/path' }, /^PUBLIC_URL/],
  [{ DATABASE_URL: 'mysql://root:hunter2@host/db' }, /^DATABASE_URL/],
  [{ DEMO_BUG: 'hunter2' }, /^DEMO_BUG is no bug/],
  [{ ...gateway, DEMO_BUG: 'no-deduplication' }, /^DEMO_BUG is for the sandbox/],
  [{ DEMO_ADMIN_TOKEN: 'hunter2', HOST: '0.0.0.0' }, /^DEMO_ADMIN_TOKEN is too short.*16 char/],
  [{ PAY_TOKEN_SECRET: 'hunter2' }, /weak_token_secret/],
  [{ GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1' }, /GATEWAY_API_KEY is not set.*missing_setting/],
  [{ ...gateway, GATEWAY_PORTAL_USERNAME: 'me' }, /GATEWAY_PORTAL_PASSWORD.*set both or neither/],
])('refuses %o in one line that does not repeat it', async (settings, reason) => {
  const refusal = await refusalOf(settings);
  expect(refusal).toMatch(reason);
  expect(refusal).not.toMatch(/hunter2|\n/);
});

it.each(['PORT', 'SANDBOX_PORT'])('says in one line that %s is busy', async (setting) => {
  const squatter = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void squatter.close());
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const refusal = await refusalOf({ [setting]: String(port) });
  expect(refusal).toMatch(new RegExp(`^Port ${port} .*another program.*${setting}=0.*$`));
});

it('keeps its secret, its orders and the sandbox’s journal for its owner only', async () => {
  const shop = await openTestShop();
  onTestFinished(() => shop.close());
  const files = await readdir(shop.folder, { recursive: true, withFileTypes: true });
  const stored = files.filter((entry) => entry.isFile() && /secret|db$|journal/.test(entry.name));
  const modes = await Promise.all(
    stored.map(async ({ parentPath, name }) => {
      const { mode } = await stat(join(parentPath, name));
      return `${name} ${(mode & 0o777).toString(8)}`;
    }),
  );
  const names = ['journal.jsonl', 'journal.lock', 'shop.db', 'token-secret'];
  expect(modes.toSorted()).toEqual(names.map((name) => `${name} 600`));
});

it.each([
  ['headers', 'GET / HTTP/1.1\r\nhost: localhost\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf'],
])('ends a request that does not finish sending %s', async (_what, half) => {
  const limits = { headersTimeout: 500, requestTimeout: 500, connectionsCheckingInterval: 20 };
  const server = await openHttpServer(0, '127.0.0.1', limits);
  server.serve((request) => void request.resume());
  const socket = connect(server.port, '127.0.0.1');
  socket.write(half);
  expect(await text(socket)).toContain('HTTP/1.1 408');
  await server.close();
});
