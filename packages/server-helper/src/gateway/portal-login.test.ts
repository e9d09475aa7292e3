import { beforeEach, describe, expect, it } from 'vitest';
import { ContractDocument } from '../../../../contract/contract-document.ts';
import {
  aSession,
  callOf,
  clientOf,
  errorOf,
  oddClientOf,
  startGateway,
} from '../../test-support/gateway-calls.ts';
import { changingInputs } from '../../test-support/operation-inputs.ts';
import {
  type ScriptedGateway,
  sendJson,
  type Script,
  type SeenRequest,
} from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';

const contract = new ContractDocument();
const portal = { username: 'canary-name', password: 'canary-password' };
const LOGIN = '/v1/auth/login';
const unauthorized = { statusCode: 401, message: 'No', error: 'Unauthorized' };

let gateway: ScriptedGateway;
let client: GatewayClient;
/** Tokens that the portal takes; every other one is a 401. */
let good: Set<string>;
let onLogin: Script;

beforeEach(async () => {
  ({ gateway, client } = await startGateway((origin) => clientOf(origin, { portal })));
  good = new Set(['Bearer portal-token-1']);
  onLogin = (request, response) => gateway.answerUsually(request, response);
  gateway.script = (request, response) => {
    if (request.path === LOGIN) return onLogin(request, response);
    const isGood = good.has(request.headers.authorization ?? '');
    return isGood
      ? sendJson(response, 200, { webhooks: [], credentials: [], sdkTokens: [] })
      : sendJson(response, 401, unauthorized);
  };
});

const others = (): readonly SeenRequest[] => gateway.seen.filter(({ path }) => path !== LOGIN);
const many = (count: number) =>
  Promise.all(Array.from({ length: count }, () => client.listWebhooks()));

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('the portal login', () => {
  it('waits for the first portal call, is as the contract says, and serves all later calls', async () => {
    await client.retrieveStatus({ sessionId: aSession }).catch(() => undefined);
    expect(gateway.logins).toHaveLength(0);
    await client.listWebhooks();
    await client.retrieveCredentials();
    await client.listSdkTokens();
    expect(gateway.logins).toHaveLength(1);
    const [login] = gateway.logins;
    expect(login?.body).toEqual(portal);
    expect(contract.requestFaults('logIn', { ...login!, path: '/auth/login' })).toEqual([]);
    for (const { headers } of others().slice(1)) expect(headers['x-api-key']).toBeUndefined();
  });

  it.each(['accessToken', 'access_token', 'token'])('reads the token as %s', async (name) => {
    onLogin = (_request, response) => sendJson(response, 200, { [name]: 'portal-token-1' });
    await expect(client.listWebhooks()).resolves.toEqual({ webhooks: [] });
  });

  it('is one for twenty calls at once', async () => {
    await many(20);
    expect(gateway.logins).toHaveLength(1);
  });

  it('is one more for twenty calls whose token was refused', async () => {
    await many(20);
    good = new Set(['Bearer portal-token-2']);
    await many(20);
    expect(gateway.logins).toHaveLength(2);
  });

  it('goes to another path where the client was told so', async () => {
    await client.close();
    client = oddClientOf(gateway.origin, {
      portal,
      profile: { login: { path: '/portal/sessions' } },
    });
    await errorOf(client.listWebhooks());
    expect(gateway.seen[0]).toMatchObject({ method: 'POST', path: '/v1/portal/sessions' });
  });
});

