import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GatewayProfile } from '../gateway/profile.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Reply, type Shop, type ShopOptions } from '../../test-support/shop.ts';
import type { EdgeRequest } from './http.ts';
import { faultOfSignature } from './webhook.ts';

interface Vectors {
  readonly header: string;
  readonly signatures: readonly {
    readonly name: string;
    readonly secret: string;
    readonly body: string;
    readonly signature: string;
  }[];
}

const vectors = JSON.parse(
  readFileSync(
    new URL('../../../../contract/vectors/webhook-signatures.json', import.meta.url),
    'utf8',
  ),
) as Vectors;

const [next, former] = ['whsec_5f1c0a7be2d94f36', 'whsec_a8c07d11e93b42f6'];
const signed = { webhookSecrets: [next, former] };
const sign = (body: string | Buffer, secret = next): string =>
  createHmac('sha256', secret).update(body).digest('hex');

describe('a signed webhook', () => {
  const start = (
    payments: ShopOptions['payments'] = signed,
    profile?: GatewayProfile,
  ): Promise<Shop> => startShop({ payments, profile });
  const deliver = (
    shop: Shop,
    body: string,
    headers: Record<string, string>,
    path = '/pay/webhook',
  ): Promise<Reply> =>
    shop.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it.each(vectors.signatures)('is taken as the contract signs it: $name', async (vector) => {
    const shop = await start();
    const { body, signature } = vector;
    expect((await deliver(shop, body, { [vectors.header]: signature })).status).toBe(200);
    const altered = await deliver(shop, `${body} `, { [vectors.header]: signature });
    expectProblem(altered, 401, 'invalid_signature');
  });

  it('is a hint, by whichever secret and address it came', async () => {
    const shop = await start();
    const { merchantOrderId } = await shop.open();
    const body = JSON.stringify({ merchantOrderId });
    await deliver(shop, body, { 'x-signature': sign(body, former) });
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(1);
    shop.later();
    await deliver(shop, body, { 'x-signature': sign(body).toUpperCase() }, '/pay/webhook/key');
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(2);
  });

  it.each([
    ['no signature', {}],
    ['an empty one', { 'x-signature': '' }],
    ['another body’s', { 'x-signature': sign('{}') }],
    ['a stranger’s', { 'x-signature': sign('{"merchantOrderId":"1001~1"}', 'whsec-3') }],
    ['one that is cut', { 'x-signature': sign('{"merchantOrderId":"1001~1"}').slice(0, 62) }],
    ['one that is longer', { 'x-signature': `${sign('{"merchantOrderId":"1001~1"}')}00` }],
    ['one with a digit more', { 'x-signature': `${sign('{"merchantOrderId":"1001~1"}')}0` }],
    ['what is no hex', { 'x-signature': 'z'.repeat(64) }],
    ['one under another name', { signature: sign('{"merchantOrderId":"1001~1"}') }],
  ])('with %s is refused with 401, and asks nobody', async (_what, headers) => {
    const shop = await start();
    await shop.open();
    const reply = await deliver(shop, '{"merchantOrderId":"1001~1"}', headers);
    expectProblem(reply, 401, 'invalid_signature');
    expect(reply.headers['www-authenticate']).toBe('Signature');
    expect(shop.gateway.statusCalls).toHaveLength(0);
  });

  it('is refused alike for a known order, an unknown one and nonsense', async () => {
    const shop = await start();
    await shop.open();
    const bodies = ['{"merchantOrderId":"1001~1"}', '{"merchantOrderId":"9999~1"}', '{', ''];
    const replies = await Promise.all(bodies.map((body) => deliver(shop, body, {})));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const accepted = await Promise.all(
      bodies.map((body) => deliver(shop, body, { 'x-signature': sign(body) })),
    );
    expect(new Set(accepted.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['200 {}']),
    );
  });

  const underProfile = (webhook: GatewayProfile['webhook'], others: object = signed) =>
    start(others, { webhook });
  const digest = (algorithm: string, text: string, encoding: 'hex' | 'base64') =>
    createHmac(algorithm, next).update(text).digest(encoding);

  it.each([
    ['sha256', 'base64', ''],
    ['sha256', 'hex', 'sha256='],
    ['sha512', 'hex', ''],
    ['sha1', 'base64', 'sha1='],
  ] as const)('is signed by %s in %s behind %j', async (algorithm, encoding, prefix) => {
    const shop = await underProfile({
      signature: { header: 'X-Hub-Signature', algorithm, encoding, prefix },
    });
    const body = '{"merchantOrderId":"1001~1"}';
    const signature = `${prefix}${digest(algorithm, body, encoding)}`;
    const wrong = [
      sign(`${body} `),
      `v${signature}`,
      signature.slice(0, -4),
      `${signature}00`,
      prefix,
    ];
    for (const text of [...wrong, digest(algorithm, `${body} `, encoding)]) {
      expect((await deliver(shop, body, { 'x-hub-signature': text })).status).toBe(401);
    }
    expect((await deliver(shop, body, { 'x-hub-signature': signature })).status).toBe(200);
    expect((await deliver(shop, body, { 'x-signature': signature })).status).toBe(401);
  });

  it('prefers the option for the header to the profile', async () => {
    const others = { ...signed, webhookSignatureHeader: 'X-Option' };
    const shop = await underProfile({ signature: { header: 'X-Profile' } }, others);
    expect((await deliver(shop, '{}', { 'x-option': sign('{}') })).status).toBe(200);
    expect((await deliver(shop, '{}', { 'x-profile': sign('{}') })).status).toBe(401);
  });

  it('with a time is taken for five minutes either way', async () => {
    const shop = await underProfile({ signature: { timestamped: true } });
    const body = '{}';
    const seconds = Math.floor(Date.now() / 1_000);
    const at = async (
      time: number | string,
      signature = digest('sha256', `${time}.${body}`, 'hex'),
    ) => (await deliver(shop, body, { 'x-signature': `t=${time},v1=${signature}` })).status;
    expect(await at(seconds)).toBe(200);
    expect(await at(seconds - 290)).toBe(200);
    expect(await at(seconds + 290)).toBe(200);
    expect(await at(seconds - 310)).toBe(401);
    expect(await at(seconds + 310)).toBe(401);
    expect(await at('')).toBe(401);
    expect(await at(seconds, sign(body))).toBe(401);
    const good = digest('sha256', `${seconds}.${body}`, 'hex');
    expect(await at(seconds, `${'0'.repeat(64)}, v1=${good}, v0=1`)).toBe(200);
    expect((await deliver(shop, body, { 'x-signature': good })).status).toBe(401);
    expect((await deliver(shop, body, { 'x-signature': `v1=${good}` })).status).toBe(401);
  });
});

