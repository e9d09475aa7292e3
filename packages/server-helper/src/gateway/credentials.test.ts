import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { endedInTime } from '../../test-support/ended-in-time.ts';
import { aLink, aSession, errorOf, startGateway } from '../../test-support/gateway-calls.ts';
import { sendJson } from '../../test-support/scripted-gateway.ts';
import type { Script, ScriptedGateway } from '../../test-support/scripted-gateway.ts';

import { manualClock, type ManualClock } from '../doubles/manual-clock.ts';
import type { GatewayClient, GatewayClientOptions } from './gateway-client.ts';
import { faultOfCredential } from './meaning.ts';

let gateway: ScriptedGateway;
let client: GatewayClient;
const retrieve = () => client.retrieveStatus({ sessionId: aSession });

// The vectors of the contract have these failures for every operation.
it.each([
  ['Staging credential on production', 'wrong_environment'],
  ['Bearer tokens are not accepted for payments', 'wrong_credential_type'],
  ['Invalid, inactive or wrong-environment key', 'unauthorized'],
  ['', 'unauthorized'],
])('the words of a 401 "%s" say %s', (message, code) => {
  const why = code === 'unauthorized' ? '' : expect.stringContaining('a configuration error');
  expect(faultOfCredential([message])).toEqual({ code, why });
});

it('hostile words of a 401 take no long time', () => {
  for (const word of ['staging ', 'key for ', 'invalid ', 'production staging ']) {
    const fault = endedInTime(() => faultOfCredential([word.repeat(65_536 / word.length)]));
    expect(fault.code).toMatch(/^\w+$/);
  }
});

describe('while API keys rotate', () => {
  const start = async (...apiKey: readonly string[]): Promise<void> =>
    void ({ gateway, client } = await startGateway({ apiKey }));
  beforeEach(() => start('old-key', 'new-key'));

  const keysSeen = () => gateway.seen.map(({ headers }) => headers['x-api-key']);
  const create = (order = 1) =>
    client.createPaymentLink({ ...aLink, merchantOrderId: `1001~${order}` });
  const refund = () => errorOf(client.refund({ transactionId: aSession, amount: '20.00' }));

  /** What each key hears: the usual answer, an answer of this status, or none. */
  function eachHears(answers: Readonly<Record<string, number | null>>): void {
    gateway.script = async (request, response) => {
      await new Promise((resolve) => setImmediate(resolve));
      const heard = answers[String(request.headers['x-api-key'])] ?? null;
      if (heard === 200) gateway.answerUsually(request, response);
      else if (heard === null) response.destroy();
      else sendJson(response, heard, {});
    };
  }

  const either = (index: number) => (index % 2 === 0 ? create(index) : retrieve());
  const many = () => Promise.all(Array.from({ length: 20 }, (_, index) => either(index)));

  it('twenty calls at once meet no error while the keys change places, without a restart', async () => {
    for (const good of ['old-key', 'new-key', 'old-key', 'new-key']) {
      eachHears({ 'old-key': 401, 'new-key': 401, [good]: 200 });
      await expect(many()).resolves.toHaveLength(20);
    }
    eachHears({ 'old-key': 200, 'new-key': 200 });
    await expect(many()).resolves.toHaveLength(20);
  });

  it('a call that the first key does not open goes once with the next, which goes first from then on', async () => {
    eachHears({ 'old-key': 401, 'new-key': 200 });
    await create();
    await retrieve();
    eachHears({ 'old-key': 200, 'new-key': 401 });
    await retrieve();
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'new-key', 'new-key', 'old-key']);
  });

  it.each([
    ['another one knows', { 'old-key': 404, 'new-key': 200 }, null],
    ['another one knows, behind one that is refused', { 'old-key': 401, 'new-key': 200 }, null],
    ['none knows', { 'old-key': 404, 'new-key': 404 }, 'not_found'],
    ['none knows that is not refused', { 'old-key': 404, 'new-key': 401 }, 'not_found'],
    ['another one may know', { 'old-key': 404, 'new-key': 500 }, 'gateway_fault'],
    ['another one has no answer for', { 'old-key': 404, 'new-key': null }, 'connection_lost'],
  ] as const)('a session that %s', async (_what, answers, code) => {
    eachHears(answers);
    if (code === null) await retrieve();
    else expect(await errorOf(retrieve())).toHaveProperty('code', code);
    expect(new Set(keysSeen())).toEqual(new Set(['old-key', 'new-key']));
  });

  it('a 404 of a question changes no key, and one of an operation ends it', async () => {
    eachHears({ 'old-key': 404, 'new-key': 200 });
    await retrieve();
    await errorOf(create());
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'old-key']);
  });

  it('a 404 that comes in HTTP 200 is one too', async () => {
    gateway.script = (request, response) =>
      request.headers['x-api-key'] === 'new-key'
        ? gateway.answerUsually(request, response)
        : sendJson(response, 200, { code: 404, message: 'no', errorCode: '404', data: null });
    await retrieve();
    expect(keysSeen()).toEqual(['old-key', 'new-key']);
  });

  it('each key is tried once when all are refused, and the call is rejected', async () => {
    eachHears({ 'old-key': 401, 'new-key': 401 });
    const refused = { code: 'unauthorized', outcome: 'rejected', retryable: false };
    expect(await errorOf(create())).toMatchObject(refused);
    expect(await errorOf(retrieve())).toMatchObject(refused);
    expect(keysSeen()).toEqual(['old-key', 'new-key', 'old-key', 'new-key']);
  });

  it.each([
    ['HTTP 200 with the error code 401', 200, { code: 200, errorCode: '401', data: null }],
    ['HTTP 403', 403, { statusCode: 403, message: 'Forbidden' }],
    ['HTTP 500', 500, { statusCode: 401, message: 'Invalid API key' }],
  ])('%s sends no refund again with the next key', async (_what, status, body) => {
    gateway.script = (_request, response) => sendJson(response, status, body);
    await refund();
    expect(keysSeen()).toEqual(['old-key']);
  });

  it('a 401 whose body is lost sends no refund again: it may not have been one', async () => {
    gateway.script = (_request, response) => {
      response.writeHead(401, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    };
    expect(await refund()).toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
    expect(keysSeen()).toEqual(['old-key']);
  });

  it('a key that is given twice is tried once', async () => {
    await start('key-1', 'key-1');
    eachHears({ 'key-1': 401 });
    await errorOf(create());
    expect(keysSeen()).toEqual(['key-1']);
  });
});

