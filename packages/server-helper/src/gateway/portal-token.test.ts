import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { ScriptedGateway, sendJson, type Script } from '../../test-support/scripted-gateway.ts';
import { manualClock, type ManualClock } from '../doubles/manual-clock.ts';
import type { GatewayClient } from './gateway-client.ts';

const portal = { username: 'noura', password: 'a password' };
const unauthorized = { statusCode: 401, message: 'No', error: 'Unauthorized' };
const ok = { webhooks: [] };
const LOGIN = '/v1/auth/login';

let gateway: ScriptedGateway;
let client: GatewayClient;
let clock: ManualClock;
let onLogin: Script;
let onCall: Script;
const logged: string[] = [];

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  clock = manualClock();
  logged.length = 0;
  const log = (_fields: object, message: string): void => void logged.push(message);
  const logger = { info: log, warn: () => undefined, error: log };
  client = clientOf(gateway.origin, { portal, clock, logger });
  onLogin = (request, response) => gateway.answerUsually(request, response);
  onCall = (_request, response) => sendJson(response, 200, ok);
  gateway.script = (request, response) =>
    request.path === LOGIN ? onLogin(request, response) : onCall(request, response);
});

afterEach(async () => {
  await client.close();
  await gateway.close();
});

const logins = () => gateway.logins.length;
const many = (count = 20) =>
  Promise.all(Array.from({ length: count }, () => errorOf(client.listWebhooks())));

describe('a refused password', () => {
  beforeEach(() => {
    onLogin = (_request, response) => sendJson(response, 401, unauthorized);
  });

  it('is tried once by twenty calls at once, and each of them is rejected', async () => {
    for (const error of await many()) {
      expect(error).toMatchObject({ code: 'unauthorized', outcome: 'rejected', httpStatus: 401 });
    }
    expect(logins()).toBe(1);
    expect(logged).toEqual(['the gateway’s portal refused the password']);
  });

  it('is not tried again for a while, and for longer each time, so that the account is not locked', async () => {
    const tries: number[] = [];
    const startedAt = clock.now();
    for (let second = 0; second < 1_200; second += 1) {
      const before = logins();
      await errorOf(client.rotateApiKey());
      if (logins() > before) tries.push((clock.now() - startedAt) / 1_000);
      await clock.advance(1_000);
    }
    expect(tries).toEqual([0, 5, 15, 35, 75, 155, 315, 615, 915]);
    expect(gateway.seen).toHaveLength(tries.length);
  });

  it('inside HTTP 200 is a refused password too', async () => {
    onLogin = (_request, response) => sendJson(response, 200, { token: 't', errorCode: '401' });
    for (let call = 0; call < 3; call += 1) {
      expect(await errorOf(client.listWebhooks())).toMatchObject({
        code: 'unauthorized',
        outcome: 'rejected',
      });
    }
    expect(logins()).toBe(1);
  });

  it('that is good again is found again, and the next refusal starts anew', async () => {
    await many();
    await clock.advance(5_000);
    onLogin = (request, response) => gateway.answerUsually(request, response);
    await expect(client.listWebhooks()).resolves.toEqual(ok);
    onLogin = (_request, response) => sendJson(response, 401, unauthorized);
    onCall = onLogin;
    await many();
    const before = logins();
    await clock.advance(4_999);
    await many();
    expect(logins()).toBe(before);
    await clock.advance(1);
    await many();
    expect(logins()).toBe(before + 1);
  });

  it.each([-86_400_000, 86_400_000])(
    'does not wait longer when the clock jumps by %d ms',
    async (jump) => {
      let offset = 0;
      await client.close();
      const jumping = { ...clock, now: () => clock.now() + offset };
      client = clientOf(gateway.origin, { portal, clock: jumping });
      await many();
      offset = jump;
      await many();
      expect(logins()).toBe(2);
    },
  );

  it('holds back no call that an API key opens', async () => {
    await many();
    onCall = (request, response) => gateway.answerUsually(request, response);
    await expect(client.retrieveStatus({ sessionId: aSession })).resolves.toEqual({
      transactions: [],
    });
  });
});

describe('a token', () => {
  /** Lets in the latest token only. */
  function expireAfter(expiresIn: unknown): void {
    let count = 0;
    onLogin = (_request, response) => {
      count += 1;
      sendJson(response, 200, { accessToken: `token-${count}`, expiresIn });
    };
    onCall = (request, response) =>
      request.headers.authorization === `Bearer token-${count}`
        ? sendJson(response, 200, ok)
        : sendJson(response, 401, unauthorized);
  }

  it('that is about to end is replaced before a call meets its end, by one login', async () => {
    expireAfter(60);
    await client.listWebhooks();
    await clock.advance(54_999);
    await client.listWebhooks();
    expect(logins()).toBe(1);
    await clock.advance(1);
    await Promise.all(Array.from({ length: 20 }, () => client.listWebhooks()));
    expect(logins()).toBe(2);
    expect(gateway.seen).toHaveLength(24);
  });

  it('with a short life is replaced at half of it', async () => {
    expireAfter(4);
    await client.listWebhooks();
    await clock.advance(1_999);
    await client.listWebhooks();
    expect(logins()).toBe(1);
    await clock.advance(1);
    await client.listWebhooks();
    expect(logins()).toBe(2);
  });

  it.each([undefined, null, 0, -5, 0.001, '36e2', Number.MAX_VALUE, {}])(
    'whose life is told as %j serves until it is refused',
    async (expiresIn) => {
      expireAfter(expiresIn);
      for (let call = 0; call < 3; call += 1) {
        await client.listWebhooks();
        await clock.advance(3_600_000);
      }
      expect(logins()).toBe(1);
    },
  );

  it('that was replaced meanwhile is not thrown away by a late refusal of the old one', async () => {
    const late: (() => void)[] = [];
    let isRevoked = false;
    onCall = (request, response) => {
      const isOld = request.headers.authorization === 'Bearer portal-token-1';
      const refuse = (): void => sendJson(response, 401, unauthorized);
      if (isRevoked && isOld && late.length < 1) late.push(refuse);
      else if (isRevoked && isOld) refuse();
      else sendJson(response, 200, ok);
    };
    await client.listWebhooks();
    isRevoked = true;
    const slow = client.listWebhooks();
    await expect.poll(() => late.length).toBe(1);
    await expect(client.listWebhooks()).resolves.toEqual(ok);
    expect(logins()).toBe(2);
    late[0]?.();
    await expect(slow).resolves.toEqual(ok);
    await client.listWebhooks();
    expect(logins()).toBe(2);
  });

  it('that is refused to twenty calls at once is replaced once, late refusals included', async () => {
    await client.listWebhooks();
    onCall = async (request, response) => {
      await pause(Math.random() * 60);
      const isGood = request.headers.authorization === 'Bearer portal-token-2';
      sendJson(response, isGood ? 200 : 401, isGood ? ok : unauthorized);
    };
    await Promise.all(Array.from({ length: 20 }, () => client.listWebhooks()));
    expect(logins()).toBe(2);
  });
});

it('a login that is never answered ends with the client’s deadline, and the call was not sent', async () => {
  await client.close();
  client = clientOf(gateway.origin, { portal, timeoutMs: 200 });
  onLogin = () => undefined;
  const errors = await Promise.all([
    errorOf(client.listWebhooks({ timeoutMs: 20_000 })),
    errorOf(client.rotateApiKey({ timeoutMs: 20_000 })),
  ]);
  for (const error of errors) {
    expect(error).toMatchObject({ code: 'timeout', outcome: 'not-sent', retryable: true });
  }
  expect(gateway.seen).toHaveLength(1);
});
