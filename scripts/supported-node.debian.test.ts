import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './process/root.ts';
import { type Ended, run, runNode } from './process/run.ts';

/** Every module that a merchant's server or test imports, and its package. */
const entries = [
  ['@pay-button/server-helper', '@pay-button/server-helper'],
  ['@pay-button/server-helper/qr', '@pay-button/server-helper'],
  ['@pay-button/server-helper/testing', '@pay-button/server-helper'],
  ['@pay-button/gateway-sandbox', '@pay-button/gateway-sandbox'],
  ['@pay-button/gateway-sandbox/playwright', '@pay-button/gateway-sandbox'],
  ['@pay-button/gateway-sandbox/vitest', '@pay-button/gateway-sandbox'],
] as const;

/** Every program, and the package that refuses for it. */
const programs = [
  ['server-helper/bin/pay-button.js', '@pay-button/server-helper'],
  ['gateway-sandbox/bin/pay-gateway-sandbox.js', '@pay-button/gateway-sandbox'],
  ['create/bin/create.js', '@pay-button/server-helper'],
] as const;

const oldest = '22.19';

const importing = (...modules: readonly string[]): readonly string[] => [
  '--input-type=module',
  '--eval',
  `${modules.map((name) => `import '${name}';`).join('')} console.log('the shop starts');`,
];

/** Runs the sources by a Node that gives out other versions. */
function pretend(
  versions: Readonly<Record<string, string>>,
  parameters: readonly string[],
  lacks = '',
): Promise<Ended> {
  const code = `import zlib from 'node:zlib';
    import { syncBuiltinESMExports } from 'node:module';
    ${lacks === '' ? '' : `delete zlib.${lacks}; syncBuiltinESMExports();`}
    const value = { ...process.versions, ...${JSON.stringify(versions)} };
    Object.defineProperty(process, 'versions', { value });`;
  const before = `data:text/javascript,${encodeURIComponent(code)}`;
  const options = ['--conditions', '@pay-button/source', '--import', before];
  return runNode([...options, ...parameters], { output: 'capture' });
}

/** As undici finds it: Node 20 fails while undici is loaded. */
const pretendOld = (version: string, parameters: readonly string[]): Promise<Ended> =>
  pretend({ node: version }, parameters, 'createZstdDecompress');

const refusal = (owner: string, version: string, program: string): Ended => ({
  code: 1,
  output: `${owner} needs Node ${oldest} or later, and this is Node ${version} (${program}): install the current long-term release from https://nodejs.org/en/download\n`,
  trouble: undefined,
});

describe('a Node that is too old', () => {
  it.each(entries)('is refused by %s before anything else is loaded', async (entry, owner) => {
    const ended = await pretendOld('22.18.0', importing(entry));
    expect(ended).toEqual(refusal(owner, '22.18.0', process.execPath));
  });

  it.each(programs)('is refused by %s', async (path, owner) => {
    const ended = await pretendOld('20.20.2', [join(root, 'packages', path), '--help']);
    expect(ended).toEqual(refusal(owner, '20.20.2', process.execPath));
  });

  it.each(['server-helper', 'gateway-sandbox', 'create'])(
    'is older than the manifest of %s asks for',
    (folder) => {
      const manifest = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8');
      expect(JSON.parse(manifest)).toMatchObject({ engines: { node: `>=${oldest}` } });
    },
  );
});

it.each([
  { node: '22.19.0' },
  { node: '23.0.0' },
  // Both tell which Node they imitate.
  { node: '20.11.1', deno: '2.1.0' },
  { node: '22.6.0', bun: '1.2.0' },
])('%j is let in', async (versions) => {
  const ended = await pretend(versions, importing(...entries.map(([entry]) => entry)));
  expect(ended).toMatchObject({ code: 0, output: 'the shop starts\n' });
});

describe('a real Node that is too old, as Debian’s is, and the packages as built', () => {
  const program = '/usr/bin/node';
  const version = existsSync(program)
    ? execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1)
    : oldest;
  const isOld = version.localeCompare(oldest, 'en', { numeric: true }) < 0;
  const builtFor = (path: string): readonly string[] => [join(root, 'packages', path), '--help'];

  it.for([
    ...entries.map(([entry, owner]) => [entry, owner, importing(entry)] as const),
    ...programs.map(([path, owner]) => [path, owner, builtFor(path)] as const),
  ])('is refused by %s', async ([, owner, parameters], { skip }) => {
    if (!isOld) skip('no Node that is too old is installed here');
    const ended = await run(program, parameters, { output: 'capture' });
    expect(ended).toEqual(refusal(owner, version, program));
  });
});
