import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/process/root.ts';

/** One line that tells what a measurement ran on, and when. */
export function describeMachine(extra = ''): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}${extra}; ${day}`;
}

/** The version of a package as it is installed here. */
export function packageVersion(name: string): string {
  const manifest = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
