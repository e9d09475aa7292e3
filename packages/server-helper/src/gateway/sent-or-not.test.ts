import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { aLink, aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { RawServer, type RawScript } from '../../test-support/raw-server.ts';
import { createGatewayClient, type GatewayClient } from './gateway-client.ts';

/** As many connections as the client opens; a later call waits for one. */
const CONNECTIONS = 32;

let server: RawServer;
let client: GatewayClient;

afterEach(async () => {
  await client.close();
  await server.close();
});

async function start(script: RawScript, isTls = false): Promise<GatewayClient> {
  server = await new RawServer(script).start();
  const baseUrl = `${isTls ? server.origin.replace('http:', 'https:') : server.origin}/v1`;
  client = createGatewayClient({
    environment: 'staging',
    baseUrl,
    apiKey: 'key-1',
    connections: CONNECTIONS,
  });
  return client;
}

const create = (options?: { signal?: AbortSignal; timeoutMs?: number }) =>
  errorOf(client.createPaymentLink(aLink, options));

describe('a call that waits for a connection', () => {
  it('was not sent when its time is up or its caller gives up, and ends at once', async () => {
    await start({});
    const controller = new AbortController();
    const busy = Array.from({ length: CONNECTIONS }, () => create({ signal: controller.signal }));
    await expect.poll(() => server.requests.length).toBe(CONNECTIONS);

    expect(await create({ timeoutMs: 50 })).toMatchObject({ code: 'timeout', outcome: 'not-sent' });
    const signal = AbortSignal.timeout(50);
    expect(await create({ signal })).toMatchObject({ code: 'aborted', outcome: 'not-sent' });

    controller.abort();
    for (const error of await Promise.all(busy)) {
      expect(error).toMatchObject({ code: 'aborted', outcome: 'unknown' });
    }
    await pause(50);
    expect(server.requests).toHaveLength(CONNECTIONS);
  });

  it('was not sent when the server accepts it but never ends the TLS handshake', async () => {
    await start({}, true);
    const error = await create({ timeoutMs: 200 });
    expect(error).toMatchObject({ code: 'timeout', outcome: 'not-sent', retryable: true });
    const status = errorOf(client.retrieveStatus({ sessionId: aSession }, { timeoutMs: 200 }));
    expect(await status).toMatchObject({ code: 'timeout', outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
  });
});

it('a call to a server that speaks no TLS was not sent', async () => {
  await start({ onConnection: (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n') }, true);
  expect(await create()).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' });
});

it('a call over TLS offers HTTP/1.1 and nothing that sends by itself again', async () => {
  let hello = '';
  await start(
    {
      onConnection: (socket) =>
        socket.once('data', (chunk) => {
          hello = chunk.toString('latin1');
          socket.destroy();
        }),
    },
    true,
  );
  await create();
  expect(hello).toContain('http/1.1');
  expect(hello).not.toContain('\u0002h2');
});

it('a call to a host that nobody knows was not sent', async () => {
  server = await new RawServer({}).start();
  client = clientOf('https://no-such-host.invalid');
  expect(await create()).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' });
});

describe('a client that was closed', () => {
  it('sends nothing more, and says so', async () => {
    await start({});
    await client.close();
    expect(await create()).toMatchObject({
      code: 'closed',
      outcome: 'not-sent',
      retryable: false,
    });
    const status = errorOf(client.retrieveStatus({ sessionId: aSession }));
    expect(await status).toMatchObject({ code: 'closed', outcome: 'not-sent' });
    expect(server.connections).toBe(0);
  });

  it('leaves unknown what was in flight', async () => {
    await start({ onRequest: () => void client.close() });
    expect(await create()).toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
  });

  it('may be closed twice', async () => {
    await start({});
    await client.close();
    await client.close();
    expect(server.connections).toBe(0);
  });
});
