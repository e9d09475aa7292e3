import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { payAsShopper } from '../examples/pay-as-shopper.ts';
import { freePort } from '../process/free-port.ts';
import { root } from '../process/root.ts';

const intruder = fileURLToPath(new URL('intruder.mjs', import.meta.url));
const shopFile = join(root, 'examples/express/server.ts');

let sandbox: Sandbox;
let folder: string;
beforeEach(async () => {
  sandbox = await startSandbox({ port: 0 });
  folder = mkdtempSync(join(tmpdir(), 'pay-recipe-'));
  for (const name of ['data', 'other']) mkdirSync(join(folder, name));
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const data = (): string => join(folder, 'data');

/** What a shop printed while a shopper paid. */
interface Seen {
  readonly thanks: string;
  /** How far the intruder came, by crime. */
  readonly tried: Readonly<Record<string, string>>;
  readonly connections: ReadonlySet<string>;
}

/** Starts the Express example with flags of Node behind a command, and pays an order. */
async function payAt(flags: readonly string[], command: readonly string[] = []): Promise<Seen> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const usual = ['--conditions=@pay-button/source', `--import=${intruder}`];
  const [file, ...rest] = [...command, process.execPath, ...flags, ...usual, shopFile];
  const child = spawn(file, rest, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      GATEWAY_BASE_URL: sandbox.baseUrl,
      GATEWAY_API_KEY: sandbox.apiKey,
      PAYMENTS_FILE: join(data(), 'payments.db'),
      PAY_TOKEN_SECRET: 'a-token-secret-for-the-recipes-0123456789',
      PORT: port,
      PUBLIC_URL: url,
      TARGET: join(folder, 'other'),
    },
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  try {
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        if (line.startsWith('ready')) resolve();
      });
      child.once('exit', () => reject(new Error(`It ended early.\n${errors}`)));
    });
    const thanks = await payAsShopper(url);
    const after = (sign: string): string[] =>
      lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(sign.length));
    return {
      thanks,
      tried: JSON.parse(after('tried ')[0] ?? '{}') as Seen['tried'],
      connections: new Set(after('connects ')),
    };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** As docs/hardening.md has them. */
const permissions = (): string[] => [
  '--permission',
  `--allow-fs-read=${root}`,
  `--allow-fs-read=${data()}`,
  `--allow-fs-write=${data()}`,
];

describe('a shop under Node’s permission model', () => {
  it('takes payments, and code in it reads, writes and runs nothing else', async () => {
    const { thanks, tried } = await payAt(permissions());
    expect(thanks).toMatch(/\/thanks\/1001$/);
    const denied = 'ERR_ACCESS_DENIED';
    expect(tried).toEqual({ read: denied, write: denied, run: denied, thread: denied });
  });
});

describe('a shop without it', () => {
  it('contacts the gateway and nothing else, and an intruder does what it wants', async () => {
    const { tried, connections } = await payAt([]);
    expect(tried).toEqual({ read: 'done', write: 'done', run: 'done', thread: 'done' });
    expect(connections).toEqual(new Set([new URL(sandbox.url).host]));
  });
});

/** Makes each mount read-only for one process, and a folder of memory for its data. */
const READ_ONLY = `
  awk '{ print $2 }' /proc/self/mounts | while read -r place; do
    mount -o remount,bind,ro "$place" 2>/dev/null || true
  done
  mount -t tmpfs tmpfs "$1" && shift && exec "$@"`;

/** Some systems let no account but root make mounts of its own: then Node alone refuses to write. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

describe('a shop on a read-only file system', () => {
  it('takes payments, and writes into its data folder alone', async () => {
    const command = ['unshare', '-rm', 'sh', '-c', READ_ONLY, 'sh', data()];
    const { thanks, tried } = await (canMount ? payAt([], command) : payAt(permissions()));
    expect(thanks).toMatch(/\/thanks\/1001$/);
    expect(tried['write']).toBe(canMount ? 'EROFS' : 'ERR_ACCESS_DENIED');
    // The folder of memory ended with the process.
    expect(existsSync(join(data(), 'payments.db'))).toBe(!canMount);
  });
});
