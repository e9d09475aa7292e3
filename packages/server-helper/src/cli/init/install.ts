import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import type { Environs } from '../../options/environment.ts';

const lockfiles = {
  npm: 'package-lock.json',
  pnpm: 'pnpm-lock.yaml',
  yarn: 'yarn.lock',
  bun: 'bun.lock',
} as const;

/** A program that installs packages. */
export type PackageManager = keyof typeof lockfiles;

const managers = Object.keys(lockfiles) as readonly PackageManager[];

/** The one whose lockfile is there; else the one that runs this program; else npm. */
export function packageManagerOf(folder: string, env: Environs): PackageManager {
  const agent = env['npm_config_user_agent'] ?? '';
  return (
    managers.find((name) => existsSync(join(folder, lockfiles[name]))) ??
    managers.find((name) => agent.startsWith(`${name}/`)) ??
    'npm'
  );
}

const quiet: Partial<Record<PackageManager, readonly string[]>> = {
  npm: ['--no-audit', '--no-fund', '--loglevel=error'],
};

/** Installs what the manifest names. @returns what the program said where it failed, else `null`. */
export async function installPackages(
  manager: PackageManager,
  folder: string,
  env: Environs,
): Promise<string | null> {
  const child = spawn(manager, ['install', ...(quiet[manager] ?? [])], {
    cwd: folder,
    env: { ...env },
    // On Windows these programs are scripts of its shell.
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0 ? null : said.trim() || `${manager} ended with ${code}`;
  } catch (error) {
    return `${manager} could not be started (${error instanceof Error ? error.message : ''})`;
  }
}
