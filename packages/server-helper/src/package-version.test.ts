import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageVersion } from './package-version.ts';

it('the version in the code is that of the manifest', () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ version: packageVersion() });
});
