import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aLink, aSession, callOf, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer, type RawScript } from '../../test-support/raw-server.ts';
import { statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient, GatewayClientOptions } from './gateway-client.ts';

/** A new link, and a login. */
const made = {
  id: aSession,
  redirectUrl: 'https://pay.example/?sessionId=1',
  accessToken: 'portal-token-1',
  tokenType: 'Bearer',
  expiresIn: 3_600,
};
const done = httpAnswer('201 Created', JSON.stringify(made));
const nothing = httpAnswer('200 OK', JSON.stringify(statusAnswer([])));
const money = httpAnswer('200 OK', JSON.stringify(statusAnswer([statusRow()])));
/** A machine that does much else besides is waited for. */
const longWait = { timeout: 20_000 };

let server: RawServer;
let client: GatewayClient;

afterEach(async () => {
  await client.close();
  await server.close();
});

async function start(script: RawScript, options: Partial<GatewayClientOptions> = {}) {
  server = await new RawServer(script).start();
  client = clientOf(server.origin, options);
}

/** A client of https, at a server that speaks no TLS by itself. */
async function startTls(script: RawScript): Promise<void> {
  server = await new RawServer(script).start();
  client = clientOf(server.origin.replace('http:', 'https:'));
}

const create = (options?: { signal?: AbortSignal; timeoutMs?: number }) =>
  client.createPaymentLink(aLink, options);
const retrieve = () => client.retrieveStatus({ sessionId: aSession });
/** Calls that end when the client is closed, if not before. */
const times = (count: number, call: () => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: count }, () => call()));
const isQuestion = (request: string): boolean => request.startsWith('GET ');
const questions = (): number => server.requests.filter(isQuestion).length;
const changes = (): number => server.requests.length - questions();

describe('unless the options say otherwise', () => {
  const SHOPPERS = 256;

  it.each([
    ['creates', create, done],
    ['status checks', retrieve, nothing],
  ])('the %s of 256 shoppers are with the gateway at the same time', async (...given) => {
    const [, call, answer] = given;
    const sockets: { write(bytes: Buffer): void }[] = [];
    await start({
      onRequest: (socket) => {
        sockets.push(socket);
        if (sockets.length === SHOPPERS) for (const waiting of sockets) waiting.write(answer);
      },
    });
    const ends = await times(SHOPPERS, call);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(SHOPPERS);
  });

  it('status checks that get no answer hold up nothing that changes something', async () => {
    await start({ onRequest: (socket, _, request) => isQuestion(request) || socket.write(done) });
    void times(2 * SHOPPERS, retrieve);
    await expect.poll(questions, longWait).toBeGreaterThanOrEqual(32);
    const operations = Object.entries(changingInputs);
    void Promise.allSettled(operations.map(([name, input]) => callOf(client, name, input)));
    // The portal’s login is one more.
    await expect.poll(changes, longWait).toBe(operations.length + 1);
    expect(questions()).toBe(SHOPPERS);
  });
});

it('the option connections is how many each group of calls opens at most', async () => {
  await start({}, { connections: 2 });
  void times(10, create);
  void times(10, retrieve);
  await expect.poll(() => server.requests.length, longWait).toBe(4);
  expect([changes(), questions(), server.connections]).toEqual([2, 2, 4]);
});

describe('a connection that is kept alive', () => {
  let deed: Promise<void>;

  /** The server does something to a connection while that is idle; {@link deed} ends once the client can know. */
  function whileIdle(act: () => unknown): void {
    const acted = pause(20).then(act);
    // The client reads what has come by before a timer that begins now.
    deed = acted.then(() => pause(20));
  }

  it.each(['end', 'resetAndDestroy'] as const)('is not used after the server’s %s', async (way) => {
    await start({
      onRequest: (socket) => {
        socket.write(done);
        whileIdle(() => socket[way]());
      },
    });
    await create();
    await deed;
    await expect(create()).resolves.toMatchObject({ sessionId: aSession });
    expect(server.connections).toBe(2);
  });

  it.each([
    ['create leaves it unknown, and it goes once', create, done, [2, 1]],
    ['question lets it go again on a new one', retrieve, nothing, [3, 2]],
  ] as const)('that breaks under the next %s', async (_what, call, answer, [requests, count]) => {
    const onRequest: RawScript['onRequest'] = (socket, nth) =>
      nth === 2 ? socket.resetAndDestroy() : socket.write(answer);
    await start({ onRequest });
    await call();
    await pause(20);
    const lost = { code: 'connection_lost', outcome: 'unknown' };
    if (call === create) expect(await errorOf(call())).toMatchObject(lost);
    else await expect(call()).resolves.toEqual({ transactions: [] });
    expect([server.requests.length, server.connections]).toEqual([requests, count]);
  });

  it.each(['at once', 'while idle'])('takes no answer that nobody asked for, %s', async (when) => {
    const isLater = when === 'while idle';
    await start({
      onRequest: (socket, count) => {
        socket.write(count > 1 || isLater ? nothing : Buffer.concat([nothing, money]));
        if (count === 1 && isLater) whileIdle(() => socket.write(money));
      },
    });
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
    await (isLater ? deed : pause(20));
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
    expect(server.requests).toHaveLength(2);
  });
});

