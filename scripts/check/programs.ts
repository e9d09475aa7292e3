import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, succeed } from '../process.ts';
import { judgeFindings } from '../steps.ts';
import { houseFiles } from '../tidy/house-files.ts';

const programs = join(root, 'scripts/tools/node_modules/.bin');

/** Runs a program of scripts/tools, whose packages the command has installed before. @throws where it fails. */
export function runTool(name: string, parameters: readonly string[], cwd = root) {
  // oxlint looks for its other half below the tree that it reads.
  const env = { OXLINT_TSGOLINT_PATH: join(programs, 'tsgolint') };
  return succeed(join(programs, name), parameters, { cwd, env });
}

/** A check that such a program makes of a tree, by the tree's own settings. */
const program =
  (name: string, ...parameters: readonly string[]) =>
  async (top: string): Promise<void> =>
    void (await runTool(name, parameters, top));

export const checkFormat = program('oxfmt', '--check', '.');

/** Lints, with the rules that need types. A warning fails, too. */
export const checkLint = program('oxlint', '--type-aware', '--deny-warnings', '--format=unix');

/** Finds files, exports and dependencies that nothing uses, and dependencies that no manifest lists. */
export const checkDeadCode = program('knip', '--no-progress', '--no-config-hints');

const folders = ['packages', 'demo', 'e2e', 'bench', 'scripts', 'contract'];

/** Checks the direction of imports and that there is no cycle, type imports included. */
export async function checkImports(top: string): Promise<string> {
  const present = folders.filter((folder) => existsSync(join(top, folder)));
  const config = `--config=${join(root, '.dependency-cruiser.mjs')}`;
  const cruised = await runTool(
    'dependency-cruiser',
    [config, '--output-type=json', ...present],
    top,
  );
  const sources = present
    .flatMap((folder) => houseFiles(top, folder))
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'));
  return judgeCruise(sources, JSON.parse(cruised) as Cruise);
}

interface Cruise {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
      readonly cycle?: readonly { readonly name: string }[];
    }[];
  };
}

/**
 * Every source file on disk must be among the modules that were read: under TypeScript 7 the tool
 * can otherwise find nothing, and call that clean.
 *
 * @param sources the source files on disk, relative like the modules' names.
 */
export function judgeCruise(sources: readonly string[], cruise: Cruise): string {
  const read = new Set(cruise.modules.map((module) => module.source));
  const findings = [
    ...sources
      .filter((source) => !read.has(source))
      .map((source) => `${source}: was not read, so its imports are unchecked`),
    ...cruise.summary.violations.map(({ rule, from, to, cycle }) => {
      const way = cycle === undefined ? to : cycle.map(({ name }) => name).join(' → ');
      return `${rule.name}: ${from} → ${way}`;
    }),
  ];
  if (sources.length === 0) findings.push('there was no source file to read');
  return judgeFindings(findings, `${sources.length} files`);
}
