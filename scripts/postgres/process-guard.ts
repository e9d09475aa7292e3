import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

// The process guard lives while its input is open. The system closes the input when the run that
// started it ends in any way, SIGKILL included; the guard then ends the server in the run's folder
// and removes the folder.

const [, , folder = ''] = process.argv;
// A Ctrl-C reaches the whole process group, but the run decides when its server ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const input = process.stdin.resume();
await Promise.race([once(input, 'end'), once(input, 'close')]);

/** The server's own file: its first line is the process, and it goes away with the server. */
const file = join(folder, 'data/postmaster.pid');
if (existsSync(file)) {
  try {
    // Immediate shutdown, because these data are not read again.
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGQUIT');
    for (let tries = 0; tries < 100 && existsSync(file); tries += 1) await pause(100);
  } catch {
    // It was killed a moment ago.
  }
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit();
