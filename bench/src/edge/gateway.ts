/**
 * A process of its own that answers as the gateway does and keeps nothing: a session's id tells when
 * it was made, and so many milliseconds later, its first parameter, it is paid. It answers after as
 * many as its second says, or at once. Tells its port to the process that started it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paidRow } from '../paid-row.ts';

const [paidAfterMs = Infinity, delayMs = 0] = process.argv.slice(2).map(Number);

let sessions = 0;

/** A UUID of a counter and the time. */
function newSession(): string {
  sessions += 1;
  const counter = sessions.toString(16).padStart(8, '0');
  return `${counter}-0000-4000-8000-${Date.now().toString(16).padStart(12, '0')}`;
}

function status(session: string): string {
  const madeAt = Number.parseInt(session.slice(24), 16);
  const row = paidRow(session.replace('-4000-', '-4001-'), '115.00');
  const content = Date.now() - madeAt >= paidAfterMs ? [row] : [];
  const data = { content, totalElements: content.length };
  return JSON.stringify({ code: 200, message: 'Success', errorCode: null, data });
}

function link(): string {
  const id = newSession();
  return JSON.stringify({ id, redirectUrl: `https://gateway.example/checkout?sessionId=${id}` });
}

const server = createServer((request, response) => {
  const isPost = request.method === 'POST';
  const answer = (): void => {
    const body = isPost ? link() : status(request.url?.split('id=')[1] ?? '');
    response.writeHead(isPost ? 201 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  };
  request.resume().on('end', () => {
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
});
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
