import { request } from 'node:http';
import { expect, test } from 'vitest';
import { createControlClient } from '../control/client.ts';
import { createLink, getStatus, send, startForTest } from '../testing/sandbox-for-test.ts';

test('bound wider than loopback, the control API and the inspector ask for a token', async () => {
  const sandbox = await startForTest({ host: '0.0.0.0' });
  const { id } = await createLink(sandbox);
  expect((await getStatus(sandbox, id)).status).toBe(200);
  for (const path of ['/_sandbox', '/_sandbox/v1/info', '/_sandbox?token=wrong']) {
    const answer = await send(sandbox.url + path);
    expect([path, answer.status]).toEqual([path, 401]);
    expect(answer.body).toMatchObject({ code: 'control_token_missing' });
    expect(answer.text).not.toContain(sandbox.apiKey);
  }
  const wrong = createControlClient(sandbox.url, { token: 'x'.repeat(32) });
  await expect(wrong.info()).rejects.toMatchObject({ status: 401 });
  expect((await sandbox.control.info()).apiKey).toBe(sandbox.apiKey);
});

test.each(['token-of-this-test', 'as+openssl/writes=it=='])(
  'a browser is let in by the token %s in the address, once, and keeps a cookie',
  async (token) => {
    const sandbox = await startForTest({ host: '0.0.0.0', controlToken: token });
    const { status, headers } = await send(
      `${sandbox.url}/_sandbox?token=${encodeURIComponent(token)}`,
    );
    expect([status, headers.get('location')]).toEqual([303, '/_sandbox']);
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    const [pair = ''] = cookie.split(';');
    expect((await send(`${sandbox.url}/_sandbox`, { headers: { cookie: pair } })).status).toBe(200);
  },
);

test('bound wider it answers by numeric addresses and its public URL, and by no other name', async () => {
  const sandbox = await startForTest({ host: '0.0.0.0', publicUrl: 'http://sandbox.test:4010' });
  expect(sandbox.baseUrl).toBe('http://sandbox.test:4010/staging/v1');
  const { port } = sandbox;
  const statuses = await Promise.all(
    [`192.0.2.7:${port}`, `[::1]:${port}`, 'sandbox.test:4010', `evil.example:${port}`].map(
      (host) => statusFor(port, host),
    ),
  );
  expect(statuses).toEqual([200, 200, 200, 421]);
});

test('on loopback behind a public URL it asks for a token, and its keys are secret', async () => {
  const publicUrl = 'http://sandbox.test';
  const sandbox = await startForTest({ publicUrl, seed: undefined });
  const local = await startForTest({ publicUrl: 'http://localhost:4010', seed: undefined });
  expect(await statusFor(sandbox.port, 'sandbox.test', '/_sandbox/v1/tenants')).toBe(401);
  expect((await sandbox.control.info()).apiKey).toBe(sandbox.apiKey);
  expect(sandbox.apiKey).not.toBe(local.apiKey);
  expect(local.controlToken).toBeNull();
});

test('on loopback there is no token, and an own one is asked for', async () => {
  expect((await startForTest()).controlToken).toBeNull();
  const guarded = await startForTest({ controlToken: 'token-of-this-test' });
  expect((await send(`${guarded.url}/_sandbox/v1/ready`)).status).toBe(401);
  await guarded.control.ready();
});

function statusFor(
  port: number,
  host: string,
  path = '/assets/favicon.svg',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once('error', reject)
      .end();
  });
}
