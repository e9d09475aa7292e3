import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

const folder = await mkdtemp(join(tmpdir(), 'pay-button-main-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the shop as its own process, from its sources, in an empty folder. */
function launch(settings: Readonly<Record<string, string>>) {
  const env = { PATH: process.env['PATH'], PORT: '0', SANDBOX_PORT: '0', ...settings };
  const child = spawn(process.execPath, ['--conditions=@pay-button/source', MAIN], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, stderr: text(child.stderr) };
}

async function readyLine(child: ChildProcess & { readonly stdout: NodeJS.ReadableStream }) {
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const line = /^ready (\{.*\})$/m.exec(output)?.[1];
    if (line !== undefined) return JSON.parse(line) as Record<string, string | null>;
  }
  throw new Error(`The shop was never ready: ${output}`);
}

it('says when it is ready and where, and ends with code 0 on SIGTERM', async () => {
  const { child, stderr } = launch({ DEMO_ADMIN_TOKEN: 'open-sesame' });
  const ready = await readyLine(child);
  expect(ready).toEqual({
    shop: expect.stringMatching(/^http:\/\/localhost:\d+$/) as string,
    sandbox: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    inspector: `${ready['sandbox']}/_sandbox`,
    adminToken: 'open-sesame',
  });
  expect((await fetch(`${ready['shop']}/pay/health`)).status).toBe(200);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(await stderr).toBe('');
});

it('takes a Ctrl-C for one that comes twice, from the terminal and from npm', async () => {
  const { child } = launch({});
  await readyLine(child);
  const exit = once(child, 'exit');
  for (const signal of ['SIGINT', 'SIGINT'] as const) child.kill(signal);
  expect(await exit).toEqual([0, null]);
});

it('ends at once on a later signal, whatever is still under way', async () => {
  const { child } = launch({});
  const { shop = '' } = await readyLine(child);
  const slow = connect(Number(new URL(String(shop)).port), '127.0.0.1');
  slow.on('error', () => undefined).write('POST /pay/checkout HTTP/1.1\r\n');
  const exit = once(child, 'exit');
  const again = setInterval(() => child.kill('SIGINT'), 100);
  expect(await exit).toEqual([null, 'SIGINT']);
  clearInterval(again);
});

it.each([
  ['the shop', { PORT: '70000' }, /PORT is not a port: .*Set PORT=3000/],
  [
    'the kit',
    { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v2', GATEWAY_API_KEY: 'a-key' },
    /\/v1.*invalid_base_url/,
  ],
])('says in one line why %s cannot start, and ends with code 1', async (_who, settings, reason) => {
  const { child, stderr } = launch(settings);
  expect(await once(child, 'exit')).toEqual([1, null]);
  const lines = (await stderr).trim().split('\n');
  expect(lines).toEqual([expect.stringMatching(/^The shop could not start\. /)]);
  expect(lines[0]).toMatch(reason);
});
