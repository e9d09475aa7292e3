import { connect } from 'node:net';
import type { Sandbox } from '../start-sandbox.ts';

/** The answer on a client's socket: the bytes, and the end of the connection. */
export interface RawAnswer {
  readonly head: string;
  readonly body: string;
  /** `open`: the answer is complete, or nothing more came in the time that was given. */
  readonly end: 'open' | 'closed' | 'reset';
}

/** Sends a call over a socket of its own and watches what happens to it. */
export function rawCall(
  sandbox: Sandbox,
  { method, path, body }: { method: 'GET' | 'POST'; path: string; body?: object },
  waitMs = 10_000,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(sandbox.url);
  const text = body === undefined ? '' : JSON.stringify(body);
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      `${method} ${new URL(sandbox.baseUrl).pathname}${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `x-api-key: ${sandbox.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  );
  return new Promise((resolve) => {
    let seen = '';
    const finish = (end: RawAnswer['end']) => {
      clearTimeout(timer);
      socket.destroy();
      const [head = '', answered = ''] = seen.split('\r\n\r\n', 2);
      resolve({ head, body: answered, end });
    };
    const timer = setTimeout(() => finish('open'), waitMs);
    socket.on('data', (bytes) => {
      seen += bytes.toString('utf8');
      if (isComplete(seen)) finish('open');
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', () => finish('reset'));
  });
}

function isComplete(seen: string): boolean {
  const [head = '', body] = seen.split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length);
}
