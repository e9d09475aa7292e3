import { describe, expect, it } from 'vitest';
import { checkPackages } from './packages.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

const exported = { types: './dist/index.d.ts', default: './dist/index.js' };
const manifest = JSON.stringify({
  name: 'shop-parts',
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  files: ['dist'],
  exports: { '.': exported, './dist/reserve.css': './dist/reserve.css' },
});
const whole = {
  'packages/parts/package.json': manifest,
  'packages/parts/dist/index.js': 'export const parts = 1;\n',
  'packages/parts/dist/index.d.ts': 'export declare const parts = 1;\n',
  'packages/parts/dist/reserve.css': 'pay-button { min-height: 48px; }\n',
};

async function findings(files: Readonly<Record<string, string>>): Promise<string> {
  const result = await checkPackages(fixtureTree(files));
  return result.ok ? '' : result.details;
}

describe('the check of packages', () => {
  it('accepts a tarball that is whole', async () => {
    expect(await findings(whole)).toBe('');
  });

  it('finds an entry whose types are missing from the tarball', async () => {
    const { 'packages/parts/dist/index.d.ts': types, ...untyped } = whole;
    expect(types).toContain('declare');
    expect(await findings(untyped)).toMatch(/packages\/parts: publint/);
  });

  it('finds an entry whose types name a file that is not there, under either resolution', async () => {
    const declaration = "export { parts } from './parts.js';\n";
    const found = await findings({ ...whole, 'packages/parts/dist/index.d.ts': declaration });
    expect(found).toMatch(/every entry in Node:\n.*parts\.js[\s\S]*every entry for a bundler:/);
  });

  it('finds tests that would be published', async () => {
    const found = await findings({ ...whole, 'packages/parts/dist/index.test.js': '' });
    expect(found).toContain('dist/index.test.js must not be published');
  });

  it('finds types that need a package which a merchant may not have', async () => {
    const declaration = "export type { Pool } from 'pg';\nexport declare const parts = 1;\n";
    const files = { ...whole, 'packages/parts/dist/index.d.ts': declaration };
    expect(await findings(files)).toMatch(/without its optional peers:\n.*dist\/index\.d\.ts/);
    const forgiven = `/** @ts-ignore Optional. */\n${declaration}`;
    expect(await findings({ ...whole, 'packages/parts/dist/index.d.ts': forgiven })).toBe('');
  });

  it('fails when there is no package to check', async () => {
    expect(await findings({ 'packages/.keep': '' })).not.toBe('');
  });
});
