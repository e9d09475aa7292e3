import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Packed } from '../process/npm.ts';
import { root } from '../process/root.ts';
import { run } from '../process/run.ts';

const settings = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  },
  include: ['*.ts'],
};

/**
 * Compiles a project that imports a package with the files of its tarball and has only what the package itself
 * depends on, and Node's types: none of the optional peers, and no library goes unchecked.
 *
 * @returns what the compiler found; empty when nothing.
 */
export async function checkBareTypes(
  folder: string,
  files: Packed['files'],
  scratch: string,
): Promise<string> {
  const { name, dependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { readonly name: string; readonly dependencies?: Readonly<Record<string, string>> };
  const project = mkdtempSync(join(scratch, 'bare-'));
  const installed = join(project, 'node_modules', name);
  for (const { path } of files) cpSync(join(folder, path), join(installed, path));
  for (const dependency of ['@types/node', ...Object.keys(dependencies)]) {
    const link = join(project, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', dependency), link);
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(settings));
  writeFileSync(join(project, 'shop.ts'), `export * from '${name}';\n`);
  const compiled = await run('tsc', ['-p', project, '--pretty', 'false'], { output: 'capture' });
  return compiled.code === 0 ? '' : compiled.output;
}
