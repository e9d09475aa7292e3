import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

test('npm start brings up a shop that takes orders, and ends it with npm', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pay-button-start-'));
  const database = `sqlite:${join(folder, 'shop.db')}`;
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    PORT: '0',
    SANDBOX_PORT: '0',
    DATABASE_URL: database,
  };
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let shop = '';
  for await (const line of createInterface({ input: npm.stdout })) {
    if (!line.startsWith('ready ')) continue;
    ({ shop } = JSON.parse(line.slice('ready '.length)) as { shop: string });
    break;
  }
  npm.stdout.resume();
  expect(shop, 'the ready line').not.toBe('');
  const health = await fetch(`${shop}/pay/health`);
  expect(health.status).toBe(200);
  npm.kill('SIGTERM');
  const answers = (): Promise<boolean> =>
    fetch(`${shop}/pay/health`).then(
      () => true,
      () => false,
    );
  await expect.poll(answers, { timeout: 10_000 }).toBe(false);
  await rm(folder, { recursive: true, force: true });
});
