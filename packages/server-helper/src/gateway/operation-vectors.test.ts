import { beforeEach, describe, expect, it } from 'vitest';
import { ContractDocument } from '../../../../contract/contract-document.ts';
import { operationVectors, saleHashVectors } from '../../../../contract/vectors.ts';
import { callOf, oddClientOf, errorOf, startGateway } from '../../test-support/gateway-calls.ts';
import { type ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import type { GatewayClient } from './gateway-client.ts';
import { saleHash } from './sale.ts';

const contract = new ContractDocument();
let gateway: ScriptedGateway;
let client: GatewayClient;
let answer: { readonly status: number; readonly body: unknown };

beforeEach(async () => {
  ({ gateway, client } = await startGateway((origin) =>
    oddClientOf(origin, { portal: { username: 'noura', password: 'a password' } }),
  ));
  gateway.script = (request, response) => {
    if (request.path === '/v1/auth/login') gateway.answerUsually(request, response);
    else if (answer.status === 204) response.writeHead(204).end();
    else sendJson(response, answer.status, answer.body);
  };
});

/** What reached the gateway, but for logins. */
const sent = () => gateway.seen.filter(({ path }) => path !== '/v1/auth/login');

describe.each(operationVectors)('$operation', ({ operation, method, requests, answers }) => {
  const possible = requests.filter((request) => request.input !== undefined);
  const good = answers.find((one) => one.returns !== undefined);
  const usualInput = possible[0]?.input;

  it.each(possible)('sends what its vector says: $name', async ({ input, path, query, body }) => {
    answer = { status: good?.status ?? 200, body: good?.body };
    await callOf(client, operation, input);
    expect(sent()).toHaveLength(1);
    const [request] = gateway.seen.slice(-1);
    expect(request).toMatchObject({ method, path: `/v1${path}` });
    expect(Object.fromEntries(request?.query ?? [])).toEqual(query ?? {});
    expect(request?.body).toEqual(body);
    const relative = { ...request!, path };
    expect(contract.requestFaults(operation, relative)).toEqual([]);
  });

  it.each(answers)('reads its vector: $name', async ({ status, body, returns, code, outcome }) => {
    answer = { status, body };
    const call = callOf(client, operation, usualInput);
    if (code === undefined) {
      expect((await call) ?? null).toEqual(returns);
    } else {
      expect(await errorOf(call)).toMatchObject({ code, outcome, operation });
    }
    const isGetFault = method === 'GET' && status > 500;
    const isPortal401 = status === 401 && contract.placeOf(operation).credential === 'portal';
    if (!isGetFault) expect(sent()).toHaveLength(isPortal401 ? 2 : 1);
  });

  it('refuses a field that it does not take, and sends nothing', async () => {
    const call = callOf(client, operation, { ...usualInput, surplus: 1 });
    expect(await errorOf(call)).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    expect(gateway.seen).toHaveLength(0);
  });

  const named = Object.keys(usualInput ?? {}).filter((name) => name !== 'recurring');

  it.each(named)('refuses nothing at all as %s, and sends nothing', async (name) => {
    for (const empty of ['', ' ', null, {}]) {
      const call = callOf(client, operation, { ...usualInput, [name]: empty });
      expect(await errorOf(call)).toMatchObject({ code: 'invalid_input', outcome: 'not-sent' });
    }
    expect(gateway.seen).toHaveLength(0);
  });
});

it.each(saleHashVectors.hashes)('saleHash of $email and $cardNumber', ({ hash, ...input }) => {
  expect(saleHash(input)).toBe(hash);
});
