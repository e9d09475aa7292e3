import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { createLink, getStatus, send, startForTest } from '../testing/sandbox-for-test.ts';

const run = promisify(execFile);

test('a call of the gateway does not load Express; the first page or control call does', async () => {
  const program = `
    import { createRequire } from 'node:module';
    import { startSandbox } from '${new URL('../start-sandbox.ts', import.meta.url).href}';
    const isLoaded = () =>
      Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('/express/'));
    const sandbox = await startSandbox({ port: 0 });
    const answer = await fetch(sandbox.baseUrl + '/payment/checkout/status?id=1', {
      headers: { 'x-api-key': sandbox.apiKey },
    });
    const seen = [answer.status, isLoaded()];
    await sandbox.control.ready();
    console.log(JSON.stringify([...seen, isLoaded()]));
    await sandbox.close();
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stdout)).toEqual([404, false, true]);
});

test('an address fits a route by its whole path, in its very spelling', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  expect((await getStatus(sandbox, id)).status).toBe(200);
  const status = `${sandbox.url}/staging/v1/payment/checkout/status`;
  for (const wrong of [`${status}/`, `${status}/x`, status.replace('status', 'Status')]) {
    const answer = await send(`${wrong}?id=${id}`, { headers: { 'x-api-key': sandbox.apiKey } });
    expect([answer.status, answer.headers.get('x-sandbox-decided-by')]).toEqual([
      404,
      'unknown-route',
    ]);
  }
});

test('a record is found by its decoded id, and an id that cannot be decoded is unknown', async () => {
  const sandbox = await startForTest();
  const portal = await PortalForTest.logIn(sandbox);
  const { id } = await portal.answerOf<{ id: string }>('POST', 'webhooks', {
    url: 'http://127.0.0.1:9/hook',
  });
  const changes = { active: false };
  expect(
    (
      await portal.call(
        'PATCH',
        `webhooks/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
        changes,
      )
    ).status,
  ).toBe(200);
  expect((await portal.call('PATCH', 'webhooks/%zz', changes)).status).toBe(404);
  expect((await portal.call('PATCH', 'webhooks/', changes)).status).toBe(404);
});