it('a connection that is reset before the request is read may have carried it', async () => {
  await start({ onConnection: (socket) => socket.resetAndDestroy() });
  const lost = { code: 'connection_lost', outcome: 'unknown' };
  expect(await errorOf(create())).toMatchObject(lost);
  expect(server.connections).toBe(1);
  expect(await errorOf(retrieve())).toMatchObject(lost);
  expect(server.connections).toBe(4);
});

describe('a call that waits for a connection', () => {
  const CONNECTIONS = 32;

  it('was not sent when its time is up or its caller gives up, and ends at once', async () => {
    await start({}, { connections: CONNECTIONS });
    const controller = new AbortController();
    const { signal } = controller;
    const busy = Array.from({ length: CONNECTIONS }, () => errorOf(create({ signal })));
    await expect.poll(() => server.requests.length).toBe(CONNECTIONS);

    const late = { code: 'timeout', outcome: 'not-sent' };
    expect(await errorOf(create({ timeoutMs: 50 }))).toMatchObject(late);
    const left = { code: 'aborted', outcome: 'not-sent' };
    expect(await errorOf(create({ signal: AbortSignal.timeout(50) }))).toMatchObject(left);

    controller.abort();
    for (const error of await Promise.all(busy)) {
      expect(error).toMatchObject({ code: 'aborted', outcome: 'unknown' });
    }
    await pause(50);
    expect(server.requests).toHaveLength(CONNECTIONS);
  });

  it('was not sent when the server accepts it but never ends the TLS handshake', async () => {
    await startTls({});
    const late = { code: 'timeout', outcome: 'not-sent', retryable: true };
    expect(await errorOf(create({ timeoutMs: 200 }))).toMatchObject(late);
    const asked = client.retrieveStatus({ sessionId: aSession }, { timeoutMs: 200 });
    expect(await errorOf(asked)).toMatchObject(late);
    expect(server.requests).toHaveLength(0);
  });
});

it.each([
  ['server that speaks no TLS', () => startTls({ onConnection: (socket) => socket.write('no') })],
  ['host that nobody knows', () => start({}, { baseUrl: 'https://no-such-host.invalid/v1' })],
])('a call to a %s was not sent', async (_what, begin) => {
  await begin();
  expect(await errorOf(create())).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' });
});

it('a call over TLS offers HTTP/1.1 and nothing that sends by itself again', async () => {
  let hello = '';
  await startTls({
    onConnection: (socket) =>
      socket.once('data', (chunk) => {
        hello = chunk.toString('latin1');
        socket.destroy();
      }),
  });
  await errorOf(create());
  expect(hello).toContain('http/1.1');
  expect(hello).not.toContain('\u0002h2');
});

it('a call that is over holds on to nothing of its caller’s signal', async () => {
  await start({ onRequest: (socket) => socket.write(done) });
  const { signal } = new AbortController();
  await create({ signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('an answer that came in time counts, though this process stood still until the time was up', async () => {
  const { setTimeout: soon } = globalThis;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await start({
    onRequest: (socket) => {
      socket.write(nothing);
      soon(() => vi.advanceTimersByTime(60_000), 1);
      // The timer is due before the event loop looks for what has arrived.
      for (const begun = performance.now(); performance.now() < begun + 5;);
    },
  });
  expect(await client.retrieveStatus({ sessionId: aSession })).toMatchObject({ transactions: [] });
});

describe('a client that was closed', () => {
  it('sends nothing more and says so, and may be closed twice', async () => {
    await start({});
    await client.close();
    await client.close();
    const closed = { code: 'closed', outcome: 'not-sent', retryable: false };
    expect(await errorOf(create())).toMatchObject(closed);
    expect(await errorOf(retrieve())).toMatchObject(closed);
    expect(server.connections).toBe(0);
  });

  it('leaves unknown what was in flight', async () => {
    await start({ onRequest: () => void client.close() });
    expect(await errorOf(create())).toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
  });
});
