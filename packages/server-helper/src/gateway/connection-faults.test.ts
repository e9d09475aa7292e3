import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aLink, aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { httpAnswer, RawServer, type RawScript } from '../../test-support/raw-server.ts';
import type { GatewayClient } from './gateway-client.ts';

const link = JSON.stringify({ id: aSession, redirectUrl: 'https://pay.example/?sessionId=1' });
const TIMEOUT_MS = 5_000;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

let server: RawServer | undefined;
let client: GatewayClient | undefined;

afterEach(async () => {
  vi.useRealTimers();
  await client?.close();
  await server?.close();
});

async function start(script: RawScript): Promise<GatewayClient> {
  server = await new RawServer(script).start();
  client = clientOf(server.origin, { timeoutMs: TIMEOUT_MS });
  return client;
}

/** Time passes only as a fault lets it, so that a busy machine ends no call. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

const endTime = (): void => void vi.advanceTimersByTime(TIMEOUT_MS);

/** Sends a byte in each tenth of the time. */
async function trickle(socket: Socket): Promise<void> {
  socket.write(`${HEAD}content-length: 1000\r\n\r\n`);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    socket.write(' ');
    await setImmediate();
    vi.advanceTimersByTime(TIMEOUT_MS / 10);
  }
}

interface Fault {
  readonly name: string;
  readonly script: RawScript;
  readonly code: string;
  /** How often a GET is sent; a POST is sent once, always. */
  readonly gets: number;
}

const faults: readonly Fault[] = [
  {
    name: 'a reset before the request was read',
    script: { onConnection: (socket) => socket.resetAndDestroy() },
    code: 'connection_lost',
    gets: 3,
  },
  {
    name: 'a reset after the request was read',
    script: { onRequest: (socket) => socket.resetAndDestroy() },
    code: 'connection_lost',
    gets: 3,
  },
  {
    name: 'an end after the request was read',
    script: { onRequest: (socket) => socket.end() },
    code: 'connection_lost',
    gets: 3,
  },
  {
    name: 'a body that is cut',
    script: { onRequest: (socket) => socket.end(`${HEAD}content-length: 200\r\n\r\n{"id":`) },
    code: 'connection_lost',
    gets: 3,
  },
  {
    name: 'something that is not HTTP',
    script: { onRequest: (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n') },
    code: 'connection_lost',
    gets: 3,
  },
  {
    name: 'silence',
    script: { onRequest: endTime },
    code: 'timeout',
    gets: 1,
  },
  {
    name: 'headers, then silence',
    script: {
      onRequest: (socket) => socket.write(`${HEAD}content-length: 20\r\n\r\n`, endTime),
    },
    code: 'timeout',
    gets: 1,
  },
  {
    name: 'one byte in each tenth of the time',
    script: {
      onRequest: (socket) => void trickle(socket),
    },
    code: 'timeout',
    gets: 1,
  },
  {
    name: '5 MB',
    script: { onRequest: (socket) => socket.write(httpAnswer('200 OK', 'x'.repeat(5_000_000))) },
    code: 'answer_too_large',
    gets: 1,
  },
  {
    name: '5 MB in chunks, without a length',
    script: {
      onRequest: (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        const chunk = 'x'.repeat(50_000);
        for (let index = 0; index < 100; index += 1) socket.write(`c350\r\n${chunk}\r\n`);
      },
    },
    code: 'answer_too_large',
    gets: 1,
  },
  {
    name: 'a compressed answer that was not asked for',
    script: {
      onRequest: (socket) =>
        socket.write(httpAnswer('200 OK', gzipSync(link), { 'content-encoding': 'gzip' })),
    },
    code: 'unreadable_answer',
    gets: 1,
  },
  {
    name: 'headers without an end',
    script: { onRequest: (socket) => socket.write(`${HEAD}x: ${'y'.repeat(40_000)}`) },
    code: 'connection_lost',
    gets: 3,
  },
];

describe.each(faults)('$name', ({ script, code, gets }) => {
  beforeEach(() => {
    if (code === 'timeout') stopTime();
  });

  it('leaves a create unknown, and the create is never sent twice', async () => {
    const gateway = await start(script);
    const error = await errorOf(gateway.createPaymentLink(aLink));
    expect(error).toMatchObject({
      code,
      outcome: 'unknown',
      httpStatus: expect.toBeOneOf([undefined, 200]),
    });
    expect(server?.connections).toBe(1);
  });

  it('ends a status call without an answer after as many sends as are allowed', async () => {
    const gateway = await start(script);
    const error = await errorOf(gateway.retrieveStatus({ sessionId: aSession }));
    expect(error).toMatchObject({ code, outcome: 'unknown', operation: 'retrieveStatus' });
    expect(server?.connections).toBe(gets);
  });
});

describe('a gateway that is not there', () => {
  async function nowhere(): Promise<GatewayClient> {
    const gateway = await start({});
    server?.stopListening();
    return gateway;
  }

  it('leaves a create not sent', async () => {
    const error = await errorOf((await nowhere()).createPaymentLink(aLink));
    expect(error).toMatchObject({
      code: 'connection_failed',
      outcome: 'not-sent',
      retryable: true,
    });
  });

  it('leaves a status call not sent', async () => {
    const error = await errorOf((await nowhere()).retrieveStatus({ sessionId: aSession }));
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' });
  });

  it('is not the same as one that went away after it had read the request', async () => {
    const gateway = await start({
      onRequest: (socket) => {
        server?.stopListening();
        socket.resetAndDestroy();
      },
    });
    const error = await errorOf(gateway.retrieveStatus({ sessionId: aSession }));
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'unknown' });
    expect(server?.requests).toHaveLength(1);
  });

  it('after it had refused the first of two keys has rejected the request, not missed it', async () => {
    server = await new RawServer({
      onRequest: (socket) => {
        server?.stopListening();
        socket.end(httpAnswer('401 Unauthorized', '{}', { connection: 'close' }));
      },
    }).start();
    client = clientOf(server.origin, { apiKey: ['key-1', 'key-2'] });
    const error = await errorOf(client.createPaymentLink(aLink));
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'rejected' });
    expect(server.requests).toHaveLength(1);
  });
});

it('a faulty connection is given up, and the next call gets a good one', async () => {
  const gateway = await start({
    onRequest: (socket, count) => {
      if (count === 1) socket.resetAndDestroy();
      else socket.write(httpAnswer('201 Created', link));
    },
  });
  await errorOf(gateway.createPaymentLink(aLink));
  await expect(gateway.createPaymentLink(aLink)).resolves.toMatchObject({ sessionId: aSession });
});

it('a call that may take longer than the client’s usual deadline does', async () => {
  stopTime();
  const gateway = await start({
    onRequest: (socket) => {
      endTime();
      socket.write(httpAnswer('201 Created', link));
    },
  });
  const given = gateway.createPaymentLink(aLink, { timeoutMs: TIMEOUT_MS + 1 });
  await expect(given).resolves.toMatchObject({ sessionId: aSession });
});
