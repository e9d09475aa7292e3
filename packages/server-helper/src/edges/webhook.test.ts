import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signatureVectors } from '../../../../contract/vectors.ts';

import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem } from '../../test-support/shop.ts';
import type { Sending, Shop, ShopOptions } from '../../test-support/shop.ts';
import type { GatewayProfile } from '../gateway/profile.ts';
import { memoryStore } from '../testing.ts';
import type { EdgeRequest } from './http.ts';
import { EQUAL_TIME_MS, faultOfSignature } from './webhook.ts';

const [secret, former] = ['whsec_5f1c0a7be2d94f36', 'whsec_a8c07d11e93b42f6'];
const signed = { webhookSecrets: [secret, former] };
const JSON_TYPE = { 'content-type': 'application/json' };
const signatureOf = (body: string | Buffer, by = secret): string =>
  createHmac('sha256', by).update(body).digest('hex');

const start = (payments: ShopOptions['payments'] = {}, profile?: GatewayProfile): Promise<Shop> =>
  startShop({ payments, profile });

/** The gateway sends the shop a notification, as it is. */
function deliver(shop: Shop, body: Sending['body'] = '', more = {}, path = '/pay/webhook') {
  const headers: Sending['headers'] = { ...JSON_TYPE, ...more };
  return shop.send(path, { method: 'POST', headers, body });
}

const transactionId = 'f2d5b7c0-0000-4000-8000-000000000001';
const notification = {
  transactionId,
  orderId: '1001~1',
  merchantOrderId: '1001~1',
  amount: 115,
  currencyCode: '682',
  cardScheme: 'MADA',
  cardNumber: '420132******1010',
  status: 'Approved',
  type: 'Purchase',
  createdAt: '2026-11-23T04:30:00Z',
  finishedAt: null,
  rrn: '000000000001',
  reason: null,
};

const approved = (merchantOrderId: string): string =>
  JSON.stringify({ ...notification, merchantOrderId, orderId: merchantOrderId });

