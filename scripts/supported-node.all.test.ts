import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, root, runNode } from './process.ts';
import { entries, importing, oldest, programs, refusal } from './supported-node.ts';

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

describe('a Node that is too old', () => {
  it.each(entries)('is refused by %s before anything else is loaded', async (entry, owner) => {
    const ended = await pretendOld('22.18.0', importing(entry));
    expect(ended).toEqual(refusal(owner, '22.18.0', process.execPath));
  });

  it.each(programs)('is refused by %s', async (path, owner) => {
    const ended = await pretendOld('20.20.2', [join(root, 'packages', path), '--help']);
    expect(ended).toEqual(refusal(owner, '20.20.2', process.execPath));
  });

  it.each(['server-helper', 'gateway-sandbox', 'create'])('is older than %s asks for', (folder) => {
    const manifest = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ engines: { node: `>=${oldest}` } });
  });
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
