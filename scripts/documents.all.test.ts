import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ContractDocument } from '../contract/contract-document.ts';
import { profilePlaces } from '../contract/fidelity/fidelity.ts';
import { readDocument } from './check/documents.ts';
import { root, run } from './process.ts';
import { operations } from '../packages/server-helper/src/gateway/profile.ts';
import { type GatewayProfile, readProfile } from '../packages/server-helper/src/gateway/profile.ts';
import { houseFiles } from './tidy/house-files.ts';

const documents = houseFiles(root).filter(({ path }) => path.endsWith('.md'));

/** Which package brings a program of ours. */
const packageOf: Readonly<Record<string, string>> = {
  'pay-button': '@pay-button/server-helper',
  'pay-gateway-sandbox': '@pay-button/gateway-sandbox',
};

const commandsIn = (text: string, languages: RegExp): string[] =>
  readDocument(text)
    .blocks.filter(({ info }) => languages.test(info))
    .flatMap(({ code }) => code.split('\n'));

/** Programs that the document's commands run before one of them has installed their package. */
function runTooEarly(text: string): string[] {
  const commands = commandsIn(text, /^(?:sh|bash|yaml)$/);
  return commands.filter((command, index) => {
    // A line that changes to the shop's folder first finds what the shop installed.
    const program = /^(?!.*\bcd \S+ && ).*\bnpx ((?:-p \S+ )?)(pay-[\w-]+)/.exec(command);
    const wanted = packageOf[program?.[2] ?? ''];
    if (program === null || wanted === undefined || program[1] === `-p ${wanted} `) return false;
    const before = commands.slice(0, index);
    return !before.some((line) => /\bnpm install\b/.test(line) && line.includes(wanted));
  });
}

const runs = documents.flatMap(({ path, text }) =>
  readDocument(text)
    .blocks.filter(({ info }) => info === 'ts complete runs')
    .map(({ line, code }) => ({ place: `${path}:${line}`, code })),
);

