import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pack, type Packed, root, run } from '../process.ts';
import { judgeFindings } from '../steps.ts';
import { runTool } from './programs.ts';

const unwanted = /\.test\.|^test-support\/|\.tsbuildinfo$/;

/**
 * Packs every package below `packages/` and examines the tarball, as a merchant would get it:
 * its contents, its manifest (publint), and its types in projects that import it.
 *
 * @param top a folder whose packages are built.
 */
export async function checkPackages(top: string): Promise<string> {
  const scratch = mkdtempSync(join(tmpdir(), 'pay-button-pack-'));
  const findings: string[] = [];
  try {
    const manifests = globSync('packages/*/package.json', { cwd: top });
    for (const folder of manifests.map((path) => dirname(path))) {
      const { tarball, files } = await pack(join(top, folder), scratch);
      const found = files
        .filter(({ path }) => unwanted.test(path))
        .map(({ path }) => `${path} must not be published`);
      await runTool('publint', ['run', tarball, '--strict']).catch((error: Error) => {
        found.push(`publint:\n${error.message}`);
      });
      found.push(...(await checkTypes(join(top, folder), files, scratch)));
      findings.push(...found.map((finding) => `${folder}: ${finding}`));
    }
    if (manifests.length === 0) findings.push('there was no package to check');
    return judgeFindings(findings, `${manifests.length} tarballs`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Manifest = { readonly name: string } & Readonly<Record<string, object | undefined>>;
const strict = '--noEmit --strict --pretty false --target es2023 --lib es2023,dom,dom.iterable';
const inNode = ['--module', 'nodenext'];
const inBundler = ['--module', 'esnext', '--moduleResolution', 'bundler'];

/**
 * Compiles projects that import a package with the files of its tarball: one with what the package
 * depends on and Node's types alone, and two with all packages, in Node and in a bundler.
 *
 * @returns what the compiler found; empty when nothing.
 */
async function checkTypes(folder: string, files: Packed['files'], scratch: string) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name } = manifest;
  // Style sheets and data have no types, nor has a program alone.
  const entries = Object.keys(manifest['exports'] ?? { '.': '' });
  const typed = entries.filter((entry) => !/\.(?:css|json)$/.test(entry));
  if (typed.length === 0) return [];
  const compile = async (
    what: string,
    project: string,
    resolution: readonly string[],
    imported = typed,
  ): Promise<readonly string[]> => {
    const installed = join(project, 'node_modules', name);
    for (const { path } of files) cpSync(join(folder, path), join(installed, path));
    const lines = imported.map((entry) => `import '${entry.replace('.', name)}';\n`);
    writeFileSync(join(project, 'shop.mts'), lines.join(''));
    const flags = [...strict.split(' '), '--types', 'node', ...resolution, 'shop.mts'];
    const compiled = await run('tsc', flags, { cwd: project });
    return compiled.code === 0 ? [] : [`${what}:\n${compiled.output}`];
  };
  const bare = mkdtempSync(join(scratch, 'bare-'));
  for (const dependency of ['@types/node', ...Object.keys(manifest['dependencies'] ?? {})]) {
    const link = join(bare, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', dependency), link);
  }
  const whole = mkdtempSync(join(scratch, 'whole-'));
  symlinkSync(join(root, 'node_modules'), join(whole, 'node_modules'));
  return [
    ...(await compile('without its optional peers', bare, inNode, ['.'])),
    ...(await compile('every entry in Node', join(whole, 'node'), inNode)),
    ...(await compile('every entry for a bundler', join(whole, 'bundler'), inBundler)),
  ];
}
