import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTestShop } from '../testing/test-shop.ts';
import { SettingError } from './settings.ts';

it('keeps its secret, its orders and the sandbox’s journal for its owner only', async () => {
  const shop = await openTestShop();
  onTestFinished(() => shop.close());
  const files = await readdir(shop.folder, { recursive: true, withFileTypes: true });
  const stored = files.filter((entry) => entry.isFile() && /secret|db$|journal/.test(entry.name));
  const modes = await Promise.all(
    stored.map(async ({ parentPath, name }) => {
      const { mode } = await stat(join(parentPath, name));
      return [name, (mode & 0o777).toString(8)];
    }),
  );
  expect(Object.fromEntries(modes)).toEqual({
    'token-secret': '600',
    'shop.db': '600',
    'journal.jsonl': '600',
    'journal.lock': '600',
  });
});

it('starts no sandbox when it is given a gateway', async () => {
  const gateway = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1', GATEWAY_API_KEY: 'a-key' };
  const shop = await openTestShop(gateway);
  onTestFinished(() => shop.close());
  expect(shop.sandboxUrl).toBe('');
});

it.each(['PORT', 'SANDBOX_PORT'])('says in one line that %s is busy', async (setting) => {
  const squatter = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void squatter.close());
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const refusal = openTestShop({ [setting]: String(port) });
  await expect(refusal).rejects.toThrow(SettingError);
  await expect(refusal).rejects.toThrow(
    new RegExp(`^Port ${port} .*another program.*${setting}=0.*$`),
  );
});
