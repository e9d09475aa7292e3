import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack, root, runNpm } from '../process.ts';
import type { StepResult } from '../steps.ts';

/**
 * Copies the examples into `folder` and installs what they all need there, once: the versions that
 * they name, and our packages from tarballs.
 */
export async function installExamples(folder: string): Promise<StepResult> {
  cpSync(join(root, 'examples'), join(folder, 'examples'), {
    recursive: true,
    filter: (path) =>
      !/node_modules|\/(?:\.(?:data|next|svelte-kit|nuxt|output|astro|react-router)|dist|build)$/.test(
        path,
      ),
  });
  const dependencies = wantedByAll(folder);
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
  return { ok: true };
}

/** SvelteKit may have TypeScript, but an older one than the examples that compile with it. */
const overrides = { '@sveltejs/kit': { typescript: '$typescript' } };

/** What the examples' manifests ask for together; two of them may not want two versions of a thing. */
function wantedByAll(folder: string): Record<string, string> {
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
