import { afterEach, describe, expect, it } from 'vitest';
import { aLink, aSession, callOf, oddClientOf } from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import { httpAnswer, RawServer, type RawScript } from '../../test-support/raw-server.ts';
import { statusAnswer } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';

/** As many shoppers as a client serves at once unless the options say otherwise. */
const SHOPPERS = 256;
/** A machine that does much else besides is waited for. */
const longWait = { timeout: 20_000 };

const nothing = httpAnswer('200 OK', JSON.stringify(statusAnswer([])));
/** A new link, and a login. */
const done = httpAnswer(
  '201 Created',
  JSON.stringify({
    id: aSession,
    redirectUrl: 'https://pay.example/?sessionId=1',
    accessToken: 'portal-token-1',
    tokenType: 'Bearer',
    expiresIn: 3_600,
  }),
);

let server: RawServer;
let client: GatewayClient;

afterEach(async () => {
  await client.close();
  await server.close();
});

async function start(onRequest: NonNullable<RawScript['onRequest']>, connections?: number) {
  server = await new RawServer({ onRequest }).start();
  const portal = { username: 'noura', password: 'portal-password' };
  client = oddClientOf(server.origin, { portal, connections });
}

/** Calls that end when the client is closed, if not before. */
const times = (count: number, call: () => Promise<unknown>): Promise<unknown> =>
  Promise.allSettled(Array.from({ length: count }, call));
const create = () => client.createPaymentLink(aLink);
const retrieve = () => client.retrieveStatus({ sessionId: aSession });
const isQuestion = (request: string): boolean => request.startsWith('GET ');
const questions = (): number => server.requests.filter(isQuestion).length;
const changes = (): number => server.requests.length - questions();

/** Answers nobody before so many requests are in flight, then everybody. */
function answersTogether(count: number, answer: Buffer): RawScript['onRequest'] & object {
  const sockets: Parameters<RawScript['onRequest'] & object>[0][] = [];
  return (socket) => {
    sockets.push(socket);
    if (sockets.length === count) for (const waiting of sockets) waiting.write(answer);
  };
}

/** Answers everything but questions. */
const holdsQuestions: RawScript['onRequest'] = (socket, _count, request) => {
  if (!isQuestion(request)) socket.write(done);
};

/** Answers questions only. */
const holdsChanges: RawScript['onRequest'] = (socket, _count, request) => {
  if (isQuestion(request)) socket.write(nothing);
};

describe('unless the options say otherwise', () => {
  it('the creates of 256 shoppers are with the gateway at the same time', async () => {
    await start(answersTogether(SHOPPERS, done));
    const creates = times(SHOPPERS, create);
    await expect.poll(() => server.requests.length, longWait).toBe(SHOPPERS);
    expect(await creates).toEqual(
      Array.from({ length: SHOPPERS }, () => expect.objectContaining({ status: 'fulfilled' })),
    );
  });

  it('the status checks of 256 shoppers are with the gateway at the same time', async () => {
    await start(answersTogether(SHOPPERS, nothing));
    const checks = times(SHOPPERS, retrieve);
    await expect.poll(() => server.requests.length, longWait).toBe(SHOPPERS);
    expect(await checks).toEqual(
      Array.from({ length: SHOPPERS }, () => expect.objectContaining({ status: 'fulfilled' })),
    );
  });

  it('status checks that get no answer hold up nothing that changes something', async () => {
    await start(holdsQuestions);
    void times(2 * SHOPPERS, retrieve);
    await expect.poll(questions, longWait).toBeGreaterThanOrEqual(32);
    const operations = Object.entries(changingInputs);
    void Promise.allSettled(operations.map(([name, input]) => callOf(client, name, input)));
    // The portal’s login is one more.
    await expect.poll(changes, longWait).toBe(operations.length + 1);
    expect(questions()).toBe(SHOPPERS);
  });

  it('creates that get no answer hold up no status check', async () => {
    await start(holdsChanges);
    void times(2 * SHOPPERS, create);
    await expect.poll(changes, longWait).toBeGreaterThanOrEqual(32);
    await expect(retrieve()).resolves.toEqual({ transactions: [] });
  });
});

describe('the option connections', () => {
  it('is how many connections each group of calls opens at most', async () => {
    await start(() => undefined, 2);
    void times(10, create);
    void times(10, retrieve);
    await expect.poll(() => server.requests.length, longWait).toBe(4);
    expect([changes(), questions(), server.connections]).toEqual([2, 2, 4]);
  });

  it('of 1 lets calls go one after the other', async () => {
    await start((socket) => void socket.write(done), 1);
    await times(5, create);
    expect([changes(), server.connections]).toEqual([5, 1]);
  });
});
