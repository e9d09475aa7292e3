/**
 * The documents as a site: `serve` shows them at an address of this machine and follows every
 * change, `build` writes them into site/dist and fails on a dead link. The generator is installed
 * when it is first needed, apart from everything else (decision 0072).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from './process/npm.ts';
import { root } from './process/root.ts';
import { endRunning, run, runNode } from './process/run.ts';

const folder = join(root, 'site');
const generator = join(folder, 'node_modules/vitepress/bin/vitepress.js');

const command = process.argv[2];
if (command !== 'serve' && command !== 'build') {
  console.log('node scripts/site.ts serve | build');
  process.exitCode = 2;
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => endRunning(signal));
  process.exitCode = (await install()) && (await generate(command)) ? 0 : 1;
}

/** Installs what the lockfile names, unless it is there already. */
async function install(): Promise<boolean> {
  if (existsSync(generator) && installedVersion() === wantedVersion()) return true;
  console.log('installing the generator, once');
  const [npm, ...first] = npmCommand();
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
  const ended = await run(npm, [...first, 'ci', ...flags], { cwd: folder, output: 'inherit' });
  return ended.code === 0;
}

async function generate(what: 'serve' | 'build'): Promise<boolean> {
  const parameters =
    what === 'build' ? ['build'] : ['dev', '--host', '127.0.0.1', ...process.argv.slice(3)];
  const ended = await runNode([generator, ...parameters], {
    cwd: folder,
    output: 'inherit',
    // Whoever writes documents does so for longer than a program may run elsewhere.
    timeoutMs: 24 * 60 * 60_000,
  });
  return ended.code === 0;
}

function installedVersion(): unknown {
  return readManifest(join(folder, 'node_modules/vitepress/package.json')).version;
}

function wantedVersion(): unknown {
  return readManifest(join(folder, 'package.json')).dependencies?.['vitepress'];
}

function readManifest(path: string): {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(path, 'utf8'));
}
