import { afterEach, describe, expect, it } from 'vitest';
import { aLink, aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import { ConfigurationError } from '../errors.ts';
import {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
} from './gateway-client.ts';

let server: RawServer | undefined;
let client: GatewayClient | undefined;
afterEach(async () => {
  await client?.close();
  await server?.close();
});

/** A gateway that hands this page out. */
async function handingOut(
  redirectUrl: string,
  options: Partial<GatewayClientOptions>,
): Promise<GatewayClient> {
  const body = JSON.stringify({ id: aSession, redirectUrl });
  server = await new RawServer({
    onRequest: (socket) => socket.end(httpAnswer('201 Created', body)),
  }).start();
  client = clientOf(server.origin, options);
  return client;
}

/** A gateway beyond this machine: its connections are not what is tried here. */
async function remoteHandingOut(
  redirectUrl: string,
  options: Partial<GatewayClientOptions> = {},
): Promise<GatewayClient> {
  const body = JSON.stringify({ id: aSession, redirectUrl });
  client = createGatewayClient({
    environment: 'production',
    baseUrl: 'https://gateway.example/v1',
    apiKey: 'key-1',
    transport: {
      send: async () => ({ status: 201, headers: {}, body }),
      close: async () => undefined,
    },
    ...options,
  });
  return client;
}

describe('a payment link is refused whose page is', () => {
  it.each([
    ['http', 'http://pay.example/checkout?sessionId=1'],
    ['http at a number', 'http://192.0.2.7/checkout'],
    ['this machine', 'https://localhost/checkout'],
    ['this machine by its number', 'https://127.0.0.1:8443/checkout'],
    ['this machine as IPv6 writes it', 'https://[::ffff:127.0.0.1]/checkout'],
    ['this machine with a dot behind', 'https://localhost./checkout'],
    ['http on this machine', 'http://localhost:4010/checkout'],
  ])('%s, by a gateway on another machine', async (_what, page) => {
    const error = await errorOf((await remoteHandingOut(page)).createPaymentLink(aLink));
    expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown' });
    expect(error.message).toMatch(/the hosted page is .*nothing was paid.*gateway\.pageOrigins/);
  });

  it('http on another machine, by a sandbox on this one', async () => {
    const gateway = await handingOut('http://192.0.2.7:4010/checkout', {});
    expect(await errorOf(gateway.createPaymentLink(aLink))).toMatchObject({
      code: 'unreadable_answer',
    });
  });

  it.each([
    'https://other.example/checkout',
    'https://checkout.gateway.example:444/checkout',
    'http://checkout.gateway.example/checkout',
    'https://checkout.gateway.example.evil.example/checkout',
    'https://a.checkout.gateway.example/checkout',
  ])('of no origin that is named: %s', async (page) => {
    const pageOrigins = ['https://checkout.gateway.example', 'https://pay.example'];
    const gateway = await remoteHandingOut(page, { pageOrigins });
    const error = await errorOf(gateway.createPaymentLink(aLink));
    expect(error).toMatchObject({ code: 'unreadable_answer', outcome: 'unknown' });
    expect(error.message).toContain(`pageOrigins does not name`);
    expect(error.message).toContain(new URL(page).origin);
  });

  it('named by what the call was given, which the error does not show', async () => {
    const gateway = await remoteHandingOut('http://key-1.example/noura@example.com');
    const { message } = await errorOf(gateway.createPaymentLink(aLink));
    expect(message).not.toContain('key-1');
    expect(message).not.toContain('noura@');
  });
});

describe('a payment link is taken whose page is', () => {
  it.each([
    ['https beyond this machine', 'https://pay.example/checkout?sessionId=1', {}],
    [
      'of an origin that is named',
      'https://pay.example:8443/checkout',
      { pageOrigins: ['https://x.example', 'https://pay.example:8443'] },
    ],
    [
      'http of an origin that is named outside production',
      'http://192.0.2.7:4010/checkout',
      { environment: 'staging', pageOrigins: ['http://192.0.2.7:4010'] },
    ],
  ] as const)('known to be safe: %s', async (_what, page, options) => {
    const gateway = await remoteHandingOut(page, options);
    await expect(gateway.createPaymentLink(aLink)).resolves.toMatchObject({ redirectUrl: page });
  });

  it.each([
    'http://127.0.0.1:4010/?sessionId=1',
    'http://localhost:1/?sessionId=1',
    'https://pay.example/?sessionId=1',
  ])('of a sandbox on this machine: %s', async (page) => {
    const gateway = await handingOut(page, {});
    await expect(gateway.createPaymentLink(aLink)).resolves.toMatchObject({ redirectUrl: page });
  });
});

const good: GatewayClientOptions = {
  environment: 'staging',
  baseUrl: 'https://gateway.example/v1',
  apiKey: 'key-1',
};
const untyped = (value: unknown): never => value as never;
const starting = (changes: object) => () => createGatewayClient({ ...good, ...changes });

it.each([
  [[]],
  [['pay.example']],
  [['https://pay.example/']],
  [['https://pay.example/checkout']],
  [['https://pay.example:443']],
  [['https://PAY.example']],
  [['https://*.pay.example']],
  [['https://name@pay.example']],
  [['javascript:alert(1)']],
  [['null']],
  [[17]],
  ['https://pay.example'],
  [null],
])('a client does not start with the page origins %j', (pageOrigins) => {
  expect(starting({ pageOrigins: untyped(pageOrigins) })).toThrow(ConfigurationError);
  expect(starting({ pageOrigins: untyped(pageOrigins) })).toThrow(
    expect.objectContaining({ code: 'invalid_page_origins' }),
  );
});

it('in production no page origin may be http', () => {
  const changes = { environment: 'production', pageOrigins: ['http://pay.example'] };
  expect(starting(changes)).toThrow(expect.objectContaining({ code: 'invalid_page_origins' }));
});
