import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openHttpServer } from './http-server.ts';

it.each([
  ['headers', 'GET / HTTP/1.1\r\nhost: localhost\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf'],
])('ends a request that does not finish sending %s', async (_what, half) => {
  const server = await openHttpServer(0, '127.0.0.1', {
    headersTimeout: 500,
    requestTimeout: 500,
    connectionsCheckingInterval: 20,
  });
  server.serve((request) => void request.resume());
  const socket = connect(server.port, '127.0.0.1');
  socket.write(half);
  expect(await text(socket)).toContain('HTTP/1.1 408');
  await server.close();
});
