import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/**
 * The script behind a command of an installed package, to be run by `process.execPath`. A global
 * program of the same name is never used: its version would not be the lockfile's.
 *
 * @throws when the package is not installed or has no such command.
 */
export function localBinary(packageName: string, command: string): string {
  const folder = join(root, 'node_modules', packageName);
  const manifest: { bin?: string | Record<string, string> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const path = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.[command];
  if (path === undefined) throw new Error(`${packageName} has no command "${command}"`);
  return join(folder, path);
}
