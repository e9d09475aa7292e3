import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Manifest, Project } from './project.ts';
import { newSecret } from '../secret.ts';

const starter = new URL('../../../starter/', import.meta.url);
const template = (file: string): string => readFileSync(new URL(file, starter), 'utf8');

/** The ports of a new shop and of its sandbox. */
export interface Ports {
  readonly shop: number;
  readonly sandbox: number;
}

/** Writes the shop's files. @returns the script that starts it. */
export function writeStarter(project: Project, ports: Ports): string {
  const manifest = project.manifest();
  // Node reads a .ts file as the manifest's type says, and the shop's files are modules.
  const ending = manifest === undefined || manifest.type === 'module' ? '.ts' : '.mts';
  const source = (file: string): string =>
    template(`${file}.ts`).replaceAll(/(?<=from '\.\/[\w.]+)\.ts(?=')/g, ending);
  writeSettings(project, ports);
  for (const [file, what] of [
    ['pay.config', 'your orders, and what follows a payment'],
    ['shop', 'the server; yours to change'],
    ['pages', 'the page with the button, and the one after it'],
  ] as const) {
    project.write(`${file}${ending}`, source(file), what);
  }
  const script = writeManifest(project, manifest, `shop${ending}`);
  if (manifest === undefined) {
    project.write('tsconfig.json', template('tsconfig.json'), 'for your editor; nothing is built');
  }
  writeIgnored(project);
  return script;
}

/** Adds the settings that are missing, and keeps those that are there. */
function writeSettings(project: Project, { shop, sandbox }: Ports): void {
  const before = project.read('.env') ?? '';
  const known = new Set(
    [...before.matchAll(/^\s*(?:export\s+)?(\w+)\s*=/gm)].map(([, name]) => name),
  );
  const lines: string[] = [];
  let notes: string[] = [];
  let added = 0;
  for (const line of template('env').trimEnd().split('\n')) {
    const name = /^(\w+)=/.exec(line)?.[1];
    if (name === undefined) {
      notes.push(line);
      continue;
    }
    if (!known.has(name)) {
      lines.push(...notes, line.replace(/^PAY_TOKEN_SECRET=$/, `PAY_TOKEN_SECRET=${newSecret()}`));
      added += 1;
    }
    notes = [];
  }
  const more = lines.map((line) => `${line}\n`).join('');
  const text = more.replaceAll(':4010', `:${sandbox}`).replaceAll(/(:|PORT=)3000/g, `$1${shop}`);
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  project.extend(
    '.env',
    added === 0 ? before : before + gap + text,
    `${added} settings, with a secret of its own`,
  );
}

/** Adds scripts and packages that are missing. @returns the script that starts the shop. */
function writeManifest(project: Project, before: Manifest | undefined, shop: string): string {
  const wanted = JSON.parse(template('package.json')) as Manifest;
  const named = { name: nameOf(project.folder), version: '0.0.0', ...wanted };
  const { start = '', doctor = '' } = wanted.scripts ?? {};
  const run = start.replace('shop.ts', shop);
  const has = before?.scripts?.['start'];
  const script = has === undefined || has === run ? 'start' : 'shop';
  const known = { ...before?.dependencies, ...before?.devDependencies };
  const dependencies = { ...missing(wanted.dependencies, known), ...before?.dependencies };
  const devDependencies = { ...missing(wanted.devDependencies, known), ...before?.devDependencies };
  const manifest: Manifest = {
    ...(before ?? named),
    scripts: { [script]: run, doctor, ...before?.scripts },
    ...(Object.keys(dependencies).length > 0 ? { dependencies: sorted(dependencies) } : {}),
    ...(Object.keys(devDependencies).length > 0
      ? { devDependencies: sorted(devDependencies) }
      : {}),
  };
  const text = project.read('package.json') ?? '';
  const isSame = JSON.stringify(before) === JSON.stringify(manifest);
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  const what = `the script ${script}, and the packages that it needs`;
  project.extend(
    'package.json',
    isSame ? text : `${JSON.stringify(manifest, null, indent)}\n`,
    what,
  );
  return script;
}

const missing = (
  wanted: Record<string, string> | undefined,
  known: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(wanted ?? {}).filter(([name]) => !Object.hasOwn(known, name)));

const sorted = (record: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** A package's name made of a folder's. */
const nameOf = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'shop';

/** Keeps the secret, the payments and the packages out of the repository. */
function writeIgnored(project: Project): void {
  const before = project.read('.gitignore') ?? '';
  const known = new Set(before.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, '')));
  const added = ['.data/', '.env', 'node_modules/'].filter(
    (one) => !known.has(one.replace('/', '')),
  );
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  const text = added.length === 0 ? before : `${before}${gap}${added.join('\n')}\n`;
  project.extend('.gitignore', text, 'keeps .env and .data out of the repository');
}
