import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PayButton } from './pay-button.ts';
import { PayStatus } from './pay-status.ts';

test('both elements tell the version of the package', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  expect(manifest).toMatchObject({ version: PayButton.version });
  expect(PayStatus.version).toBe(PayButton.version);
});
