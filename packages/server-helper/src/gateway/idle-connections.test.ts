import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { aLink, aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { httpAnswer, RawServer, type RawScript } from '../../test-support/raw-server.ts';
import { statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';

const link = httpAnswer(
  '201 Created',
  JSON.stringify({ id: aSession, redirectUrl: 'https://pay.example/?sessionId=1' }),
);
const nothing = httpAnswer('200 OK', JSON.stringify(statusAnswer([])));
const money = httpAnswer('200 OK', JSON.stringify(statusAnswer([statusRow()])));

let server: RawServer;
let client: GatewayClient;

afterEach(async () => {
  await client.close();
  await server.close();
});

async function start(onRequest: RawScript['onRequest']): Promise<void> {
  server = await new RawServer(onRequest === undefined ? {} : { onRequest }).start();
  client = clientOf(server.origin, { timeoutMs: 20_000 });
}

let deed: Promise<void>;

/** The server does something to a connection while that is idle; {@link deed} ends once the client can know. */
function whileIdle(act: () => unknown): void {
  const acted = pause(20).then(act);
  // The client reads what has come by before a timer that begins now.
  deed = acted.then(() => pause(20));
}

const create = () => client.createPaymentLink(aLink);
const retrieve = () => client.retrieveStatus({ sessionId: aSession });

describe('a connection that is kept alive', () => {
  it('is used again', async () => {
    await start((socket) => socket.write(link));
    await create();
    await pause(20);
    await create();
    expect(server.connections).toBe(1);
  });

  it.each(['end', 'resetAndDestroy'] as const)(
    'is not used again after the server’s %s',
    async (way) => {
      await start((socket) => {
        socket.write(link);
        whileIdle(() => socket[way]());
      });
      await create();
      await deed;
      await expect(create()).resolves.toMatchObject({ sessionId: aSession });
      expect(server.connections).toBe(2);
    },
  );

  it('that breaks under the next create leaves it unknown, and the create goes once', async () => {
    await start((socket, count) => {
      if (count === 1) socket.write(link);
      else socket.resetAndDestroy();
    });
    await create();
    await pause(20);
    const error = await errorOf(create());
    expect(error).toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
    expect(server.requests).toHaveLength(2);
    expect(server.connections).toBe(1);
  });

  it('that breaks under the next question lets it go again on a new one', async () => {
    await start((socket, count) => {
      if (count === 2) socket.resetAndDestroy();
      else socket.write(nothing);
    });
    await retrieve();
    await pause(20);
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
    expect(server.requests).toHaveLength(3);
    expect(server.connections).toBe(2);
  });
});

describe('an answer that nobody asked for', () => {
  it.each([
    ['at once behind the one that was', false],
    ['a moment later, while the connection is idle', true],
  ])('is never taken for the answer to the next question: %s', async (_when, isLater) => {
    await start((socket, count) => {
      if (count > 1) {
        socket.write(nothing);
      } else if (!isLater) {
        socket.write(Buffer.concat([nothing, money]));
      } else {
        socket.write(nothing);
        whileIdle(() => socket.write(money));
      }
    });
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
    await (isLater ? deed : pause(20));
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
    expect(server.requests).toHaveLength(2);
  });
});
