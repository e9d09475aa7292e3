import { join } from 'node:path';
import { endedResult } from '../process/report-step.ts';
import { runNode } from '../process/run.ts';
import { type Trial, tryShop, tryShopWithPostgres } from './try-shop.ts';

/** No framework reports its use of this machine. */
const silence = {
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
};

/** How a framework with a build is built and served. Its programs are paths in `node_modules`. */
interface App {
  readonly name: string;
  readonly build: readonly string[];
  readonly serve: readonly string[];
  /** The words in the line that says that it is ready. */
  readonly sign: string;
  /** Makes the trial of the shop. @defaultValue with its record in SQLite */
  readonly attempt?: typeof tryShop;
}

/** An app of a framework: built without any setting, as CI does, and a real payment through it. */
const tryApp =
  ({ name, build, serve, sign, attempt = tryShop }: App): Trial =>
  async (folder, browser) => {
    const cwd = join(folder, 'examples', name);
    const inPackages = ([program = '', ...rest]: readonly string[]): string[] => [
      program.startsWith('.') ? program : join(folder, 'node_modules', program),
      ...rest,
    ];
    const built = endedResult(
      await runNode(inPackages(build), { cwd, output: 'capture', env: silence }),
    );
    if (!built.ok) return built;
    const parameters = inPackages(serve);
    const server = { cwd, env: silence, parameters, sign, endsByFramework: true };
    return attempt(() => server)(folder, browser);
  };

const next = 'next/dist/bin/next';

/** How each app of a framework with a build is tried, by its folder. */
export const appTrials: Readonly<Record<string, Trial>> = Object.fromEntries(
  (
    [
      {
        name: 'nextjs',
        build: [next, 'build'],
        serve: [next, 'start', '--hostname', '127.0.0.1'],
        sign: 'Ready in ',
        attempt: tryShopWithPostgres,
      },
      {
        name: 'sveltekit',
        build: ['vite/bin/vite.js', 'build'],
        serve: ['./build/index.js'],
        sign: 'Listening on ',
      },
      {
        name: 'nuxt',
        build: ['nuxt/bin/nuxt.mjs', 'build'],
        serve: ['./.output/server/index.mjs'],
        sign: 'Listening on ',
      },
      {
        name: 'astro',
        build: ['astro/bin/astro.mjs', 'build'],
        serve: ['./dist/server/entry.mjs'],
        sign: 'Server listening on ',
      },
      {
        name: 'react-router',
        build: ['@react-router/dev/bin.cjs', 'build'],
        serve: ['@react-router/serve/bin.cjs', './build/server/index.js'],
        sign: '[react-router-serve] ',
      },
    ] satisfies readonly App[]
  ).map((app) => [app.name, tryApp(app)]),
);
