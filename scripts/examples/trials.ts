import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StepResult } from '../steps.ts';
import { root, succeed } from '../process.ts';
import { tryDatabases } from './try-databases.ts';
import { type ShopServer, type Trial, tryShop, tryShopWithPostgres } from './try-shop.ts';

/** The one folder of the servers that share their shop's payments and pages. */
export const frameworks = 'examples/frameworks';

const serverOf = (name: string) => (folder: string) => ({
  cwd: join(folder, 'examples', name),
  parameters: ['server.ts'],
});

const inFrameworks = (folder: string, ...parameters: readonly string[]): ShopServer => ({
  cwd: join(folder, frameworks),
  parameters,
});

const file = (name: string): Trial => tryShop((folder) => inFrameworks(folder, name));

/** The path of a framework's program in `node_modules`. */
const next = 'next/dist/bin/next';

/** How each folder of `examples/` is tried, in the folder where all of them are installed. */
export const trials: Readonly<Record<string, Trial>> = {
  express: tryShop(serverOf('express')),
  'express on Express 4': tryShop(onExpress4),
  'express-postgres': tryShopWithPostgres(serverOf('express-postgres')),
  // `npm run tool -- debian` pays through it: a MariaDB comes with no package.
  'express-mysql': (folder) => compile(folder, 'express-mysql'),
  databases: tryDatabases,
  'custom-store': tryCustomStore,
  'static-page': tryStaticPage,
  react: (folder) => tryPage(folder, 'react', ['typescript/bin/tsc', '--noEmit']),
  vue: (folder) => tryPage(folder, 'vue'),
  nextjs: tryApp('nextjs', {
    build: [next, 'build'],
    serve: [next, 'start', '--hostname', '127.0.0.1'],
    sign: 'Ready in ',
    attempt: tryShopWithPostgres,
  }),
  sveltekit: tryApp('sveltekit', {
    build: ['vite/bin/vite.js', 'build'],
    serve: ['./build/index.js'],
    sign: 'Listening on ',
  }),
  nuxt: tryApp('nuxt', {
    build: ['nuxt/bin/nuxt.mjs', 'build'],
    serve: ['./.output/server/index.mjs'],
    sign: 'Listening on ',
  }),
  astro: tryApp('astro', {
    build: ['astro/bin/astro.mjs', 'build'],
    serve: ['./dist/server/entry.mjs'],
    sign: 'Server listening on ',
  }),
  'react-router': tryApp('react-router', {
    build: ['@react-router/dev/bin.cjs', 'build'],
    serve: ['@react-router/serve/bin.cjs', './build/server/index.js'],
    sign: '[react-router-serve] ',
  }),
  frameworks: compileServers,
  'frameworks/node-http.ts': file('node-http.ts'),
  'frameworks/connect.ts': file('connect.ts'),
  'frameworks/fastify.ts': file('fastify.ts'),
  'frameworks/fastify-express.ts': file('fastify-express.ts'),
  'frameworks/koa.ts': file('koa.ts'),
  'frameworks/koa-connect.ts': file('koa-connect.ts'),
  'frameworks/hono.ts': file('hono.ts'),
  // Decorators need a compiler; this one is compiled with the types of all.
  'frameworks/nest': file('dist/nest/main.js'),
  'frameworks/bun.ts': tryShop((folder) => ({
    ...inFrameworks(folder, 'bun.ts'),
    program: binary(folder, `@oven/bun-${process.platform}-${process.arch}/bin/bun`),
  })),
  'frameworks/deno.ts': tryShop((folder) => ({
    ...inFrameworks(folder, 'run', '--allow-all', 'deno.ts'),
    program: denoIn(folder),
  })),
};

/** Compiles an example against the types of the tarballs. */
async function compile(folder: string, name: string): Promise<StepResult> {
  await succeed('tsc', ['-p', join(folder, 'examples', name)]);
  return { ok: true, remark: 'compiled' };
}

