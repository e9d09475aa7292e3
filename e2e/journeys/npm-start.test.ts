import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { root, startProgram } from '../../scripts/process.ts';

test('npm start brings up a shop that takes orders, and ends it with npm', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pay-button-start-'));
  const DATABASE_URL = `sqlite:${join(folder, 'shop.db')}`;
  const env = { HOME: folder, PORT: '0', SANDBOX_PORT: '0', DATABASE_URL };
  const place = { program: 'npm', cwd: root, env, isBare: true };
  const { ready, stop } = await startProgram(['start'], place);
  const { shop } = JSON.parse(ready) as { shop: string };
  const answers = async () =>
    (await fetch(`${shop}/pay/health`).catch(() => undefined))?.ok ?? false;
  expect(await answers()).toBe(true);
  await stop();
  await expect.poll(answers, { timeout: 10_000 }).toBe(false);
  await rm(folder, { recursive: true, force: true });
});
