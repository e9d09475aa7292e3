/**
 * Tries every example as a merchant would get it: our packages packed and installed from their
 * tarballs, a real payment in a browser against the sandbox where there is a server, a build where
 * there is none. Needs a build of the packages. Words behind the command choose among the examples.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Browser } from 'playwright';
import { startBrowser } from './browser.ts';
import {
  payAsShopper,
  payInBrowser,
  saysWhatIsPaid,
  shopSettings,
} from './examples/pay-as-shopper.ts';
import { startRegistry } from './first-days/registry.ts';
import { rowsIn, startPostgres } from './postgres.ts';
import { type Place, root, runNpm, startProgram, succeed, until } from './process.ts';
import { reportStep } from './steps.ts';

/** Where all examples are installed. */
const folder = mkdtempSync(join(tmpdir(), 'pay-button-examples-'));

/** Tries an example. @returns what is worth a word. */
type Trial = (name: string, browser: Browser) => Promise<string>;

type Environment = Readonly<Record<string, string>>;
type Where = Pick<Place, 'cwd' | 'env'>;

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
  databases: async () => {
    // Prisma would download an engine that this does not call.
    const engine = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
    const { cwd, env } = placeIn('databases');
    await runNpm(['run', 'generate'], { cwd, env: { ...env, ...engine } });
    await compile('databases');
    // A real payment through each writes in the kit's own commit.
    return withSandbox(async (settings) => {
      for (const orm of orms) {
        await withSchema((url) => payAt(orm, cwd, { ...settings, DATABASE_URL: url }, url));
      }
      const file = join(folder, 'databases.db');
      await payAt('sqlite', cwd, { ...settings, PAYMENTS_FILE: file }, `sqlite:${file}`);
      return `one payment through each of ${orms.length} ORMs, one into a file`;
    });
  },
  [frameworks]: async () => {
    await compile(frameworks);
    await succeed('deno', ['check', 'deno.ts'], placeIn(frameworks));
    return 'compiled';
  },
};

