/**
 * Tries every example as a merchant would get it: our packages packed and installed from their
 * tarballs, a real payment in a browser against the sandbox where there is a server, a build where
 * there is none. Needs a build of the packages. Words behind the command choose among the examples.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowser } from './browser.ts';
import { trials } from './examples/trials.ts';
import { startRegistry } from './first-days/registry.ts';
import { reportStep } from './steps.ts';
import { root, runNpm } from './process.ts';

const words = process.argv.slice(2);
/** A folder's own trial comes before those of what is in it. */
const isChosen = ([name]: readonly [string, unknown]): boolean =>
  words.length === 0 || words.some((word) => name.startsWith(word) || word.startsWith(`${name}/`));

const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** SvelteKit may have TypeScript, but an older one than the examples that compile with it. */
const overrides = { '@sveltejs/kit': { typescript: devDependencies.typescript } };

const folder = mkdtempSync(join(tmpdir(), 'pay-button-examples-'));
const results: boolean[] = [];
try {
  results.push(await reportStep('install from tarballs', installExamples));
  const browser = await startBrowser();
  for (const [name, attempt] of [...trials()].filter(isChosen)) {
    results.push(await reportStep(`examples/${name}`, () => attempt(folder, name, browser)));
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
