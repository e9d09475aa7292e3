/**
 * Tries every example as a merchant would get it: our packages packed and installed from their
 * tarballs, a real payment in a browser against the sandbox where there is a server, a build where
 * there is none. Needs a build of the packages. Words behind the command choose among the examples.
 */
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBrowser } from './browser.ts';
import { trials } from './examples/trials.ts';
import { reportStep } from './steps.ts';
import { pack, root, runNpm } from './process.ts';

const words = process.argv.slice(2);
/** A folder's own trial comes before those of what is in it. */
const isChosen = ([name]: readonly [string, unknown]): boolean =>
  words.length === 0 || words.some((word) => name.startsWith(word) || word.startsWith(`${name}/`));

/** SvelteKit may have TypeScript, but an older one than the examples that compile with it. */
const overrides = { '@sveltejs/kit': { typescript: '$typescript' } };

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

/**
 * Copies the examples into the folder and installs what they all need there, once: the versions that
 * they name, and our packages from tarballs.
 */
async function installExamples(): Promise<void> {
  cpSync(join(root, 'examples'), join(folder, 'examples'), {
    recursive: true,
    filter: (path) =>
      !/node_modules|\/(?:\.(?:data|next|svelte-kit|nuxt|output|astro|react-router)|dist|build)$/.test(
        path,
      ),
  });
  const dependencies = wantedByAll();
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs);
  for (const name of Object.keys(dependencies)) {
    const own = /^@pay-button\/(.+)$/.exec(name)?.[1];
    if (own === undefined) continue;
    const { tarball } = await pack(join(root, 'packages', own), tarballs);
    dependencies[name] = `file:${tarball}`;
  }
  const manifest = { name: 'examples', private: true, type: 'module', dependencies, overrides };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await runNpm(['install', ...flags], { cwd: folder });
}

/** What the examples' manifests ask for together; two of them may not want two versions of a thing. */
function wantedByAll(): Record<string, string> {
  const dependencies: Record<string, string> = {};
  for (const file of globSync('examples/*/package.json', { cwd: folder })) {
    const manifest: Record<'dependencies' | 'devDependencies', Record<string, string> | undefined> =
      JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const entries = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    for (const [name, version] of entries) {
      if ((dependencies[name] ?? version) !== version) {
        throw new Error(`${file} wants ${name} ${version}, another ${dependencies[name]}.`);
      }
      dependencies[name] = version;
    }
  }
  return dependencies;
}
