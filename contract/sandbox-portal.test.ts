import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractDocument } from './contract-document.ts';
import { operationVectors } from './vectors.ts';

const contract = new ContractDocument();

let sandbox: Sandbox;
let token = '';
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  const answer = await send('POST', '/auth/login', {}, sandbox.portal);
  expect(contract.answerFaults('logIn', answer.status, answer.body)).toEqual([]);
  token = (answer.body as { accessToken: string }).accessToken;
});
afterAll(() => sandbox.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(sandbox.baseUrl + path, {
    method,
    redirect: 'error',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  send(method, path, { authorization: `Bearer ${token}` }, body);

const newWebhook = { url: 'https://shop.example/pay/webhook', events: [], active: true };

const isAboutOne = (operation: string): boolean => /^(update|delete)/.test(operation);

/** The path of an operation with a record of its own in it, where it is about one. */
async function pathWithRecord(operation: string, path: string): Promise<string> {
  const [resource, body] = path.includes('/webhooks')
    ? ['/merchant/account/webhooks', newWebhook]
    : ['/merchant/account/sdk-tokens', { name: 'Till' }];
  if (!isAboutOne(operation)) return path;
  const { body: created } = await call('POST', resource, body);
  return `${resource}/${(created as { id: string }).id}`;
}

const portalVectors = operationVectors.filter(
  ({ operation }) => contract.placeOf(operation).credential === 'portal',
);

it('the portal has the nine operations of §4.9 to §4.17', () => {
  expect(portalVectors).toHaveLength(9);
});

describe.each(portalVectors)(
  'the sandbox answers $operation',
  ({ operation, method, requests }) => {
    // Pins: operation.*Webhook*, operation.*SdkToken*, operation.retrieveCredentials,
    // operation.rotateApiKey, error.*Webhook.400, error.*SdkToken.400, field.*Webhook*,
    // field.Credential*, field.*SdkToken*
    it.each(requests)('as the contract says, for $name (allowed: $conforms)', async (request) => {
      const path = await pathWithRecord(operation, request.path);
      const query = request.query === undefined ? '' : `?${new URLSearchParams(request.query)}`;
      const { status, body } = await call(method, path + query, request.body);
      expect(contract.answerFaults(operation, status, body)).toEqual([]);
      // What the gateway does not read is ignored; what it reads and cannot use is a 400.
      const isIgnored = request.query !== undefined || method === 'DELETE';
      expect(status < 300).toBe(request.conforms || isIgnored);
    });

    // Pins: error.*Webhook*.401, error.*SdkToken*.401, error.retrieveCredentials.401,
    // error.rotateApiKey.401, error.unauthorized.bearer-*, error.unauthorized.wrong-type
    it('with a 401 as the contract says, to no token, a wrong one and an API key', async () => {
      const { path } = requests[0] ?? { path: '' };
      const headers = [
        {},
        { authorization: 'Bearer wrong' },
        { 'x-api-key': sandbox.apiKey },
        { authorization: `Bearer ${sandbox.apiKey}` },
      ];
      for (const header of headers as Record<string, string>[]) {
        const { status, body } = await send(method, path, header);
        expect(status).toBe(401);
        expect(contract.answerFaults(operation, status, body)).toEqual([]);
      }
    });
  },
);

// Pins: error.updateWebhook.404, error.deleteWebhook.404, error.updateSdkToken.404
it.each(portalVectors.filter(({ operation }) => isAboutOne(operation)))(
  'the sandbox answers $operation with a 404 as the contract says, where no record has the id',
  async ({ operation, method, requests }) => {
    const { path, body: given } = requests[0] ?? { path: '', body: {} };
    const { status, body } = await call(method, path.replace(/[^/]+$/, 'unknown'), given);
    expect(status).toBe(404);
    expect(contract.answerFaults(operation, status, body)).toEqual([]);
  },
);

// Pins: error.logIn.401
it('the sandbox refuses a wrong login as the contract says', async () => {
  const { status, body } = await send(
    'POST',
    '/auth/login',
    {},
    { ...sandbox.portal, password: 'wrong' },
  );
  expect(status).toBe(401);
  expect(contract.answerFaults('logIn', status, body)).toEqual([]);
});
