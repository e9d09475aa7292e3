import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractDocument } from './contract-document.ts';

const contract = new ContractDocument();

let sandbox: Sandbox;
let token = '';
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  const { body } = await send('POST', '/auth/login', 'application/json', sandbox.portal);
  token = (body as { accessToken: string }).accessToken;
});
afterAll(() => sandbox.close());

async function send(method: string, path: string, type: string, body: unknown, more: object = {}) {
  const response = await fetch(sandbox.baseUrl + path, {
    method,
    redirect: 'error',
    headers: {
      'x-api-key': sandbox.apiKey,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      'content-type': type,
      ...more,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Every operation that is sent with a body, or may be. */
const operations = Object.entries(contract.document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'get')
    .map(([method, { operationId }]) => ({
      operation: operationId,
      method: method.toUpperCase(),
      path: path.replace('{id}', 'some-id'),
    })),
);

/** The credentials are not interchangeable (§5), so each operation gets its own. */
function credentialsOf(operation: string): Record<string, string> {
  const { credential } = contract.placeOf(operation);
  if (credential === 'portal') return { 'x-api-key': '' };
  return credential === 'apiKey' ? { authorization: '' } : { 'x-api-key': '', authorization: '' };
}

describe.each(operations)('the sandbox answers $operation', ({ operation, method, path }) => {
  const answerTo = async (type: string, body: string, more: object = {}): Promise<number> => {
    const headers = { ...credentialsOf(operation), ...more };
    const answer = await send(method, path, type, body, headers);
    expect(contract.answerFaults(operation, answer.status, answer.body)).toEqual([]);
    return answer.status;
  };

  // Pins: error.logIn.400, error.rotateApiKey.400, error.deleteWebhook.400
  it('as the contract says where the body is no JSON', async () => {
    for (const body of ['{"a":', 'undefined', 'a=1']) {
      expect(await answerTo('application/json', body)).toBe(400);
    }
  });

  // Pins: error.*.415
  it('as the contract says where the body is of another type', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json;charset=latin1',
    ];
    for (const type of types) expect(await answerTo(type, '{}')).toBe(415);
    expect(await answerTo('application/json', '{}', { 'content-encoding': 'gzip' })).toBe(415);
  });

  // Pins: error.*.413
  it('as the contract says where the body is too large', async () => {
    const large = JSON.stringify({ a: 'x'.repeat(65_536) });
    expect(await answerTo('application/json', large)).toBe(413);
  });
});

// Pins: error.logIn.400
it('the sandbox answers a login without a name or a password as the contract says', async () => {
  for (const body of [{}, { username: 'noura' }, { username: 7, password: null }, []]) {
    const answer = await send('POST', '/auth/login', 'application/json', body);
    expect(answer.status).toBe(400);
    expect(contract.answerFaults('logIn', answer.status, answer.body)).toEqual([]);
  }
});
