import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from '../sandbox-error.ts';

const fileName = 'journal.lock';

/** Folders in use by this process: its own id in a lock file proves nothing. */
const heldHere = new Set<string>();

/**
 * Keeps a second sandbox out of a journal's folder; two writers would spoil it. The lock of a
 * process that is gone, say after kill -9, is taken over.
 *
 * @throws SandboxError `data_in_use`
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, fileName);
  if (heldHere.has(path)) throw inUse(folder);
  heldHere.add(path);
  try {
    await claim(path, folder);
  } catch (error) {
    heldHere.delete(path);
    throw error;
  }
  return async () => {
    await rm(path, { force: true });
    heldHere.delete(path);
  };
}

async function claim(path: string, folder: string): Promise<void> {
  const mine = String(process.pid);
  try {
    await writeFile(path, mine, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!isExisting(error)) throw error;
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    if (owner !== process.pid && isAlive(owner)) throw inUse(folder);
    await writeFile(path, mine);
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function inUse(folder: string): SandboxError {
  return new SandboxError(
    'data_in_use',
    `Another sandbox is using ${folder}. Stop it, or choose another data folder.`,
  );
}
