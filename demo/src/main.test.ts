import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { runNode, startProgram } from '../../scripts/process.ts';

const file = fileURLToPath(new URL('main.ts', import.meta.url));
const program = ['--conditions=@pay-button/source', file];

const cwd = await mkdtemp(join(tmpdir(), 'pay-button-main-'));
afterAll(() => rm(cwd, { recursive: true, force: true }));
const ports = { PORT: '0', SANDBOX_PORT: '0' };

/** Starts the shop as its own process, from its sources, in an empty folder. */
async function launch(settings: Readonly<Record<string, string>> = {}) {
  const shop = await startProgram(program, { cwd, env: { ...ports, ...settings }, isBare: true });
  return { ...shop, ready: JSON.parse(shop.ready) as Record<string, string> };
}

it('says when it is ready and where, and ends with code 0 on SIGTERM', async () => {
  const { ready, said, end } = await launch({ DEMO_ADMIN_TOKEN: 'open-sesame' });
  expect(ready).toEqual({
    shop: expect.stringMatching(/^http:\/\/localhost:\d+$/) as string,
    sandbox: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    inspector: `${ready['sandbox']}/_sandbox`,
    adminToken: 'open-sesame',
  });
  expect((await fetch(`${ready['shop']}/pay/health`)).status).toBe(200);
  await end('SIGTERM');
  expect(said()).toMatch(/^ready .*\n$/m);
});

it('takes a Ctrl-C for one that comes twice, from the terminal and from npm', async () => {
  const { pid, end } = await launch();
  process.kill(pid, 'SIGINT');
  await end('SIGINT');
});

it('ends at once on a later signal, whatever is still under way', async () => {
  const { ready, pid, end } = await launch();
  const slow = connect(Number(new URL(ready['shop'] ?? '').port), '127.0.0.1');
  const head = 'POST /pay/checkout HTTP/1.1\r\nhost: shop\r\ncontent-length: 9\r\n';
  slow.on('error', () => undefined).write(`${head}expect: 100-continue\r\n\r\n`);
  await once(slow, 'data');
  const again = setInterval(() => process.kill(pid, 'SIGINT'), 100);
  await expect(end('SIGINT')).rejects.toMatchObject({ actual: [null, 'SIGINT'] });
  clearInterval(again);
});

const otherVersion = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v2', GATEWAY_API_KEY: 'a-key' };
it.each([
  ['the shop', { PORT: '70000' }, /PORT is not a port: .*Set PORT=3000/],
  ['the kit', otherVersion, /\/v1.*invalid_base_url/],
])('says in one line why %s cannot start, and ends with code 1', async (_who, settings, reason) => {
  const ended = await runNode(program, { cwd, env: { ...ports, ...settings }, output: 'capture' });
  expect(ended).toMatchObject({ code: 1, output: expect.stringMatching(reason) });
  expect(ended.output).toMatch(/^The shop could not start\. .*\n$/);
});