describe('a refused token', () => {
  const portalChanges = ['createWebhook', 'updateWebhook', 'deleteWebhook', 'rotateApiKey'];

  it.each(portalChanges)('lets %s go again once, with a new one', async (operation) => {
    good = new Set();
    const call = callOf(client, operation, changingInputs[operation]);
    expect(await errorOf(call)).toMatchObject({ code: 'unauthorized', outcome: 'rejected' });
    expect(others().map(({ headers }) => headers.authorization)).toEqual([
      'Bearer portal-token-1',
      'Bearer portal-token-2',
    ]);
    expect(gateway.logins).toHaveLength(2);
  });

  it('does not show when the new one is good', async () => {
    good = new Set(['Bearer portal-token-2']);
    await expect(client.listWebhooks()).resolves.toEqual({ webhooks: [] });
    expect(gateway.logins).toHaveLength(2);
  });

  it('leaves the call rejected when the new login fails', async () => {
    good = new Set();
    let logins = 0;
    onLogin = (request, response) => {
      logins += 1;
      if (logins === 1) gateway.answerUsually(request, response);
      else response.destroy();
    };
    const error = await errorOf(client.rotateApiKey());
    expect(error).toMatchObject({ code: 'connection_lost', outcome: 'rejected' });
    expect(others()).toHaveLength(1);
  });
});

describe('a login that fails', () => {
  it('for a wrong password is tried once a call, and the call itself is not sent', async () => {
    onLogin = (_request, response) => sendJson(response, 401, unauthorized);
    const error = await errorOf(client.listWebhooks());
    expect(error).toMatchObject({ code: 'unauthorized', outcome: 'rejected', httpStatus: 401 });
    expect(error).toMatchObject({ operation: 'listWebhooks', retryable: false });
    expect(gateway.logins).toHaveLength(1);
    expect(others()).toHaveLength(0);
  });

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

  it.each(broken)('by %s is not tried again by itself', async (_what, script, code, outcome) => {
    onLogin = script;
    for (const call of [() => client.listWebhooks(), () => client.rotateApiKey()]) {
      const before = gateway.logins.length;
      expect(await errorOf(call())).toMatchObject({ code, outcome });
      expect(gateway.logins).toHaveLength(before + 1);
    }
    expect(others()).toHaveLength(0);
  });

  it('by a refused connection leaves the call not sent', async () => {
    const nowhere = clientOf('http://127.0.0.1:1', { portal });
    const error = await errorOf(nowhere.rotateApiKey());
    expect(error).toMatchObject({ code: 'connection_failed', outcome: 'not-sent' });
    await nowhere.close();
  });

  it('is forgotten: the next call logs in anew', async () => {
    onLogin = (_request, response) => sendJson(response, 503, {});
    await errorOf(client.listWebhooks());
    onLogin = (request, response) => gateway.answerUsually(request, response);
    await expect(client.listWebhooks()).resolves.toEqual({ webhooks: [] });
  });
});

describe('a caller who gives up during the login', () => {
  beforeEach(() => {
    onLogin = async (request, response) => {
      await pause(150);
      gateway.answerUsually(request, response);
    };
  });

  it('has sent nothing, and leaves the login to the others', async () => {
    const controller = new AbortController();
    const left = errorOf(client.rotateApiKey({ signal: controller.signal }));
    const kept = client.listWebhooks();
    await pause(50);
    controller.abort();
    expect(await left).toMatchObject({ code: 'aborted', outcome: 'not-sent' });
    await expect(kept).resolves.toEqual({ webhooks: [] });
    expect(gateway.logins).toHaveLength(1);
  });

  it('has sent nothing when its own deadline ends, and the login still serves the next', async () => {
    const error = await errorOf(client.rotateApiKey({ timeoutMs: 50 }));
    expect(error).toMatchObject({ code: 'timeout', outcome: 'not-sent' });
    await client.listWebhooks();
    expect(gateway.logins).toHaveLength(1);
    expect(others()).toHaveLength(1);
  });
});

it('a client without a portal credential says so and sends nothing', async () => {
  const plain = clientOf(gateway.origin);
  const error = await errorOf(plain.listWebhooks());
  expect(error).toMatchObject({ code: 'portal_not_configured', outcome: 'not-sent' });
  expect(gateway.seen).toHaveLength(0);
  await plain.close();
});

it('options come second, and first where there is no input', async () => {
  const signal = AbortSignal.abort();
  for (const given of [[{ signal }], [{}, { signal }], [undefined, { signal }]]) {
    const [first, second] = given;
    expect(await errorOf(callOf(client, 'listWebhooks', first, second))).toMatchObject({
      code: 'aborted',
    });
  }
  expect(gateway.seen).toHaveLength(0);
});
