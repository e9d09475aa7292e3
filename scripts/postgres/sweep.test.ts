import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { folderPrefix, sweepDeadRuns } from './sweep.ts';

let temp: string;

beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'pay-button-sweep-'));
  onTestFinished(() => rmSync(temp, { recursive: true, force: true }));
});

function runFolder(guard: number | undefined): string {
  const folder = join(temp, `${folderPrefix}${guard}-Ab3dE6`);
  mkdirSync(join(folder, 'data'), { recursive: true });
  return folder;
}

/** A process that does nothing, and shows these words in its command line. */
function idle(...words: string[]) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ...words]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function deadPid(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid;
}

it('removes the folder of a dead run', async () => {
  const folder = runFolder(await deadPid());
  expect(await sweepDeadRuns(temp)).toEqual([folder]);
  expect(existsSync(folder)).toBe(false);
});

it('leaves the folder of a living run and everything else in the temp folder', async () => {
  const folder = runFolder(idle('process-guard.ts').pid);
  mkdirSync(join(temp, 'pay-button-postgres-guard-notes'));
  expect(await sweepDeadRuns(temp)).toEqual([]);
  expect(existsSync(folder)).toBe(true);
});

it('is not misled by another program that has the process id of the dead guard', async () => {
  const folder = runFolder(idle('something else').pid);
  expect(await sweepDeadRuns(temp)).toEqual([folder]);
});

it('ends the server that a dead guard left behind, and no other process', async () => {
  const folder = runFolder(await deadPid());
  const server = idle('postgres', '-D', join(folder, 'data'));
  const ended = once(server, 'exit');
  writeFileSync(join(folder, 'data/postmaster.pid'), `${server.pid}\n`);
  await sweepDeadRuns(temp);
  expect(await ended).toEqual([null, 'SIGQUIT']);

  const other = idle('innocent');
  const secondFolder = runFolder(await deadPid());
  writeFileSync(join(secondFolder, 'data/postmaster.pid'), `${other.pid}\n`);
  await sweepDeadRuns(temp);
  expect(other.exitCode).toBeNull();
  expect(other.signalCode).toBeNull();
});