/** Compiles all servers of the folder against the frameworks' own types and the tarballs'. */
async function compileServers(folder: string): Promise<StepResult> {
  const cwd = join(folder, frameworks);
  await runPackaged(folder, cwd, ['typescript/bin/tsc']);
  await succeed(denoIn(folder), ['check', 'deno.ts'], { cwd });
  return { ok: true };
}

function denoIn(folder: string): string {
  return binary(folder, `@deno/${process.platform}-${process.arch}-glibc/deno`);
}

/** A program that a package brings. Its install script would make it executable, but none is run. */
function binary(folder: string, path: string): string {
  const program = join(folder, 'node_modules', path);
  chmodSync(program, 0o755);
  return program;
}

/** Runs a program of Node that a package brings. No framework reports its use of this machine. */
function runPackaged(
  folder: string,
  cwd: string,
  [program = '', ...parameters]: readonly string[],
): Promise<string> {
  const path = join(folder, 'node_modules', program);
  return succeed(process.execPath, [path, ...parameters], { cwd, env: silence });
}

const silence = {
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
};

/** The Express example as it stands, on Express 4. */
function onExpress4(folder: string): ShopServer {
  const cwd = join(folder, 'examples/express-4');
  cpSync(join(folder, 'examples/express'), cwd, { recursive: true });
  const express = join(cwd, 'node_modules/express');
  mkdirSync(dirname(express), { recursive: true });
  symlinkSync(join(root, 'node_modules/express4'), express);
  return { cwd, parameters: ['server.ts'] };
}

/** How a framework with a build is built and served. Its programs are paths in `node_modules`. */
interface App {
  readonly build: readonly string[];
  readonly serve: readonly string[];
  /** The words in the line that says that it is ready. */
  readonly sign: string;
  /** Makes the trial of the shop. @defaultValue with its record in SQLite */
  readonly attempt?: typeof tryShop;
}

/** An app of a framework: built without any setting, as CI does, and a real payment through it. */
function tryApp(name: string, { build, serve, sign, attempt = tryShop }: App): Trial {
  return async (folder, browser) => {
    const cwd = join(folder, 'examples', name);
    await runPackaged(folder, cwd, build);
    const [program = '', ...more] = serve;
    const path = program.startsWith('.') ? program : join(folder, 'node_modules', program);
    const server = { cwd, env: silence, parameters: [path, ...more], sign, endsByFramework: true };
    return attempt(() => server)(folder, browser);
  };
}

/** Builds a page with Vite; what checks it first is run before. */
async function tryPage(
  folder: string,
  name: string,
  ...before: readonly (readonly string[])[]
): Promise<StepResult> {
  const cwd = join(folder, 'examples', name);
  for (const command of [...before, ['vite/bin/vite.js', 'build']]) {
    await runPackaged(folder, cwd, command);
  }
  const isThere = existsSync(join(cwd, 'dist/index.html'));
  return isThere ? { ok: true } : { ok: false, details: 'The build left no dist/index.html.' };
}

/** Every file that the page asks `/pay` for has to be among those that the widget brings. */
async function tryStaticPage(folder: string): Promise<StepResult> {
  const page = readFileSync(join(folder, 'examples/static-page/index.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\/pay\/([^"]+)"/g)].map(([, name = '']) => name);
  const missing = files.filter(
    (name) => !existsSync(join(folder, 'node_modules/@pay-button/widget/dist', name)),
  );
  if (files.length === 0) return { ok: false, details: 'The page asks for no file of the widget.' };
  if (missing.length === 0) return { ok: true, remark: files.join(', ') };
  return { ok: false, details: `The widget has no ${missing.join(', ')}.` };
}

/**
 * A store outside of the repository's sources compiles against the tarball's types, each library
 * checked, and passes the suite of our own stores.
 */
async function tryCustomStore(folder: string): Promise<StepResult> {
  await compile(folder, 'custom-store');
  const cwd = join(folder, 'examples/custom-store');
  await succeed(process.execPath, ['--test', 'local-counters.test.ts'], { cwd });
  return { ok: true };
}
