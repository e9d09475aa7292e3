import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pay-button-main-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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

it('keeps its secret, its orders and the sandbox’s journal for its owner only', async () => {
  const { child } = launch({});
  await readyLine(child);
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  expect((await exit)[0]).toBe(0);
  const files = await readdir(join(folder, '.data'), { recursive: true, withFileTypes: true });
  const modes = await Promise.all(
    files
      .filter((entry) => entry.isFile() && /secret|db|journal/.test(entry.name))
      .map(async ({ parentPath, name }) => {
        const { mode } = await stat(join(parentPath, name));
        return [name, (mode & 0o777).toString(8)];
      }),
  );
  expect(Object.fromEntries(modes)).toEqual({
    'token-secret': '600',
    'shop.db': '600',
    'journal.jsonl': '600',
  });
});

it('starts no sandbox when it is given a gateway', async () => {
  const gateway = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1', GATEWAY_API_KEY: 'a-key' };
  const { child } = launch(gateway);
  expect(await readyLine(child)).toMatchObject({ sandbox: null, inspector: null });
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
});

it.each(['PORT', 'SANDBOX_PORT'])('says in one line that %s is busy', async (setting) => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const { child, stderr } = launch({ [setting]: String(port) });
  const [code] = (await once(child, 'exit')) as [number];
  squatter.close();
  expect(code).toBe(1);
  expect((await stderr).trim()).toMatch(
    new RegExp(`^The shop could not start. Port ${port} .*another program.*${setting}=0.*$`),
  );
});

it.each([
  ['PORT', '70000'],
  ['SANDBOX_PORT', 'x'],
  ['PUBLIC_URL', 'shop.example'],
  ['PUBLIC_URL', 'https://shop.example/path'],
  ['DATABASE_URL', 'mysql://root:hunter2@host/db'],
  ['PAY_TOKEN_SECRET', 'hunter2'],
  ['DEMO_BUG', 'hunter2'],
  ['GATEWAY_BASE_URL', 'hunter2'],
  ['GATEWAY_BASE_URL', 'http://127.0.0.1:9/v1'],
])('refuses %s=%s in one line that does not repeat it', async (setting, value) => {
  const { child, stderr } = launch({ [setting]: value });
  const [code] = (await once(child, 'exit')) as [number];
  const lines = (await stderr).trim().split('\n');
  expect(code).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/PORT|PUBLIC_URL|DATABASE_URL|DEMO_BUG|PAY_TOKEN_SECRET|GATEWAY_/);
  expect(lines[0]).not.toContain('hunter2');
});

it('refuses a short admin token where other machines reach the shop', async () => {
  const { child, stderr } = launch({ DEMO_ADMIN_TOKEN: 'hunter2', HOST: '0.0.0.0' });
  expect((await once(child, 'exit'))[0]).toBe(1);
  const reason = await stderr;
  expect(reason).toMatch(/DEMO_ADMIN_TOKEN is too short.*16 characters/);
  expect(reason).not.toContain('hunter2');
});

it('says what a gateway address lacks', async () => {
  const gateway = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v2', GATEWAY_API_KEY: 'hunter2' };
  const { child, stderr } = launch(gateway);
  expect((await once(child, 'exit'))[0]).toBe(1);
  expect((await stderr).trim()).toMatch(/^The shop could not start\. .*\/v1.*invalid_base_url/);
});

it('takes no bug with a real gateway, and asks for both halves of the portal’s login', async () => {
  const gateway = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1', GATEWAY_API_KEY: 'a-key' };
  const refusal = async (more: Record<string, string>) => {
    const { child, stderr } = launch({ ...gateway, ...more });
    expect((await once(child, 'exit'))[0]).toBe(1);
    return stderr;
  };
  expect(await refusal({ DEMO_BUG: 'no-deduplication' })).toMatch(/DEMO_BUG is for the sandbox/);
  expect(await refusal({ GATEWAY_PORTAL_USERNAME: 'me' })).toMatch(/go together/);
});
