import { expect, it } from 'vitest';
import { checkPackages } from './packages.ts';
import { findingsOf } from './testing/fixture-tree.ts';

/** It packs and compiles in seconds; a busy machine may take minutes. */
const timeout = 300_000;

const exported = { types: './dist/index.d.ts', default: './dist/index.js' };
const sound = {
  'index.js': 'export const parts = 1;\n',
  'index.d.ts': 'export declare const parts = 1;\n',
  'reserve.css': 'pay-button { min-height: 48px; }\n',
};

/** What is wrong with packages of these files; a file that is given as `null` is left out. */
async function findings(
  packages: Readonly<Record<string, Readonly<Record<string, string | null>>>>,
): Promise<string> {
  const files = Object.entries(packages).flatMap(([name, changed]) => {
    const manifest = {
      name,
      version: '1.0.0',
      license: 'MIT',
      type: 'module',
      files: ['dist'],
      exports: { '.': exported, './dist/reserve.css': './dist/reserve.css' },
    };
    const own = Object.entries({ ...sound, ...changed }).filter(([, text]) => text !== null);
    return [
      [`packages/${name}/package.json`, JSON.stringify(manifest)],
      ...own.map(([file, text]) => [`packages/${name}/dist/${file}`, text]),
    ];
  });
  const tree: Record<string, string> = Object.fromEntries(files);
  return findingsOf(checkPackages, { 'packages/.keep': '', ...tree });
}

const withPeer = "export type { Pool } from 'pg';\nexport declare const parts = 1;\n";

it(
  'missing types, types of a file or a package that a merchant may not have, and tests are found',
  { timeout },
  async () => {
    const found = await findings({
      untyped: { 'index.d.ts': null },
      elsewhere: { 'index.d.ts': "export { parts } from './parts.js';\n" },
      tested: { 'index.test.js': '' },
      peers: { 'index.d.ts': withPeer },
    });
    expect(found).toMatch(/packages\/untyped: publint/);
    expect(found).toMatch(
      /packages\/elsewhere: every entry in Node:\n.*parts\.js[\s\S]*every entry for a bundler:/,
    );
    expect(found).toContain('packages/tested: dist/index.test.js must not be published');
    expect(found).toMatch(/packages\/peers: without its optional peers:\n.*dist\/index\.d\.ts/);
  },
);

it('a tree without any package fails', async () => {
  expect(await findings({})).not.toBe('');
});
