import { constants, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root, runNode } from './process.ts';

const packages = ['server-helper', 'gateway-sandbox'];

const bins = packages.flatMap((folder) => {
  const text = readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8');
  const { bin } = JSON.parse(text) as { bin: Record<string, string> };
  return Object.entries(bin).map(([name, path]) => ({ folder, name, path }));
});

// Beside node_modules and not below: Node strips no types of what lies below.
mkdirSync(join(root, '.cache'), { recursive: true });
const scratch = mkdtempSync(join(root, '.cache/bins-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The package as a clone has it before a build, less what is named. */
function unbuilt(folder: string, without: readonly string[]): string {
  const copy = mkdtempSync(join(scratch, `${folder}-`));
  cpSync(join(root, 'packages', folder), copy, {
    recursive: true,
    filter: (path) => !['dist', ...without].some((name) => path.endsWith(`/${folder}/${name}`)),
  });
  return copy;
}

describe.each(bins)('the program $name', ({ folder, name, path }) => {
  it('may be executed, and is no file that a build makes', () => {
    expect(path).not.toContain('dist');
    expect(statSync(join(root, 'packages', folder, path)).mode & constants.S_IXUSR).not.toBe(0);
  });

  it('starts before a build', async () => {
    const file = join(unbuilt(folder, []), path);
    const ended = await runNode([file, '--help'], { output: 'capture' });
    expect(ended).toMatchObject({ code: 0, output: expect.stringContaining(`Usage: ${name}`) });
  });

  it('says what to do where neither a build nor the sources can be loaded', async () => {
    const file = join(unbuilt(folder, ['src']), path);
    const ended = await runNode([file, '--help'], { output: 'capture' });
    expect(ended.code).toBe(1);
    expect(ended.output).toMatch(/^[\w-]+: .*npm run build.*\n$/);
  });
});
