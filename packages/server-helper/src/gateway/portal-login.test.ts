import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { aSession, callOf, errorOf, startGateway } from '../../test-support/gateway-calls.ts';
import {
  type ScriptedGateway,
  sendJson,
  type Script,
} from '../../test-support/scripted-gateway.ts';
import { inputs } from '../../test-support/operation-inputs.ts';
import { manualClock, type ManualClock } from '../doubles/manual-clock.ts';
import type { GatewayClient, GatewayClientOptions } from './gateway-client.ts';

const portal = { username: 'canary-name', password: 'canary-password' };
const LOGIN = '/v1/auth/login';
const unauthorized = { statusCode: 401, message: 'No', error: 'Unauthorized' };
const rejected = { code: 'unauthorized', outcome: 'rejected' };
const ok = { webhooks: [], credentials: [], sdkTokens: [] };
const DAY = 86_400_000;

let gateway: ScriptedGateway;
let client: GatewayClient;
let clock: ManualClock;
/** Whether the portal takes a token; every other one is a 401. */
let takes: (token: string) => boolean;
let onLogin: Script;
const logged: string[] = [];

async function start(options: Partial<GatewayClientOptions> = {}) {
  const log = (_fields: object, message: string): void => void logged.push(message);
  const logger = { info: log, warn: () => undefined, error: log };
  ({ gateway, client } = await startGateway({ portal, clock, logger, ...options }));
  gateway.script = (request, response) => {
    if (request.path === LOGIN) return onLogin(request, response);
    if (request.headers['x-api-key'] !== undefined) return gateway.answerUsually(request, response);
    const isGood = takes(String(request.headers.authorization).replace('Bearer ', ''));
    return sendJson(response, isGood ? 200 : 401, isGood ? ok : unauthorized);
  };
}

const refuse: Script = (_request, response) => sendJson(response, 401, unauthorized);
const logInUsually: Script = (request, response) => gateway.answerUsually(request, response);

beforeEach(async () => {
  clock = manualClock();
  takes = (token) => token === 'portal-token-1';
  onLogin = logInUsually;
  await start();
  logged.length = 0;
});

const logins = () => gateway.logins.length;
const others = () => gateway.seen.filter(({ path }) => path !== LOGIN);
const list = () => client.listWebhooks();
const many = () => Promise.all(Array.from({ length: 20 }, list));
const manyErrors = () => Promise.all(Array.from({ length: 20 }, () => errorOf(list())));

describe('the portal login', () => {
  it('waits for the first portal call, and serves all later calls', async () => {
    await client.retrieveStatus({ sessionId: aSession });
    expect(logins()).toBe(0);
    await list();
    await client.retrieveCredentials();
    await client.listSdkTokens();
    expect(gateway.logins).toMatchObject([{ method: 'POST', body: portal }]);
    for (const { headers } of others().slice(1)) expect(headers).not.toHaveProperty('x-api-key');
  });

  it('is one for twenty calls at once, and one more for twenty whose token was refused', async () => {
    await many();
    expect(logins()).toBe(1);
    takes = (token) => token === 'portal-token-2';
    await many();
    expect(logins()).toBe(2);
  });
});

describe('a refused token', () => {
  it.each(['createWebhook', 'updateWebhook', 'deleteWebhook', 'rotateApiKey'])(
    'lets %s go again once, with a new one',
    async (operation) => {
      takes = () => false;
      const error = await errorOf(callOf(client, operation, inputs[operation]));
      expect(error).toMatchObject(rejected);
      const tokens = ['Bearer portal-token-1', 'Bearer portal-token-2'];
      expect(others().map(({ headers }) => headers.authorization)).toEqual(tokens);
      expect(logins()).toBe(2);
    },
  );

  it('leaves the call rejected when the new login fails', async () => {
    takes = () => false;
    onLogin = (request, response) =>
      logins() === 1 ? logInUsually(request, response) : void response.destroy();
    const error = await errorOf(client.rotateApiKey());
    expect(error).toMatchObject({ code: 'connection_lost', outcome: 'rejected' });
    expect(others()).toHaveLength(1);
  });

  it('that was replaced meanwhile does not take the new one away by its late refusal', async () => {
    const late: (() => void)[] = [];
    await list();
    takes = (token) => token === 'portal-token-2';
    const usual = gateway.script;
    gateway.script = (request, response) => {
      if (late.length > 0) return usual?.(request, response);
      late.push(() => void refuse(request, response));
      return undefined;
    };
    const slow = list();
    await expect.poll(() => late.length).toBe(1);
    await list();
    expect(logins()).toBe(2);
    late[0]?.();
    await slow;
    await list();
    expect(logins()).toBe(2);
  });
});