/** How each folder of `examples/`, and each server of its folder of frameworks, is tried. */
function trials(): ReadonlyMap<string, Trial> {
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
const tryScripts: Trial = async (name, browser) => {
  const [example = '', server] = name === on4 ? [installOnExpress4()] : name.split('/');
  const place = placeIn(example);
  const manifest = readFileSync(join(place.cwd, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: Partial<Record<string, string>> };
  for (const script of ['build', 'test'].filter((one) => one in scripts)) {
    await runNpm(['run', script], place);
  }
  // The frameworks' folder is compiled as a whole before.
  const start = scripts[server ?? 'start']?.split('&& ').at(-1);
  if (start !== undefined) {
    const command = start.replace(' node_modules/', ' ../../node_modules/');
    const pay = (env: Environment) => tryShop(place, command, 'build' in scripts, env, browser);
    return withSandbox((env) =>
      withPostgres.has(name) ? withSchema((url) => pay({ ...env, DATABASE_URL: url })) : pay(env),
    );
  }
  if ('test' in scripts) return compile(name);
  if (!existsSync(join(place.cwd, 'dist/index.html'))) {
    throw new Error(`No script of examples/${example} starts ${name}, and none builds a page.`);
  }
  return 'built';
};

/** Where an example is, with the programs of all. No framework reports its use of this machine. */
function placeIn(example: string): Where {
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

async function compile(name: string): Promise<string> {
  await succeed('tsc', ['-p', '.'], placeIn(name));
  return 'compiled';
}

/** The Express example as it stands, on Express 4. @returns the name of its folder. */
function installOnExpress4(): string {
  const cwd = join(folder, 'examples/express-4');
  cpSync(join(folder, 'examples/express'), cwd, { recursive: true });
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(join(root, 'node_modules/express4'), join(cwd, 'node_modules/express'));
  return 'express-4';
}

/** Every file that the page asks `/pay` for has to be among those that the widget brings. */
async function tryStaticPage(): Promise<string> {
  const page = readFileSync(join(folder, 'examples/static-page/index.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\/pay\/([^"]+)"/g)].map(([, name = '']) => name);
  assert(files.length > 0, 'the page asks for files of the widget');
  for (const name of files) {
    const path = join(folder, 'node_modules/@pay-button/widget/dist', name);
    assert(existsSync(path), `the widget has ${name}`);
  }
  return files.join(', ');
}

/** What a server says, in its own words or a framework's, when it is ready. */
const sign = /ready |Ready in |istening on |\[react-router-serve\] /;

/**
 * A real payment: the shopper sees that the order is paid, and the shop has it shipped once.
 *
 * @param isApp - Whether a framework has the signals, and ends the process in its own way.
 */
async function tryShop(
  { cwd, env }: Where,
  script: string,
  isApp: boolean,
  settings: Environment,
  browser: Browser,
): Promise<string> {
  const { PUBLIC_URL: url = '', DATABASE_URL: database = '' } = settings;
  // Each setting wins over that of the example's file; SvelteKit's script has the address too.
  const command = script.replace('http://127.0.0.1:3000', url);
  // The shell gives its place to the server, which so gets the signals.
  const how = { cwd, env: { ...env, ...settings }, program: 'sh', sign };
  const shop = await startProgram(['-c', `exec env ${command}`], how);
  try {
    await saysWhatIsPaid(await payInBrowser(browser, url));
    const shipped = await rowsIn(database, 'SELECT order_id FROM shipments');
    assert.deepEqual(shipped, [{ order_id: '1001' }], 'order 1001 is shipped once');
    if (!isApp) await shop.end('SIGINT');
    return 'one payment';
  } finally {
    await shop.stop();
  }
}

/** Starts the installed sandbox, and gives the settings with which a shop reaches it. */
async function withSandbox(work: (env: Environment) => Promise<string>) {
  const program = join(folder, 'node_modules/@pay-button/gateway-sandbox/dist/cli.js');
  const sandbox = await startProgram([program, '--port', '0'], { cwd: folder });
  try {
    const known = JSON.parse(sandbox.ready) as Record<'url' | 'baseUrl' | 'apiKey', string>;
    const file = join(mkdtempSync(join(folder, 'data-')), 'payments.db');
    return await work(await shopSettings(known, `sqlite:${file}`));
  } finally {
    await sandbox.stop();
  }
}

/** A schema of its own in a real PostgreSQL. */
async function withSchema<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  const schema = `example_${randomUUID().replaceAll('-', '')}`;
  try {
    await rowsIn(server.url, `CREATE SCHEMA ${schema}`);
    const url = new URL(server.url);
    url.searchParams.set('options', `-c search_path=${schema}`);
    return await work(url.href);
  } finally {
    await rowsIn(server.url, `DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await server.stop();
  }
}

/** Each is a file of `examples/databases`, and writes through an ORM of that name. */
const orms = ['drizzle', 'kysely', 'knex', 'typeorm', 'prisma'];

/** How often `on.paid` wrote, where all rows of a payment were committed at one moment. */
const found = 'CAST((SELECT count(*) FROM emails) AS text) AS emails';
const inPostgres = `SELECT ${found} FROM shipments s JOIN pay_movements m USING (order_id)
  WHERE pg_xact_commit_timestamp(s.xmin) = pg_xact_commit_timestamp(m.xmin)`;
const inFile = `SELECT ${found}
  FROM shipments JOIN invoices USING (order_id) JOIN points USING (order_id)`;

/** Starts the shop with one file, and pays; a handler is called soon after. */
async function payAt(name: string, cwd: string, env: Environment, url: string): Promise<void> {
  const shop = await startProgram(['shop.ts', name], { cwd, env });
  const read = () => rowsIn(url, name === 'sqlite' ? inFile : inPostgres);
  try {
    assert.match(await payAsShopper(shop.ready), /\/thanks\/1001$/, `${name}: the order is paid`);
    const rows = await until(`${name}: the handler has written`, async () => {
      const written = await read();
      return written[0]?.['emails'] === '0' ? null : written;
    });
    assert.deepEqual(rows, [{ emails: '1' }], `${name}: all rows are there, once`);
    await shop.end('SIGTERM');
  } finally {
    await shop.stop();
  }
}

const words = process.argv.slice(2);
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** SvelteKit may have TypeScript, but an older one than the examples that compile with it. */
const overrides = { '@sveltejs/kit': { typescript: devDependencies.typescript } };

const results: boolean[] = [];
try {
  results.push(await reportStep('install from tarballs', installExamples));
  const browser = await startBrowser();
  for (const [name, attempt] of trials()) {
    // A folder's own trial comes before those of what is in it.
    const isChosen = words.some((word) => name.startsWith(word) || word.startsWith(`${name}/`));
    if (words.length > 0 && !isChosen) continue;
    results.push(await reportStep(`examples/${name}`, () => attempt(name, browser)));
  }
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = results.length > 1 && results.every(Boolean) ? 0 : 1;

/** Installs the examples as the workspaces of one project, and our packages as if they were published. */
async function installExamples(): Promise<void> {
  cpSync(join(root, 'examples'), join(folder, 'examples'), {
    recursive: true,
    filter: (path) =>
      !/node_modules|\/(?:\.(?:data|next|svelte-kit|nuxt|output|astro|react-router)|dist|build)$/.test(
        path,
      ),
  });
  const manifest = { private: true, workspaces: ['examples/*'], overrides };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const registry = await startRegistry(mkdtempSync(join(folder, 'tarballs-')));
  try {
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    const env = { npm_config_registry: registry.url };
    await runNpm(['install', ...flags], { cwd: folder, env });
  } finally {
    await registry.close();
  }
}