mkdirSync(join(root, '.cache'), { recursive: true });
const scratch = mkdtempSync(join(root, '.cache/documents-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A slow machine may take its time; only the end of the program counts. */
const timeout = 240_000;

const conditions = ['@pay-button/source', 'node', 'default'];
const config = `const source = { conditions: ${JSON.stringify(conditions)} };
export default { resolve: source, ssr: { resolve: source }, test: {
  include: ['*.ts'], testTimeout: ${timeout}, hookTimeout: ${timeout} } };`;

describe('the commands of the documents', () => {
  it('install a package before they run its program', () => {
    const early = documents.flatMap(({ path, text }) =>
      runTooEarly(text).map((command) => `${path}: ${command}`),
    );
    expect(early).toEqual([]);
  });

  it('call no program by its bare name, which only a project’s own scripts know', () => {
    const bare = documents.flatMap(({ path, text }) =>
      commandsIn(text, /^(?:sh|bash)$/)
        .filter((line) => /^\s*(?:\w+=\S+ )*pay-(?:button|gateway-sandbox)\b/.test(line))
        .map((line) => `${path}: ${line}`),
    );
    expect(bare).toEqual([]);
  });

  it('of the README name every package that its code imports', () => {
    const { text = '' } = documents.find(({ path }) => path === 'README.md') ?? {};
    const installed = /npm install (.*)/.exec(text)?.[1]?.split(' ');
    const imports = [...text.matchAll(/^import .* from '((?!node:)[^']+)'/gm)];
    expect(installed).toEqual(expect.arrayContaining(imports.map(([, name]) => name)));
  });
});

describe('the guide of the gateway client', () => {
  const { text = '' } = documents.find(({ path }) => path === 'docs/gateway-client.md') ?? {};
  const rows = text.split('\n').filter((line) => /^\| \d+ /.test(line));

  it('lists each operation with its method, path and certainty', () => {
    const listed = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    const contract = new ContractDocument();
    for (const [name, { method, path }] of Object.entries(operations)) {
      const { tier, section } = contract.placeOf(name);
      const row = listed.find(([, , operation]) => operation === `\`${name}\``);
      const shown = [row?.[4], row?.[6], row?.[7]];
      expect(shown, name).toEqual([`\`${method} ${path}\``, tier, section]);
    }
    expect(rows.length).toBe(Object.keys(operations).length + 1);
  });

  const profile = text.slice(text.indexOf('## Profile'), text.indexOf('## Contradictions'));

  it('lists each entry of a profile', () => {
    const lines = profile.split('\n');
    const places = profilePlaces();
    const entries = places.filter((one) => !places.some((other) => other.startsWith(`${one}.`)));
    const missing = entries.filter((entry) => {
      const [, operation, , name] = /^operations\.(\w+)\.(\w+)\.?(.*)$/.exec(entry) ?? [];
      const row = lines.find((line) => line.startsWith(`| \`${operation ?? entry}\` `));
      const part = name === undefined || name === '' ? entry.split('.').at(-1) : name;
      return row === undefined || !row.includes(operation === undefined ? entry : `\`${part}\``);
    });
    expect(missing).toEqual([]);
    expect(entries.length).toBeGreaterThan(60);
  });

  it('shows a profile that the client takes', () => {
    const [, example = ''] = /```json\n(.*?)```/s.exec(profile) ?? [];
    expect(readProfile(JSON.parse(example) as GatewayProfile)).toMatchObject(JSON.parse(example));
  });

  it('explains each contradiction of the contract', () => {
    const contract = readFileSync(join(root, 'contract/gateway.openapi.yaml'), 'utf8');
    const ids = new Set(contract.match(/(?<=x-source: )X\d+/g));
    for (const id of ids) expect(text).toContain(`\n| ${id} `);
  });
});

describe('the addresses of the guides in messages', () => {
  const sources = houseFiles(join(root, 'packages/server-helper/src'))
    .filter(({ path }) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(({ path, text }) => ({ text, isCheck: path.startsWith('cli/doctor/') }));
  const found = (pattern: RegExp, of = sources): string[] =>
    of.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, place = '']) => place));
  // The doctor's own findings lead to the headings named like its checks.
  const checks = sources.filter(({ isCheck }) => isCheck);
  const places = new Set([
    ...found(/guideAddress\('([^']+)'\)/g),
    ...found(/helpOf\('([^']+)'\)/g, checks).map((id) => `operations.md#${id}`),
    ...found(/^ {2}\['(?!review)([\w-]+)', /gm, checks).map((id) => `operations.md#${id}`),
  ]);

  it.each([...places])('%s is a heading', (place) => {
    const [file = '', anchor = ''] = place.split('#');
    const document = documents.find(({ path }) => path === `docs/${file}`);
    expect(readDocument(document?.text ?? '').anchors).toContain(anchor);
  });

  it('are never paths, which lead nowhere in a merchant’s project', () => {
    const lines = sources.flatMap(({ text }) => text.split('\n'));
    const printed = lines.filter((line) => !/^ *(?:\/\*)?\*/.test(line));
    expect(printed.filter((line) => /docs\/[\w-]+\.md/.test(line))).toEqual([]);
  });

  it('are found, or this test would prove nothing', () => {
    expect(places.size).toBeGreaterThan(15);
  });
});

it('each manifest names the same repository, and its own folder in it', () => {
  const manifests = ['', ...readdirSync(join(root, 'packages'))].map((name) => {
    const folder = name === '' ? '.' : `packages/${name}`;
    const text = readFileSync(join(root, folder, 'package.json'), 'utf8');
    return { folder, manifest: JSON.parse(text) as Record<string, unknown> };
  });
  const [top] = manifests;
  const named = top?.manifest['repository'] as { readonly url: string } | undefined;
  const url = named?.url ?? '';
  const web = url.replace(/^git\+(https:.+)\.git$/, '$1');
  for (const { folder, manifest } of manifests) {
    const isTop = folder === '.';
    expect(manifest).toMatchObject({
      repository: { type: 'git', url, ...(isTop ? {} : { directory: folder }) },
      homepage: isTop ? `${web}#readme` : `${web}/tree/main/${folder}#readme`,
      bugs: { url: `${web}/issues` },
    });
  }
  expect(manifests.length).toBeGreaterThan(3);
});

describe('a block that says that it runs', () => {
  it.each(runs)('does so as it is written: $place', { timeout }, async ({ code }) => {
    const folder = mkdtempSync(join(scratch, 'block-'));
    const file = join(folder, 'block.ts');
    writeFileSync(file, code);
    writeFileSync(join(folder, 'vitest.config.mjs'), config);
    const options = { output: 'capture', cwd: folder } as const;
    const ended = code.includes("from 'vitest'")
      ? await run('vitest', ['run', '--root', folder], options)
      : await run('node', [`--conditions=${conditions[0]}`, file], options);
    expect(ended).toMatchObject({ code: 0 });
  });

  it('is found, or this test would prove nothing', () => {
    const named = readFileSync(join(root, 'docs/testing-with-the-sandbox.md'), 'utf8');
    expect(named).toContain('```ts complete runs');
    expect(runs.length).toBeGreaterThan(2);
  });
});