const portal = { username: 'canary-name', password: 'canary-password' };
const LOGIN = '/v1/auth/login';
const unauthorized = { statusCode: 401, message: 'No', error: 'Unauthorized' };
const rejected = { code: 'unauthorized', outcome: 'rejected' };
const ok = { webhooks: [], credentials: [], sdkTokens: [] };
const DAY = 86_400_000;

describe('the portal', () => {
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
      if (request.headers['x-api-key'] !== undefined)
        return gateway.answerUsually(request, response);
      const isGood = takes(String(request.headers.authorization).replace('Bearer ', ''));
      return sendJson(response, isGood ? 200 : 401, isGood ? ok : unauthorized);
    };
  }

  const sends =
    (status: number, body: unknown): Script =>
    (_request, response) =>
      sendJson(response, status, body);
  const refuse = sends(401, unauthorized);
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
      await retrieve();
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
    // The vectors of the contract count the sends of every operation.
    it('lets a call go again once, with a new one', async () => {
      takes = () => false;
      expect(await errorOf(client.rotateApiKey())).toMatchObject(rejected);
      const tokens = ['Bearer portal-token-1', 'Bearer portal-token-2'];
      expect(others().map(({ headers }) => headers.authorization)).toEqual(tokens);
      expect(logins()).toBe(2);
    });

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
      ['HTTP 500', sends(500, {}), 'gateway_fault', 'not-sent'],
      ['HTTP 400', sends(400, {}), 'invalid_request', 'rejected'],
      ['a lost answer', (_, response) => void response.destroy(), 'connection_lost', 'not-sent'],
      ['no token', sends(200, {}), 'unreadable_answer', 'not-sent'],
      ['a bad token', sends(200, { token: 'a\r\nb: c' }), 'unreadable_answer', 'not-sent'],
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
      onLogin = sends(200, { token: 't', errorCode: '401' });
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

    const noLives = [undefined, null, 0, -5, 0.001, '36e2', Number.MAX_VALUE, {}];
    it.each(noLives)('whose life is told as %j serves until it is refused', async (expiresIn) => {
      expireAfter(expiresIn);
      for (let call = 0; call < 3; call += 1) {
        await list();
        await clock.advance(3_600_000);
      }
      expect(logins()).toBe(1);
    });
  });

  describe('a caller who gives up during the login', () => {
    beforeEach(() => {
      onLogin = async (...asked) => {
        await pause(150);
        return logInUsually(...asked);
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
});
