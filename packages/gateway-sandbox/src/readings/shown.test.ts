import { expect, test } from 'vitest';
import { send, startForTest } from '../testing/sandbox-for-test.ts';

const profile = { name: 'staging, seen 2026-11', status: { orderName: 'reference' } };

test('the readings in force are shown by the control API and on the inspector', async () => {
  const sandbox = await startForTest({ profile, policy: ['sameId'] });
  expect(await sandbox.control.info()).toMatchObject({ policy: ['sameId'], profile });
  for (const lang of ['en', 'ar']) {
    const { text } = await send(`${sandbox.url}/_sandbox?lang=${lang}`);
    expect(text).toContain('sameId');
    expect(text).toContain('status.orderName');
    expect(text).toContain('reference');
  }
});

test('a sandbox of its own readings shows none', async () => {
  const sandbox = await startForTest();
  expect(await sandbox.control.info()).not.toHaveProperty('profile');
  const { text } = await send(`${sandbox.url}/_sandbox`);
  expect(text).not.toContain('Readings in force');
});
