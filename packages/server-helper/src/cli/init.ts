import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { plain } from '../text.ts';
import type { Environs } from '../index.ts';
import { type Command, type Invocation, noWords, UsageError } from './command.ts';
import { table, type Terminal } from './terminal.ts';

/** A secret of 256 bits, in hex: it fits into any file of settings and any shell. */
const newSecret = (): string => randomBytes(32).toString('hex');

export const secret: Command = async (invocation) => {
  noWords(invocation, 'secret takes nothing.');
  if (invocation.isJson) invocation.terminal.json({ secret: newSecret() });
  else invocation.terminal.line(newSecret());
  return 0;
};

export const init: Command = async (invocation) => {
  const { words, values, terminal, isJson, env, cwd } = invocation;
  if (words.length > 1) throw new UsageError('Name one folder, or none for this one.');
  const [kind, ...others] = (['mysql', 'postgres'] as const).filter((one) => values[one] === true);
  if (others.length > 0) throw new UsageError('Name one database: --mysql or --postgres.');
  const project = new Project(resolve(cwd, words[0] ?? '.'), values['force'] === true);
  const ports = { shop: await freePort(3_000), sandbox: await freePort(4_010) };
  const script = writeStarter(project, ports, kind && servers[kind]);
  const { folder, reports: files } = project;
  if (!isJson) writeFiles(terminal, files, relative(cwd, folder));
  const agent = env['npm_config_user_agent'] ?? '';
  const managers = Object.keys(lockfiles) as readonly (keyof typeof lockfiles)[];
  // The one whose lockfile is there; else the one that runs this program; else npm.
  const manager =
    managers.find((name) => existsSync(join(folder, lockfiles[name]))) ??
    managers.find((name) => agent.startsWith(`${name}/`)) ??
    'npm';
  const isInstalled = values['no-install'] !== true && (await install(invocation, manager, folder));
  const way = relative(cwd, folder);
  const next = [
    ...(way === '' ? [] : [`cd ${/^[\w./-]+$/.test(way) ? way : JSON.stringify(way)}`]),
    ...(isInstalled ? [] : [`${manager} install`]),
    `${manager} ${script === 'start' && manager !== 'bun' ? script : `run ${script}`}`,
  ];
  if (isJson) terminal.json({ folder, files, installed: isInstalled, next });
  else writeNext(terminal, next, parseEnv(project.read('.env') ?? ''));
  return isInstalled || values['no-install'] === true ? 0 : 1;
};

const actions: Readonly<
  Record<FileReport['action'], readonly [Parameters<Terminal['paint']>[0], string]>
> = {
  written: ['green', '+'],
  extended: ['green', '~'],
  replaced: ['yellow', '!'],
  kept: ['dim', '='],
};

function writeFiles(terminal: Terminal, files: readonly FileReport[], folder: string): void {
  const where = folder === '' ? 'this folder' : plain(folder);
  terminal.line(`${terminal.paint('bold', 'A shop that takes payments')}, in ${where}`);
  terminal.line();
  const rows = files.map(({ file, action, what }) => {
    const [colour, mark] = actions[action];
    const said = action === 'replaced' ? `replaced: ${what}` : what;
    return [terminal.paint(colour, mark), file, terminal.paint('dim', said)];
  });
  for (const line of table(rows)) terminal.line(`  ${line}`);
}

