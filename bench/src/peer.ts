import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/process/root.ts';
import { run } from '../../scripts/process/run.ts';

/** A package with a manifest of its own in `bench/peers`: too large for everybody to install. */
export interface Peer {
  readonly name: string;
  /** The name of the manifest's folder. */
  readonly folder: string;
  /** The file below `node_modules` that is there once the peer is installed. */
  readonly file: string;
}

const folderOf = ({ folder }: Peer): string => join(root, 'bench/peers', folder);

/** The path of a peer's file. */
export const fileOf = (peer: Peer): string => join(folderOf(peer), 'node_modules', peer.file);

/** Installs a peer where it is missing. @throws when npm fails. */
export async function installPeer(peer: Peer, onProgress: (text: string) => void): Promise<void> {
  if (existsSync(fileOf(peer))) return;
  onProgress(`installing ${peer.name}, once; this may take some minutes`);
  const flags = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  const options = { cwd: folderOf(peer), output: 'inherit' } as const;
  const { code } = await run('npm', ['install', ...flags], options);
  if (code !== 0) throw new Error(`npm install of ${peer.name} ended with code ${code}.`);
}
