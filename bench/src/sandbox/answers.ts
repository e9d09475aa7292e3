/**
 * The least that answers as the gateway does: a bare `node:http` handler that reads the request,
 * reads and stores nothing. Sends its address to the process that started it, as the others do.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const sessionId = '5e551040-7d3c-4b52-9a7e-0c2f6f1d8a01';
const link = JSON.stringify({
  id: sessionId,
  redirectUrl: `http://127.0.0.1/checkout?sessionId=${sessionId}`,
});
const status = JSON.stringify({
  code: 200,
  message: 'OK',
  errorCode: null,
  data: { content: [], totalElements: 0 },
});

const server = createServer((request, response) => {
  const isPost = request.method === 'POST';
  const body = isPost ? link : status;
  request.resume().on('end', () => {
    response.writeHead(isPost ? 201 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`ready ${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'any' })}`);
});