/** Installs what the manifest names, and says what went wrong. @returns whether it is installed. */
async function install({ terminal, env, isJson }: Invocation, manager: string, folder: string) {
  const startedAt = performance.now();
  if (!isJson) terminal.error(`  Installing packages with ${manager} …`);
  const quiet = manager === 'npm' ? ['--no-audit', '--no-fund', '--loglevel=error'] : [];
  const child = spawn(manager, ['install', ...quiet], {
    cwd: folder,
    env: { ...env },
    // On Windows these programs are scripts of its shell.
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const code = await once(child, 'close').then(
    ([ended]: (number | null)[]) => ended,
    (error: unknown) => {
      said = `${manager} could not be started (${error instanceof Error ? error.message : ''})`;
    },
  );
  if (code !== 0) {
    const trouble = said.trim() || `${manager} ended with ${String(code)}`;
    terminal.error(`${terminal.paint('red', '✗')} ${manager} install failed:\n${trouble}`);
  } else if (!isJson) {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const mark = terminal.paint('green', '✓');
    terminal.line(`\n  ${mark} packages installed by ${manager}, ${seconds} s`);
  }
  return code === 0;
}

function writeNext(
  terminal: Terminal,
  next: readonly string[],
  { PUBLIC_URL: address, GATEWAY_BASE_URL: gateway, DATABASE_URL: database = '' }: Environs,
): void {
  terminal.line();
  terminal.line(terminal.paint('bold', 'Next'));
  if (database.endsWith(PLACEHOLDER)) terminal.line('  set DATABASE_URL in .env');
  for (const command of next) terminal.line(`  ${terminal.paint('cyan', command)}`);
  terminal.line();
  if (!/^https?:\/\/(?:127\.0\.0\.1|localhost)\b/.test(gateway ?? '')) {
    terminal.line(`Then open ${address}. The gateway is the one of your .env: ${gateway}`);
    return;
  }
  terminal.line(`Then open ${address} and pay with the test card 4201 3201 1111 1010,`);
  terminal.line('any month to come and any CVV. No money moves: the gateway is a sandbox.');
}

const starter = new URL('../../starter/', import.meta.url);
const template = (file: string): string => readFileSync(new URL(file, starter), 'utf8');

type Ports = Readonly<Record<'shop' | 'sandbox', number>>;

/** What follows the name of an account in an address that is to be changed. */
const PLACEHOLDER = ':password@127.0.0.1/shop';

/** Servers that store the payments in place of a file, each with its driver. */
const servers = {
  mysql: { address: `mysql://shop${PLACEHOLDER}`, driver: { mysql2: '^3.24.6' } },
  postgres: { address: `postgres://shop${PLACEHOLDER}`, driver: { pg: '^8.23.1' } },
};
type Server = (typeof servers)['mysql' | 'postgres'];

/** Writes the shop's files. @returns the script that starts it. */
function writeStarter(project: Project, ports: Ports, server?: Server): string {
  const manifest = project.manifest();
  // Node reads a .ts file as the manifest's type says, and the shop's files are modules.
  const ending = manifest === undefined || manifest.type === 'module' ? '.ts' : '.mts';
  const source = (file: string): string =>
    template(`${file}.ts`).replaceAll(/(?<=from '\.\/[\w.]+)\.ts(?=')/g, ending);
  writeSettings(project, ports, server?.address);
  for (const [file, what] of [
    ['pay.config', 'your orders, and what follows a payment'],
    ['shop', 'the server; yours to change'],
    ['pages', 'the page with the button, and the one after it'],
  ] as const) {
    project.write(`${file}${ending}`, source(file), what);
  }
  const script = writeManifest(project, manifest, `shop${ending}`, server?.driver);
  if (manifest === undefined) {
    project.write('tsconfig.json', template('tsconfig.json'), 'for your editor; nothing is built');
  }
  writeIgnored(project);
  return script;
}

/** A setting of the template, with the lines about it. */
const SETTING = /(?:(?!\w+=).*\n)*(\w+)=.*\n/g;

/** Adds the settings that are missing, and keeps those that are there. */
function writeSettings(project: Project, { shop, sandbox }: Ports, database?: string): void {
  const known = parseEnv(project.read('.env') ?? '');
  const wanted = template('env').replace(/(?<=DATABASE_URL=).*/, (file) => database ?? file);
  const missing = [...wanted.matchAll(SETTING)].filter(([, name = '']) => !(name in known));
  const text = missing
    .map(([lines]) => lines)
    .join('')
    .replace(/^PAY_TOKEN_SECRET=$/m, `PAY_TOKEN_SECRET=${newSecret()}`)
    .replaceAll(':4010', `:${sandbox}`)
    .replaceAll(/(:|PORT=)3000/g, `$1${shop}`);
  project.append('.env', text, `${missing.length} settings, with a secret of its own`);
}

/** Adds scripts and packages that are missing. @returns the script that starts the shop. */
function writeManifest(project: Project, before: Manifest | undefined, shop: string, driver = {}) {
  const wanted = JSON.parse(template('package.json')) as Manifest;
  wanted.dependencies = { ...wanted.dependencies, ...driver };
  const name = basename(project.folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const named = { name: name || 'shop', version: '0.0.0', ...wanted };
  const { start = '', doctor = '' } = wanted.scripts ?? {};
  const run = start.replace('shop.ts', shop);
  const has = before?.scripts?.['start'];
  const script = has === undefined || has === run ? 'start' : 'shop';
  const known = { ...before?.dependencies, ...before?.devDependencies };
  const manifest: Manifest = {
    ...(before ?? named),
    scripts: { [script]: run, doctor, ...before?.scripts },
  };
  for (const kind of ['dependencies', 'devDependencies'] as const) {
    const missing = Object.entries(wanted[kind] ?? {}).filter(([one]) => !(one in known));
    const all = [...missing, ...Object.entries(before?.[kind] ?? {})];
    const inOrder = all.toSorted(([a], [b]) => (a < b ? -1 : 1));
    if (all.length > 0) manifest[kind] = Object.fromEntries(inOrder);
  }
  const text = project.read('package.json') ?? '';
  const isSame = JSON.stringify(before) === JSON.stringify(manifest);
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  const after = isSame ? text : `${JSON.stringify(manifest, null, indent)}\n`;
  const what = `the script ${script}, and the packages that it needs`;
  project.write('package.json', after, what, true);
  return script;
}

/** Keeps the secret, the payments and the packages out of the repository. */
function writeIgnored(project: Project): void {
  const before = project.read('.gitignore') ?? '';
  const known = new Set(before.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, '')));
  const added = ['.data/\n', '.env\n', 'node_modules/\n'].filter(
    (line) => !known.has(line.replace(/\/?\n/, '')),
  );
  project.append('.gitignore', added.join(''), 'keeps .env and .data out of the repository');
}

/** What became of a file. `kept` is there already and was left as it is. */
interface FileReport {
  readonly file: string;
  readonly action: 'written' | 'extended' | 'replaced' | 'kept';
  readonly what: string;
}

interface Manifest {
  name?: string;
  type?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  [field: string]: unknown;
}

/** The merchant's folder. Nothing that is there is overwritten, unless `isForced`. */
class Project {
  readonly folder: string;
  readonly reports: FileReport[] = [];
  readonly #isForced: boolean;

  constructor(folder: string, isForced: boolean) {
    this.folder = folder;
    this.#isForced = isForced;
  }

  read(file: string): string | undefined {
    const path = join(this.folder, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  /** The manifest; `undefined` without one. @throws {@link UsageError} for one that is no JSON. */
  manifest(): Manifest | undefined {
    const text = this.read('package.json');
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as Manifest;
    } catch {
      throw new UsageError('The package.json of this folder is no JSON. Mend it first.');
    }
  }

  /** Writes a file; one that is there with another text is left, unless `isForced` or it is extended. */
  write(file: string, text: string, what: string, isExtended = false): void {
    const before = this.read(file);
    const note = (action: FileReport['action'], words: string): void =>
      void this.reports.push({ file, action, what: words });
    if (before === text) {
      note('kept', isExtended ? 'has all it needs' : 'is as it should be');
    } else if (before !== undefined && !isExtended && !this.#isForced) {
      note('kept', 'is there already; --force replaces it');
    } else {
      const path = join(this.folder, file);
      mkdirSync(dirname(path), { recursive: true });
      // Settings hold a secret: others on this machine have no business in them.
      writeFileSync(path, text, file === '.env' ? { mode: 0o600 } : {});
      note(before === undefined ? 'written' : isExtended ? 'extended' : 'replaced', what);
    }
  }

  append(file: string, lines: string, what: string): void {
    const before = this.read(file) ?? '';
    const gap = lines === '' || before === '' || before.endsWith('\n') ? '' : '\n';
    this.write(file, before + gap + lines, what, true);
  }
}

const lockfiles = {
  npm: 'package-lock.json',
  pnpm: 'pnpm-lock.yaml',
  yarn: 'yarn.lock',
  bun: 'bun.lock',
} as const;

const TRIES = 50;

/** The first port from `wanted` on that nothing on this machine listens at. */
async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + TRIES; port += 1) if (await isFree(port)) return port;
  return wanted;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const server = createServer().once('error', () => answer(false));
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)));
  });
