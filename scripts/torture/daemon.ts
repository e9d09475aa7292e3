import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianProgram, type DebianProgram } from '../debian-programs.ts';
import { serverAccount } from '../postgres/cluster.ts';
import { until } from '../process.ts';

/** A program of Debian that runs for a torture and ends with this process, however that ends. */
export class Daemon {
  readonly process: ChildProcess;
  readonly #ended: Promise<unknown>;

  /** @param folder - The program's own: its working folder, with its output in `output.log`. */
  constructor(folder: string, program: DebianProgram, parameters: readonly string[]) {
    const path = debianProgram(program);
    // Debian's account `nobody` runs the program where this process is root: PostgreSQL refuses root.
    const account =
      serverAccount === undefined
        ? []
        : [`--reuid=${serverAccount}`, `--regid=${serverAccount}`, '--clear-groups'];
    const output = openSync(join(folder, 'output.log'), 'a');
    const call = [...account, '--pdeathsig=TERM', path, ...parameters];
    this.process = spawn(debianProgram('setpriv'), call, {
      cwd: folder,
      stdio: ['ignore', output, output],
      env: { PATH: '/usr/sbin:/usr/bin', LC_ALL: 'C' },
    });
    this.#ended = once(this.process, 'exit');
  }

  /** Ends the program and waits until it has ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill(signal);
    await this.#ended;
  }
}

/** Makes an empty folder of this run, which any account may enter. */
export function makeRunFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), `pay-button-${prefix}-`));
  chmodSync(folder, 0o711);
  return folder;
}

/** Makes a folder that the account of a {@link Daemon} may write to. */
export function makeFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  if (serverAccount !== undefined) chownSync(folder, serverAccount, serverAccount);
  return folder;
}

/** Writes a file that the account of a {@link Daemon} may read. @returns its path. */
export function writeSettings(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  if (serverAccount !== undefined) chownSync(file, serverAccount, serverAccount);
  return file;
}

/** Resolves once something listens on a port of 127.0.0.1. */
export const untilListening = (port: number): Promise<boolean> =>
  until(`port ${port} is open`, async () => {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen;
  });
