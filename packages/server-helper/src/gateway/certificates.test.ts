import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { helpAddress } from '../errors.ts';
import { CliShop, runCliInside } from '../../test-support/cli-shop.ts';
import { aSession, errorOf } from '../../test-support/gateway-calls.ts';
import { someOptions, TOKEN_SECRET } from '../../test-support/some-options.ts';
import { selfSigned } from '../../test-support/certificates.ts';
import { createPayments } from '../create-payments.ts';
import { paymentsFromEnv } from '../payments-from-env.ts';
import { createGatewayClient, type GatewayClientOptions } from './gateway-client.ts';

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';
beforeEach(() => void vi.stubEnv(VARIABLE, undefined));
afterEach(() => void vi.unstubAllEnvs());

const gateway: GatewayClientOptions = {
  environment: 'production',
  baseUrl: 'https://gateway.example/v1',
  apiKey: 'key-1',
};
const { store, gateway: _gateway, ...shop } = someOptions();
const env = {
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: gateway.baseUrl,
  GATEWAY_API_KEY: 'key-1',
  PUBLIC_URL: shop.publicUrl,
  PAY_TOKEN_SECRET: TOKEN_SECRET,
  DATABASE_URL: 'sqlite:.data/never-opened.db',
};

describe('in production, an environment that takes any certificate', () => {
  const code = 'certificates_unchecked';
  const findings = [expect.objectContaining({ setting: VARIABLE, code })];
  const refused = expect.objectContaining({ code, findings });

  it('starts neither a client nor payments, also where the settings alone say so', () => {
    expect(() => paymentsFromEnv(shop, { ...env, [VARIABLE]: '0' })).toThrow(refused);
    vi.stubEnv(VARIABLE, '0');
    expect(() => createGatewayClient(gateway)).toThrow(refused);
    expect(() => createPayments({ ...shop, gateway, store })).toThrow(refused);
    expect(() => paymentsFromEnv(shop, env)).toThrow(refused);
  });

  it('is found by the doctor', async () => {
    const cliShop = await CliShop.start();
    onTestFinished(() => cliShop.close());
    const settings = { ...cliShop.env, ...env, [VARIABLE]: '0' };
    const { json } = await runCliInside(['doctor', '--json', '--offline'], settings);
    const found = { id: 'settings', status: 'wrong', code, help: helpAddress(code) };
    expect(json['checks']).toContainEqual(expect.objectContaining(found));
  });
});

it.each(['1', '', undefined])('in production, %j of the variable is no mistake', async (value) => {
  vi.stubEnv(VARIABLE, value);
  await createGatewayClient(gateway).close();
});

it('no request is sent to a gateway whose certificate nobody vouches for, whatever the environment says', async () => {
  let requests = 0;
  const server = createServer(selfSigned(), (_request, response) => {
    requests += 1;
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `https://localhost:${port}`;
  vi.stubEnv(VARIABLE, '0');
  const client = createGatewayClient({
    ...gateway,
    environment: 'staging',
    baseUrl: `${origin}/v1`,
    timeoutMs: 5_000,
  });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  // Proof that the variable does what it says, and that the server can be reached.
  expect((await fetch(origin)).status).toBe(404);
  const error = await errorOf(client.retrieveStatus({ sessionId: aSession }));
  expect([error.code, requests]).toEqual(['connection_failed', 1]);
});
