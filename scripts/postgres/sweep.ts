import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';

/** Run folders are called `pay-button-postgres-guard-<pid of the process guard>-<random>`. */
export const folderPrefix = 'pay-button-postgres-guard-';

/**
 * Removes the folders of dead runs from the temp folder, and ends their servers. A process guard
 * removes its own; it cannot when it was killed itself or the machine was switched off.
 *
 * @returns the folders that were removed.
 */
export async function sweepDeadRuns(temp: string): Promise<readonly string[]> {
  const own = process.getuid?.();
  const swept: string[] = [];
  for (const name of readdirSync(temp)) {
    const guard = /^pay-button-postgres-guard-(\d+)-\w+$/.exec(name)?.[1];
    if (guard === undefined) continue;
    const folder = join(temp, name);
    const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
    if (own !== 0 && owner !== own) continue;
    if (isGuard(Number(guard))) continue;
    await endServer(join(folder, 'data'));
    rmSync(folder, { recursive: true, force: true });
    swept.push(folder);
  }
  return swept;
}

/** Whether the process lives and is a guard: its id may since belong to another program. */
function isGuard(pid: number): boolean {
  if (!isAlive(pid)) return false;
  const command = commandOf(pid);
  return command === undefined || command.includes('process-guard.ts');
}

async function endServer(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const ownsTheData = commandOf(pid)?.includes(data) === true;
  if (!ownsTheData) return;
  process.kill(pid, 'SIGQUIT');
  for (let tries = 0; tries < 50 && isAlive(pid); tries += 1) await sleep(100);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return undefined;
  }
}