describe('a login that fails', () => {
  const broken: readonly [string, Script, string, string][] = [
    ['HTTP 500', (_, response) => sendJson(response, 500, {}), 'gateway_fault', 'not-sent'],
    ['HTTP 400', (_, response) => sendJson(response, 400, {}), 'invalid_request', 'rejected'],
    ['a lost answer', (_, response) => void response.destroy(), 'connection_lost', 'not-sent'],
    ['no token', (_, response) => sendJson(response, 200, {}), 'unreadable_answer', 'not-sent'],
    [
      'a token that no header can carry',
      (_, response) => sendJson(response, 200, { token: 'a\r\nb: c' }),
      'unreadable_answer',
      'not-sent',
    ],
  ];

  it.each(broken)('by %s is tried once a call, and the call is not sent', async (...given) => {
    const [, script, code, outcome] = given;
    onLogin = script;
    for (const call of [list, () => client.rotateApiKey()]) {
      const before = logins();
      expect(await errorOf(call())).toMatchObject({ code, outcome });
      expect(logins()).toBe(before + 1);
    }
    expect(others()).toHaveLength(0);
    onLogin = logInUsually;
    await expect(list()).resolves.toEqual({ webhooks: [] });
  });

  it('by a refused connection leaves the call not sent', async () => {
    await start({ baseUrl: 'http://127.0.0.1:1/v1' });
    const error = await errorOf(client.rotateApiKey());
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' });
  });

  it('by the client’s deadline leaves the calls not sent, whatever their own', async () => {
    await start({ timeoutMs: 200 });
    onLogin = () => undefined;
    const options = { timeoutMs: 20_000 };
    const errors = [errorOf(client.listWebhooks(options)), errorOf(client.rotateApiKey(options))];
    for (const error of await Promise.all(errors)) {
      expect(error).toMatchObject({ code: 'timeout', outcome: 'not-sent', retryable: true });
    }
    expect(gateway.seen).toHaveLength(1);
  });
});

describe('a refused password', () => {
  beforeEach(() => void (onLogin = refuse));

  it('is tried once by twenty calls at once, each of which is rejected and none sent', async () => {
    const refused = { ...rejected, httpStatus: 401, retryable: false };
    for (const error of await manyErrors()) {
      expect(error).toMatchObject({ ...refused, operation: 'listWebhooks' });
    }
    expect(gateway.seen).toHaveLength(1);
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
    await start();
    onLogin = (_request, response) => sendJson(response, 200, { token: 't', errorCode: '401' });
    for (const error of [...(await manyErrors()), await errorOf(list())]) {
      expect(error).toMatchObject(rejected);
    }
    expect(logins()).toBe(1);
  });

  it('that is good again is found again, and the next refusal starts anew', async () => {
    await manyErrors();
    await clock.advance(5_000);
    onLogin = logInUsually;
    await expect(list()).resolves.toEqual({ webhooks: [] });
    onLogin = refuse;
    takes = () => false;
    await manyErrors();
    const before = logins();
    await clock.advance(4_999);
    await manyErrors();
    expect(logins()).toBe(before);
    await clock.advance(1);
    await manyErrors();
    expect(logins()).toBe(before + 1);
  });

  it.each([-DAY, DAY])('does not wait longer when the clock jumps by %d ms', async (jump) => {
    let offset = 0;
    await start({ clock: { ...clock, now: () => clock.now() + offset } });
    await manyErrors();
    offset = jump;
    await manyErrors();
    expect(logins()).toBe(2);
  });

  it('holds back no call that an API key opens', async () => {
    await manyErrors();
    await client.retrieveStatus({ sessionId: aSession });
  });
});

describe('a token', () => {
  /** Only the latest token is good. */
  function expireAfter(expiresIn: unknown): void {
    onLogin = (_request, response) =>
      sendJson(response, 200, { accessToken: `token-${logins()}`, expiresIn });
    takes = (token) => token === `token-${logins()}`;
  }

  it.each([
    ['that is about to end is replaced before a call meets its end', 60, 55_000],
    ['with a short life is replaced at half of it', 4, 2_000],
  ])('%s, by one login', async (_which, seconds, replacedAt) => {
    expireAfter(seconds);
    await list();
    await clock.advance(replacedAt - 1);
    await list();
    expect(logins()).toBe(1);
    await clock.advance(1);
    await many();
    expect([logins(), gateway.seen.length]).toEqual([2, 24]);
  });

  it.each([undefined, null, 0, -5, 0.001, '36e2', Number.MAX_VALUE, {}])(
    'whose life is told as %j serves until it is refused',
    async (expiresIn) => {
      expireAfter(expiresIn);
      for (let call = 0; call < 3; call += 1) {
        await list();
        await clock.advance(3_600_000);
      }
      expect(logins()).toBe(1);
    },
  );
});

describe('a caller who gives up during the login', () => {
  beforeEach(() => {
    onLogin = (request, response) => {
      void pause(150).then(() => logInUsually(request, response));
    };
  });

  it('has sent nothing, and leaves the login to the others', async () => {
    const controller = new AbortController();
    const left = errorOf(client.rotateApiKey({ signal: controller.signal }));
    const kept = list();
    await pause(50);
    controller.abort();
    expect(await left).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    await expect(kept).resolves.toEqual({ webhooks: [] });
    expect(logins()).toBe(1);
  });

  it('has sent nothing when its own deadline ends, and the login still serves the next', async () => {
    const error = await errorOf(client.rotateApiKey({ timeoutMs: 50 }));
    expect(error).toMatchObject({ code: 'timeout', outcome: 'not-sent' });
    await list();
    expect([logins(), others().length]).toEqual([1, 1]);
  });
});

it('a client without a portal credential says so and sends nothing', async () => {
  await start({ portal: undefined });
  const error = await errorOf(list());
  expect(error).toMatchObject({ code: 'portal_not_configured', outcome: 'not-sent' });
  expect(gateway.seen).toHaveLength(0);
});
