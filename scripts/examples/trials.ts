import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Place, root, runNpm, succeed } from '../process.ts';
import { tryDatabases } from './try-databases.ts';
import { type Trial, tryShop } from './try-shop.ts';

/** The one folder of the servers that share their shop's payments and pages. */
const frameworks = 'frameworks';

const on4 = 'express on Express 4';

/** Shops whose record is in PostgreSQL; that of any other is in SQLite. */
const withPostgres = new Set(['express-postgres', 'nextjs']);

/** What is no shop that its own scripts start. */
const special: Readonly<Record<string, Trial>> = {
  'static-page': tryStaticPage,
  // `npm run tool -- debian` pays through it: a MariaDB comes with no package.
  'express-mysql': compile,
  databases: async (folder) => {
    // Prisma would download an engine that this does not call.
    const engine = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
    const { cwd, env } = placeIn(folder, 'databases');
    await runNpm(['run', 'generate'], { cwd, env: { ...env, ...engine } });
    await compile(folder, 'databases');
    return tryDatabases(folder);
  },
  [frameworks]: async (folder) => {
    await compile(folder, frameworks);
    await succeed('deno', ['check', 'deno.ts'], placeIn(folder, frameworks));
    return 'compiled';
  },
};

/** How each folder of `examples/`, and each server of its folder of frameworks, is tried. */
export function trials(): ReadonlyMap<string, Trial> {
  const folders = readdirSync(join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const servers = readdirSync(join(root, 'examples', frameworks))
    .filter((name) => !/^(?:pages|payments)\.ts$|\.json$|^node_modules$/.test(name))
    .map((name) => `${frameworks}/${name.replace(/\.ts$/, '')}`);
  const names = [...folders, on4, ...servers];
  return new Map(names.map((name) => [name, special[name] ?? tryScripts]));
}

/** Tries an example by the scripts of its manifest, as its reader does. */
const tryScripts: Trial = async (folder, name, browser) => {
  const [example = '', server] = name === on4 ? [installOnExpress4(folder)] : name.split('/');
  const place = placeIn(folder, example);
  const manifest = readFileSync(join(place.cwd, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Partial<Record<string, string>> };
  for (const script of ['build', 'test'].filter((one) => one in scripts)) {
    await runNpm(['run', script], place);
  }
  // The frameworks' folder is compiled as a whole before.
  const start = scripts[server ?? 'start']?.split('&& ').at(-1);
  if (start !== undefined) {
    const isApp = 'build' in scripts;
    const command = start.replace(' node_modules/', ' ../../node_modules/');
    return tryShop(folder, browser, { place, command, isApp, hasPostgres: withPostgres.has(name) });
  }
  if ('test' in scripts) return compile(folder, name);
  if (!existsSync(join(place.cwd, 'dist/index.html'))) {
    throw new Error(`No script of examples/${example} starts ${name}, and none builds a page.`);
  }
  return 'built';
};

/** Where an example is, with the programs of all. No framework reports its use of this machine. */
function placeIn(folder: string, example: string): Pick<Place, 'cwd' | 'env'> {
  const modules = join(folder, 'node_modules');
  const programs = [
    `@oven/bun-${process.platform}-${process.arch}/bin/bun`,
    `@deno/${process.platform}-${process.arch}-glibc/deno`,
  ].map((path) => join(modules, path));
  // Their install scripts would make them executable, but none is run.
  for (const program of programs) chmodSync(program, 0o755);
  const folders = [...programs, process.execPath].map((program) => dirname(program));
  const env = {
    PATH: [...folders, join(modules, '.bin'), process.env['PATH']].join(delimiter),
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
  };
  return { cwd: join(folder, 'examples', example), env };
}

/** Compiles an example against the types of the tarballs, each library checked. */
async function compile(folder: string, name: string): Promise<string> {
  await succeed('tsc', ['-p', '.'], placeIn(folder, name));
  return 'compiled';
}

/** The Express example as it stands, on Express 4. @returns the name of its folder. */
function installOnExpress4(folder: string): string {
  const cwd = join(folder, 'examples/express-4');
  cpSync(join(folder, 'examples/express'), cwd, { recursive: true });
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(join(root, 'node_modules/express4'), join(cwd, 'node_modules/express'));
  return 'express-4';
}

/** Every file that the page asks `/pay` for has to be among those that the widget brings. */
async function tryStaticPage(folder: string): Promise<string> {
  const page = readFileSync(join(folder, 'examples/static-page/index.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\/pay\/([^"]+)"/g)].map(([, name = '']) => name);
  assert(files.length > 0, 'the page asks for files of the widget');
  for (const name of files) {
    const path = join(folder, 'node_modules/@pay-button/widget/dist', name);
    assert(existsSync(path), `the widget has ${name}`);
  }
  return files.join(', ');
}
