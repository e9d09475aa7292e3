import { setFlagsFromString } from 'node:v8';
import { connect } from 'node:net';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createLink, send, startForTest } from '../testing/sandbox-for-test.ts';

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
  const { redirectUrl } = await createLink(sandbox);
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

test('a form that is larger than any page has is refused', async () => {
  const { redirectUrl } = await createLink(await startForTest());
  const body = new URLSearchParams({ number: 'x'.repeat(9_000) });
  expect(await send(redirectUrl, { method: 'POST', body })).toMatchObject({ status: 413 });
});