it('a signature holds for the very bytes and the very time that a secret signed', () => {
  const now = 1_770_000_000_000;
  const settings = {
    secrets: [next, former],
    header: 'x-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: '',
    timestamped: true,
  } as const;
  const faultOf = (header: string, body: Uint8Array, at = now) =>
    faultOfSignature(
      { header: () => header } as unknown as EdgeRequest,
      { kind: 'bytes', bytes: Buffer.from(body) },
      settings,
      at,
    );
  const bodies = fc.uint8Array();
  const headers = fc.oneof(fc.string(), fc.stringMatching(/^t=17\d{8}, ?v1=[0-9a-f]{64}$/));
  fc.assert(
    fc.property(bodies, bodies, headers, fc.integer({ min: -900, max: 900 }), (body, ...rest) => {
      const [other, stranger, late] = rest;
      const time = now / 1_000 + late;
      const mac = sign(Buffer.concat([Buffer.from(`${time}.`), body]), former);
      const header = `t=${time},v1=${mac}`;
      expect(faultOf(header, body)).toBe(Math.abs(late) <= 300 ? null : 'time');
      expect(faultOf(`t=${time + 1},v1=${mac}`, body, time * 1_000)).toBe('secret');
      expect(faultOf(`${header}0`, body, time * 1_000)).toBe('form');
      if (!Buffer.from(body).equals(other)) {
        expect(faultOf(header, other, time * 1_000)).toBe('secret');
      }
      expect(faultOf(stranger, body)).not.toBeNull();
    }),
  );
});