describe('a webhook', () => {
  it('is answered alike for a known order, an unknown one and nonsense', async () => {
    const shop = await start();
    const { merchantOrderId } = await shop.open();
    const long = [' ', '['].map((sign) => sign.repeat(65_536));
    const nonsense = ['[]', 'null', '', '{"merchantOrderId":', '\ud83d', ...long];
    const bodies = [
      approved(merchantOrderId),
      approved('9999~1'),
      approved('\u0000'),
      approved('x'.repeat(20_000)),
      JSON.stringify({ merchantOrderId: 17, orderId: { $ne: null } }),
      '{"__proto__":null,"constructor":1,"merchantOrderId":"__proto__~1"}',
      ...nonsense,
    ];
    const replies = await Promise.all([
      ...bodies.map((body) => deliver(shop, body)),
      shop.submit('/pay/webhook', `merchantOrderId=${merchantOrderId}`),
      shop.submit('/pay/webhook', 'merchantOrderId=9999~1'),
      deliver(shop, 'anything', { 'content-type': 'text/plain' }),
    ]);
    for (const { status, text, headers } of replies) {
      expect([status, text, headers['content-type']]).toEqual([200, '{}', 'application/json']);
    }
  });

  it('of nonsense never reaches the store, and a hint that cannot be stored is sent again', async () => {
    const shop = await start();
    const { merchantOrderId } = await shop.open();
    shop.isStoreDown = true;
    const names = ['', '\u0000', 'x\u0000~1', '1001', '~1', '1001~0', '../x~1', 'x'.repeat(500)];
    const replies = await Promise.all(names.map((name) => deliver(shop, approved(name))));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const hint = await deliver(shop, approved(merchantOrderId));
    expectProblem(hint, 503, 'store_unavailable');
  });

  it('above 64 KiB is refused, with a length or in chunks, and so is a packed one; drift says so', async () => {
    const shop = await start();
    expectProblem(await deliver(shop, ' '.repeat(65_537)), 413, 'body_too_large');
    const chunks = Array.from({ length: 70 }, () => ' '.repeat(1_000));
    expectProblem(await deliver(shop, chunks), 413, 'body_too_large');
    expect((await deliver(shop, 'x', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect(driftOf(shop)).toEqual(['other_envelope compressed 1', 'other_envelope too_large 2']);
  });

  it('changes nothing by its content: the gateway is asked, and only its word counts', async () => {
    const shop = await start();
    const { session, merchantOrderId } = await shop.open();
    await deliver(shop, approved(merchantOrderId));
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(1);
    expect(shop.gateway.statusCalls[0]?.query.get('id')).toBe(session);
    expect(await shop.state()).toBe('pending');
    shop.shows(session, {});
    shop.later();
    await deliver(shop, approved(merchantOrderId).replace('Approved', 'Declined'));
    await expect.poll(() => shop.state()).toBe('paid');
  });

  it.each<[string, (name: string) => string, 'session' | 'transaction', string?]>([
    ['in an envelope', (name) => `{"data":[${approved(name)}]}`, 'session'],
    ['in a text', (name) => JSON.stringify({ data: approved(name) }), 'transaction'],
    ['behind many', (name) => `[${`${approved('1~1')},`.repeat(30)}${approved(name)}]`, 'session'],
    ['behind another', (name) => `[${approved('1002~1')},${approved(name)}]`, 'transaction'],
    ['away from its id', (name) => JSON.stringify({ transactionId, in: { name } }), 'transaction'],
    ['behind a byte order mark', (name) => `\uFEFF${approved(name)}`, 'session', 'text/plain'],
  ])('is followed %s', async (_how, wrapped, asksFor, type = 'application/json') => {
    const shop = await start({}, { status: { asksFor } });
    const { session, merchantOrderId } = await shop.open();
    const asked = asksFor === 'session' ? session : transactionId;
    shop.shows(asked, { transactionId, merchantOrderId });
    await deliver(shop, wrapped(merchantOrderId), { 'content-type': type });
    await expect.poll(() => shop.state()).toBe('paid');
  });

  it('for an order that is not ours asks nobody', async () => {
    const shop = await start();
    await shop.open();
    for (const name of ['9999~1', '1001', '1001~2', '1001~x']) await deliver(shop, approved(name));
    await shop.payments.confirm('1002');
    expect(shop.gateway.statusCalls).toHaveLength(0);
  });
});

describe('the time that a webhook takes', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** All that needs no timer is over after these turns of the event loop. */
  async function untilTimersMatter(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Delivers a webhook; says how many timers' milliseconds its answer took. */
  async function timeOf(shop: Shop, merchantOrderId: string): Promise<number> {
    const body = JSON.stringify({ merchantOrderId });
    const headers = { ...JSON_TYPE, 'x-signature': signatureOf(body) };
    const init = { method: 'POST', headers, body };
    const request = new Request('https://shop.example/pay/webhook', init);
    const answers: Response[] = [];
    void shop.payments.handle(request).then((answer) => answers.push(answer));
    await untilTimersMatter();
    let spent = 0;
    for (; answers.length === 0 && spent < 1_000; spent += 1) {
      await vi.advanceTimersByTimeAsync(1);
      await untilTimersMatter();
    }
    expect(answers.map(({ status }) => status)).toEqual([200]);
    return spent;
  }

  it('is a whole period for a known order and for an unknown one', async () => {
    const shop = await start();
    const { merchantOrderId } = await shop.open();
    for (const name of [merchantOrderId, '9999~1', '1001~2', merchantOrderId]) {
      expect(await timeOf(shop, name)).toBe(EQUAL_TIME_MS);
    }
  });

  it('is whole periods where the store is slow', async () => {
    const store = memoryStore();
    const load = store.load.bind(store);
    store.load = async (orderId) => {
      await new Promise((resolve) => setTimeout(resolve, EQUAL_TIME_MS + 10));
      return load(orderId);
    };
    expect(await timeOf(await start({ store }), '9999~1')).toBe(2 * EQUAL_TIME_MS);
  });

  it('is no secret where only the gateway can sign', async () => {
    const shop = await start(signed);
    const { merchantOrderId } = await shop.open();
    expect(await timeOf(shop, merchantOrderId)).toBe(0);
  });
});

const driftOf = ({ payments }: Shop): readonly string[] =>
  payments.gateway
    .drift()
    .filter(({ operation }) => operation === 'webhook')
    .map(({ kind, field, count }) => `${kind} ${field} ${count}`);

describe('of a notification is counted', () => {
  const wrapped = { data: notification };
  const within = { webhook: { orderName: '/data/orderId' } };
  const byIds = { status: { asksFor: 'transaction' } } as const;
  it.each<[string, unknown, readonly string[], GatewayProfile?]>([
    ['nothing where it is as expected', notification, []],
    ['a field that is not known', { ...notification, tid: 7 }, ['unknown_field /tid 1']],
    ['a strange word', { ...notification, status: 'APPROVED' }, ['unknown_word /status 1']],
    ['another type', { ...notification, amount: '115.00' }, ['other_type /amount 1']],
    ['a list', [notification], ['other_envelope  1']],
    ['a text', 'text', ['other_envelope  1']],
    ['that there is none', undefined, ['other_envelope  1']],
    ['an envelope', wrapped, ['unknown_field /data 1', 'unreadable_answer  1']],
    ['nothing where it names another system’s order', { orderId: 'pos-7' }, []],
    ['nothing in the places of the profile', wrapped, [], within],
    ['the lack of an order, by the profile', {}, ['unreadable_answer /data/orderId 1'], within],
    ['the lack of an id', { orderId: '1~1' }, ['unreadable_answer /transactionId 1'], byIds],
  ])('%s', async (_what, body, expected, profile) => {
    const shop = await start({}, profile);
    expect((await deliver(shop, JSON.stringify(body) ?? '<xml/>')).status).toBe(200);
    expect(driftOf(shop)).toEqual(expected);
  });

  const body = JSON.stringify({ ...notification, tid: 7 });
  const hex = signatureOf(body);
  const timed = { webhook: { signature: { timestamped: true } } };
  it.each<[string, string, Readonly<Record<string, string>>, GatewayProfile?]>([
    ['missing', 'webhookSignatureHeader', {}],
    ['form', 'webhook.signature', { 'x-signature': `sha256=${hex}` }],
    ['secret', 'GATEWAY_WEBHOOK_SECRET', { 'x-signature': hex.replaceAll(/./g, 'a') }],
    ['time', 'NTP', { 'x-signature': `t=1,v1=${hex}` }, timed],
  ])('its signature’s fault alone, and its fix: %s, %s', async (field, fix, headers, profile) => {
    const shop = await start(signed, profile);
    expect((await deliver(shop, body, headers)).status).toBe(401);
    expect((await deliver(shop, body, headers)).status).toBe(401);
    expect(driftOf(shop)).toEqual([`refused_signature ${field} 2`]);
    expect(shop.logged.filter((line) => line.includes(fix))).toHaveLength(1);
    expect(shop.logged.join('\n')).not.toContain('the gateway answered');
  });

  it('that no order is named behind a signature of ours, which is a finding of health', async () => {
    const shop = await start(signed);
    const odd = JSON.stringify({ data: notification });
    expect((await deliver(shop, odd, { 'x-signature': signatureOf(odd) })).status).toBe(200);
    expect(await shop.findings()).toEqual(['unfollowed_webhooks']);
  });

  it('so little that forged ones neither fill the log nor change health', async () => {
    const shop = await start();
    const forged = Array.from({ length: 60 }, (_, index) =>
      JSON.stringify({ ...notification, [`field_${index}`]: 1, '4111111111111111': 1 }),
    );
    await Promise.all(forged.map((one) => deliver(shop, one)));
    const seen = driftOf(shop);
    expect(seen.length).toBeLessThanOrEqual(21);
    const lines = shop.logged.filter((line) => line.includes('answered otherwise'));
    expect(lines).toHaveLength(seen.length);
    expect(JSON.stringify([seen, shop.logged])).not.toContain('4111111111111111');
    expect(await shop.findings()).toEqual([]);
  });
});

describe('a signed webhook', () => {
  it.each(signatureVectors.signatures)('is taken as the contract signs: $name', async (vector) => {
    const shop = await start(signed);
    const { body, signature } = vector;
    expect((await deliver(shop, body, { 'x-signature': signature })).status).toBe(200);
    const altered = await deliver(shop, `${body} `, { 'x-signature': signature });
    expectProblem(altered, 401, 'invalid_signature');
  });

  it('is a hint, by whichever secret and address it came', async () => {
    const shop = await start(signed);
    const { merchantOrderId } = await shop.open();
    const body = JSON.stringify({ merchantOrderId });
    await deliver(shop, body, { 'x-signature': signatureOf(body, former) });
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(1);
    shop.later();
    const capitals = { 'x-signature': signatureOf(body).toUpperCase() };
    await deliver(shop, body, capitals, '/pay/webhook/key');
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(2);
  });

  it('is refused with 401 alike for a known order, an unknown one and nonsense, and asks nobody', async () => {
    const shop = await start(signed);
    await shop.open();
    const bodies = ['{"merchantOrderId":"1001~1"}', '{"merchantOrderId":"9999~1"}', '{', ''];
    const replies = await Promise.all(bodies.map((body) => deliver(shop, body, {})));
    for (const reply of replies) {
      expectProblem(reply, 401, 'invalid_signature');
      expect(reply.headers['www-authenticate']).toBe('Signature');
    }
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(shop.gateway.statusCalls).toHaveLength(0);
    for (const body of bodies) {
      const { status, text } = await deliver(shop, body, { 'x-signature': signatureOf(body) });
      expect([status, text]).toEqual([200, '{}']);
    }
  });

  const underProfile = (webhook: GatewayProfile['webhook'], others: object = signed) =>
    start(others, { webhook });
  const digest = (algorithm: string, text: string, encoding: 'hex' | 'base64') =>
    createHmac(algorithm, secret).update(text).digest(encoding);

  it.each([
    ['sha256', 'base64', ''],
    ['sha256', 'hex', 'sha256='],
  ] as const)('is signed by %s in %s behind %j', async (algorithm, encoding, prefix) => {
    const header = 'X-Hub-Signature';
    const shop = await underProfile({ signature: { header, algorithm, encoding, prefix } });
    const body = '{"merchantOrderId":"1001~1"}';
    const good = `${prefix}${digest(algorithm, body, encoding)}`;
    const others = [signatureOf(`${body} `), digest(algorithm, `${body} `, encoding)];
    for (const text of [...others, `v${good}`, good.slice(0, -4), `${good}00`, prefix]) {
      expect((await deliver(shop, body, { 'x-hub-signature': text })).status).toBe(401);
    }
    expect((await deliver(shop, body, { 'x-hub-signature': good })).status).toBe(200);
    expect((await deliver(shop, body, { 'x-signature': good })).status).toBe(401);
  });

  it('prefers the option for the header to the profile', async () => {
    const others = { ...signed, webhookSignatureHeader: 'X-Option' };
    const shop = await underProfile({ signature: { header: 'X-Profile' } }, others);
    expect((await deliver(shop, '{}', { 'x-option': signatureOf('{}') })).status).toBe(200);
    expect((await deliver(shop, '{}', { 'x-profile': signatureOf('{}') })).status).toBe(401);
  });

  it('with a time is taken by it, among other signatures', async () => {
    const shop = await underProfile({ signature: { timestamped: true } });
    const seconds = Math.floor(Date.now() / 1_000);
    const good = digest('sha256', `${seconds}.{}`, 'hex');
    for (const [signature, status] of [
      [`t=${seconds},v1=${'0'.repeat(64)}, v1=${good}, v0=1`, 200],
      [`t=${seconds},v1=${signatureOf('{}')}`, 401],
      [`v1=${good}`, 401],
      [good, 401],
    ] as const) {
      expect((await deliver(shop, '{}', { 'x-signature': signature })).status).toBe(status);
    }
  });
});

it('a signature holds for the very bytes and the very time that a secret signed', () => {
  const now = 1_770_000_000_000;
  const settings = {
    secrets: [secret, former],
    header: 'x-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: '',
    timestamped: true,
  } as const;
  const faultOf = (header: string, body: Uint8Array, at = now) => {
    const request = { header: () => header } as unknown as EdgeRequest;
    return faultOfSignature(request, { kind: 'bytes', bytes: Buffer.from(body) }, settings, at);
  };
  const bodies = fc.uint8Array();
  const headers = fc.oneof(fc.string(), fc.stringMatching(/^t=17\d{8}, ?v1=[0-9a-f]{64}$/));
  fc.assert(
    fc.property(bodies, bodies, headers, fc.integer({ min: -900, max: 900 }), (body, ...rest) => {
      const [other, stranger, late] = rest;
      const time = now / 1_000 + late;
      const mac = signatureOf(Buffer.concat([Buffer.from(`${time}.`), body]), former);
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
