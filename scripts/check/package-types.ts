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

/** The settings of a project whose bundler resolves the imports. */
const bundled = {
  ...settings,
  compilerOptions: { ...settings.compilerOptions, module: 'esnext', moduleResolution: 'bundler' },
};

/**
 * Compiles projects that import a package with the files of its tarball. One has only what the
 * package itself depends on, and Node's types: none of the optional peers, and no library goes
 * unchecked. Two stand below our own packages and import every entry, as Node and as a bundler find it.
 *
 * @returns what the compiler found; empty when nothing.
 */
export async function checkTypes(
  folder: string,
  entries: readonly string[],
  files: Packed['files'],
  scratch: string,
): Promise<readonly string[]> {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, dependencies = {} } = JSON.parse(text) as {
    readonly name: string;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const compile = async (
    what: string,
    project: string,
    tsconfig: object,
    imported: readonly string[],
  ): Promise<readonly string[]> => {
    const installed = join(project, 'node_modules', name);
    for (const { path } of files) cpSync(join(folder, path), join(installed, path));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
    for (const [index, entry] of imported.entries()) {
      const line = `export * from '${entry.replace('.', name)}';\n`;
      writeFileSync(join(project, `entry-${index}.ts`), line);
    }
    const compiled = await run('tsc', ['-p', project, '--pretty', 'false'], { output: 'capture' });
    return compiled.code === 0 ? [] : [`${what}:\n${compiled.output}`];
  };
  const bare = mkdtempSync(join(scratch, 'bare-'));
  for (const dependency of ['@types/node', ...Object.keys(dependencies)]) {
    const link = join(bare, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', dependency), link);
  }
  const whole = mkdtempSync(join(scratch, 'whole-'));
  symlinkSync(join(root, 'node_modules'), join(whole, 'node_modules'));
  return [
    ...(await compile('without its optional peers', bare, settings, ['.'])),
    ...(await compile('every entry in Node', join(whole, 'node'), settings, entries)),
    ...(await compile('every entry for a bundler', join(whole, 'bundler'), bundled, entries)),
  ];
}
