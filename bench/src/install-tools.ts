import { join } from 'node:path';
import { root } from '../../scripts/process/root.ts';
import { runNode } from '../../scripts/process/run.ts';

/** Installs the packages of a folder with a lockfile of its own, which one measurement needs. */
export async function installTools(folder: string): Promise<void> {
  const setup = [join(root, 'scripts/setup.mjs'), `--in=${folder}`];
  const { code } = await runNode(setup, { output: 'inherit' });
  if (code !== 0) throw new Error(`The packages of ${folder} are not installed.`);
}
