import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, onTestFinished } from 'vitest';
import { runNode } from '../../../../scripts/process.ts';
import { HostileClient, spellings } from '../../../../contract/hostile-requests.ts';
import { createControlClient } from '../control/client.ts';
import type { SandboxOptions } from '../options.ts';
import { ControlDocument } from '../testing/control-document.ts';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { send, startForTest } from '../testing/sandbox-for-test.ts';

test('a page of another host at the same port may not post, though its name is numeric too', async () => {
  const { port, controlToken } = await startForTest({ host: '0.0.0.0' });
  const allowed = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' };
  const reset = `http://127.0.0.1:${port}/_sandbox/v1/reset`;
  const post = (origin: string) =>
    send(reset, { method: 'POST', headers: { origin, ...allowed }, body: '{}' });
  const names = ['127.0.0.1', '198.51.100.7', '[2001:db8::1]', 'localhost'];
  const answers = await Promise.all(names.map((name) => post(`http://${name}:${port}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 403]);
  expect(answers[1]?.body).toMatchObject({ code: 'foreign_origin' });
});

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
  const parameters = ['--input-type=module', '--eval', program];
  const { output } = await runNode(parameters, { output: 'capture' });
  expect(JSON.parse(output)).toEqual([404, false, true]);
});

test('a record is found by its decoded id, and an id that cannot be decoded is unknown', async () => {
  const sandbox = await startForTest();
  const portal = await PortalForTest.logIn(sandbox);
  const url = 'http://127.0.0.1:9/hook';
  const { id } = await portal.answerOf<{ id: string }>('POST', 'webhooks', { url });
  const changes = { active: false };
  const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
  expect((await portal.call('PATCH', `webhooks/${encoded}`, changes)).status).toBe(200);
  expect((await portal.call('PATCH', 'webhooks/%zz', changes)).status).toBe(404);
  expect((await portal.call('PATCH', 'webhooks/', changes)).status).toBe(404);
});

test('bound wider than loopback, the control API and the inspector ask for a token', async () => {
  const sandbox = await startForTest({ host: '0.0.0.0' });
  const { id } = await sandbox.createLink();
  expect((await sandbox.getStatus(id)).status).toBe(200);
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

const tokens = ['token-of-this-test', 'as+openssl/writes=it=='];
test.each(tokens)('a browser is let in by the address’s token %s, and keeps it', async (token) => {
  const sandbox = await startForTest({ host: '0.0.0.0', controlToken: token });
  const page = `${sandbox.url}/_sandbox`;
  const { status, headers } = await send(`${page}?token=${encodeURIComponent(token)}`);
  expect([status, headers.get('location')]).toEqual([303, '/_sandbox']);
  const cookie = headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
  const [pair = ''] = cookie.split(';');
  expect((await send(page, { headers: { cookie: pair } })).status).toBe(200);
});

test.each<[string, SandboxOptions, Record<string, number>]>([
  [
    'on loopback it answers by its loopback names',
    {},
    { 'localhost:PORT': 200, '127.0.0.1:PORT': 200, 'evil.example:PORT': 421, '127.0.0.1:1': 421 },
  ],
  [
    'bound wider it answers by numeric addresses and its public URL',
    { host: '0.0.0.0', publicUrl: 'http://sandbox.test:4010' },
    { '192.0.2.7:PORT': 200, '[::1]:PORT': 200, 'sandbox.test:4010': 200, 'evil.test:PORT': 421 },
  ],
])('%s, and by no other name', async (_what, options, expected) => {
  const { port, baseUrl } = await startForTest(options);
  const publicUrl = options.publicUrl ?? `http://127.0.0.1:${port}`;
  expect(baseUrl).toBe(`${publicUrl}/staging/v1`);
  for (const [name, status] of Object.entries(expected)) {
    const host = name.replace('PORT', String(port));
    expect([name, await statusFor(port, host)]).toEqual([name, status]);
  }
});

test('on loopback it asks for a token behind a public URL, where its keys are secret, or for an own one', async () => {
  const publicUrl = 'http://sandbox.test';
  const sandbox = await startForTest({ publicUrl, seed: undefined });
  const local = await startForTest({ publicUrl: 'http://localhost:4010', seed: undefined });
  expect(await statusFor(sandbox.port, 'sandbox.test', '/_sandbox/v1/tenants')).toBe(401);
  expect((await sandbox.control.info()).apiKey).toBe(sandbox.apiKey);
  expect(sandbox.apiKey).not.toBe(local.apiKey);
  expect(local.controlToken).toBeNull();
  const guarded = await startForTest({ controlToken: 'token-of-this-test' });
  const own = `127.0.0.1:${guarded.port}`;
  expect(await statusFor(guarded.port, own, '/_sandbox/v1/ready')).toBe(401);
  await guarded.control.ready();
});

/** The status of an answer to a request by a name of the sandbox. */
async function statusFor(port: number, host: string, path = '/assets/favicon.svg') {
  const client = new HostileClient(port);
  const { status } = await client.send({ method: 'GET', path, headers: { host }, body: '' });
  client.close();
  return status;
}

const pages = ['GET ', 'GET /fidelity', 'POST /clock', 'POST /profile', 'POST /faults'];
const calls = [
  ...new ControlDocument().operations().map((call) => call.replace(' ', ' /_sandbox/v1')),
  ...[...pages, 'POST /deliveries'].map((call) => call.replace(' ', ' /_sandbox')),
].map((call) => call.replace(/:\w+/, 'default').split(' ') as [string, string]);

test.each(Object.entries(spellings))('no control route opens spelled %s', async (_how, spell) => {
  const { port, apiKey } = await startForTest({ host: '0.0.0.0' });
  const client = new HostileClient(port);
  const headers = { host: `192.0.2.7:${port}` };
  for (const [method, path] of calls) {
    for (const used of new Set([method, 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])) {
      const address = spell(path);
      const asked = { method: used, path: address, headers, body: '' };
      const { status, text } = await client.send(asked);
      expect([401, 404], `${used} ${address}`).toContain(status);
      expect(text).not.toContain(apiKey);
    }
  }
  client.close();
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test.each([
  ['an operation', 'application/json', 57_000],
  ['a form of a page', 'application/x-www-form-urlencoded', 8_000],
])('open bodies of %s in one-byte chunks cost their bytes', async (_, type, length) => {
  const sandbox = await startForTest();
  const { redirectUrl } = await sandbox.createLink();
  // The first page loads the pages' code, and no body is read meanwhile.
  await send(redirectUrl);
  const { port, pathname, search } = new URL(
    type === 'application/json' ? `${sandbox.baseUrl}/payment/checkout/intiate` : redirectUrl,
  );
  const requests: IncomingMessage[] = [];
  const onRequest = (message: unknown): void => {
    requests.push((message as { request: IncomingMessage }).request);
  };
  subscribe('http.server.request.start', onRequest);
  onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
  const head = `POST ${pathname}${search} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-api-key: ${sandbox.apiKey}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
  const sent = Buffer.from(head + '1\r\n \r\n'.repeat(length));
  const before = bytesHeld();
  const sockets = Array.from({ length: 8 }, () => connect(Number(port), '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on('error', () => {}).write(sent);
  const read = () => requests.reduce((sum, { socket }) => sum + socket.bytesRead, 0);
  while (read() < sent.byteLength * sockets.length) await setImmediate();
  expect(requests).toHaveLength(sockets.length);
  // An object for each byte holds 150 times the bytes; the limit is about ten times.
  expect(bytesHeld() - before).toBeLessThan(80 * length + 1_000_000);
});

const unread = ['/staging/v1/payment/checkout/intiate', '/nothing'];
test.each(unread)('a body that %s does not read is let go as it comes', async (path) => {
  const { port, url } = await startForTest();
  await send(url);
  const waiting: number[] = [];
  const onFinish = (message: unknown): void => {
    waiting.push((message as { request: IncomingMessage }).request.readableLength);
  };
  subscribe('http.server.response.finish', onFinish);
  onTestFinished(() => void unsubscribe('http.server.response.finish', onFinish));
  const socket = connect(port, '127.0.0.1');
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ntransfer-encoding: chunked\r\n\r\n`;
  socket.write(head + '1\r\n \r\n'.repeat(60_000));
  await once(socket, 'data');
  socket.destroy();
  // What one read of a socket brings: 64 KiB, of six bytes for each byte of the body.
  expect(waiting.map((bytes) => bytes < 11_000)).toEqual([true]);
});

test('a form that is larger than any page has is refused', async () => {
  const { redirectUrl } = await (await startForTest()).createLink();
  const body = new URLSearchParams({ number: 'x'.repeat(9_000) });
  expect(await send(redirectUrl, { method: 'POST', body })).toMatchObject({ status: 413 });
});
