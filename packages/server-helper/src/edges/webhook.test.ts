import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import { someOptions } from '../../test-support/some-options.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { expectProblem, type Reply, type Shop, type ShopOptions } from '../../test-support/shop.ts';
import type { GatewayProfile } from '../gateway/profile.ts';
import { createPayments, type Payments, type Transport } from '../index.ts';
import { manualClock, memoryStore } from '../testing.ts';
import { EQUAL_TIME_MS } from './webhook.ts';

const secret = 'whsec_5f1c0a7be2d94f36';
const signed = { webhookSecrets: [secret] };
const JSON_TYPE = { 'content-type': 'application/json' };
const signatureOf = (body: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');

const start = (payments: ShopOptions['payments'] = {}, profile?: GatewayProfile): Promise<Shop> =>
  startShop({ payments, profile });

/** The gateway sends the shop a notification, as it is. */
const deliver = (
  shop: Shop,
  body: string | readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  shop.send('/pay/webhook', { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });

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
    const bodies = [
      approved(merchantOrderId),
      approved('9999~1'),
      approved('\u0000'),
      approved('../../x'),
      approved('x'.repeat(20_000)),
      JSON.stringify({ merchantOrderId: 17, orderId: { $ne: null } }),
      '{"__proto__":null,"constructor":1,"merchantOrderId":"__proto__~1"}',
      '{}',
      '[]',
      'null',
      '17',
      '"text"',
      '',
      '{"merchantOrderId":',
      '<xml/>',
      '\ud83d',
      ' '.repeat(65_536),
      '['.repeat(65_536),
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

  it('above 64 KiB is refused, with a length or in chunks', async () => {
    const shop = await start();
    expectProblem(await deliver(shop, ' '.repeat(65_537)), 413, 'body_too_large');
    const chunks = Array.from({ length: 70 }, () => ' '.repeat(1_000));
    expectProblem(await deliver(shop, chunks), 413, 'body_too_large');
  });

  it('changes nothing by its content: the gateway is asked, and only its word counts', async () => {
    const shop = await start();
    const { session, merchantOrderId } = await shop.open();
    const state = async () => (await shop.payments.retrieve('1001'))?.state;
    await deliver(shop, approved(merchantOrderId));
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(1);
    expect(shop.gateway.statusCalls[0]?.query.get('id')).toBe(session);
    expect(await state()).toBe('pending');
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    await deliver(shop, approved(merchantOrderId).replace('Approved', 'Declined'));
    await expect.poll(state).toBe('paid');
  });

  it.each<[string, (name: string) => string, 'session' | 'transaction', string?]>([
    ['in an envelope', (name) => `{"data":[${approved(name)}]}`, 'session'],
    ['in a text', (name) => JSON.stringify({ data: approved(name) }), 'transaction'],
    ['behind another', (name) => `[${approved('1002~1')},${approved(name)}]`, 'transaction'],
    ['away from its id', (name) => JSON.stringify({ transactionId, in: { name } }), 'transaction'],
    ['behind a byte order mark', (name) => `\uFEFF${approved(name)}`, 'session', 'text/plain'],
  ])('is followed %s', async (_how, wrapped, asksFor, type = 'application/json') => {
    const shop = await start({}, { status: { asksFor } });
    const { session, merchantOrderId } = await shop.open();
    shop.gateway.rows.set(asksFor === 'session' ? session : transactionId, [
      statusRow({ transactionId, merchantOrderId }),
    ]);
    await deliver(shop, wrapped(merchantOrderId), { 'content-type': type });
    await expect.poll(async () => (await shop.payments.retrieve('1001'))?.state).toBe('paid');
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
  it.each<[string, unknown, readonly string[], GatewayProfile?]>([
    ['nothing where it is as expected', notification, []],
    ['a field that is not known', { ...notification, tid: 7 }, ['unknown_field /tid 1']],
    ['a strange word', { ...notification, status: 'APPROVED' }, ['unknown_word /status 1']],
    ['another type', { ...notification, amount: '115.00' }, ['other_type /amount 1']],
    ['a list', [notification], ['other_envelope  1']],
    ['a text', 'text', ['other_envelope  1']],
    ['that there is none', undefined, ['other_envelope  1']],
    [
      'an envelope',
      { event: 'Purchase', data: notification },
      ['unknown_field /data 1', 'unknown_field /event 1', 'unreadable_answer  1'],
    ],
    [
      'nothing where it names an order of another system',
      { ...notification, orderId: 'pos-7', merchantOrderId: 'pos-7' },
      [],
    ],
    [
      'nothing in the places of the profile',
      { data: notification },
      [],
      { webhook: { orderName: '/data/orderId', transactionId: '/data/transactionId' } },
    ],
    [
      'that it names no order where the profile says',
      notification,
      ['unreadable_answer /data/orderId 1'],
      { webhook: { orderName: '/data/orderId' } },
    ],
    [
      'that it names no transaction where the gateway is asked by these',
      { ...notification, transactionId: undefined, trans_id: 'x' },
      ['unknown_field /trans_id 1', 'unreadable_answer /transactionId 1'],
      { status: { asksFor: 'transaction' } },
    ],
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
  ])(
    'the fault of its signature alone, and its fix: %s, %s',
    async (field, fix, headers, profile) => {
      const shop = await start(signed, profile);
      expect((await deliver(shop, body, headers)).status).toBe(401);
      expect((await deliver(shop, body, headers)).status).toBe(401);
      expect(driftOf(shop)).toEqual([`refused_signature ${field} 2`]);
      expect(shop.logged.filter((line) => line.includes(fix))).toHaveLength(1);
      expect(shop.logged.join('\n')).not.toContain('the gateway answered');
    },
  );

  it('that no order is named behind a signature of ours, which is a finding of health', async () => {
    const shop = await start(signed);
    const odd = JSON.stringify({ data: notification });
    expect((await deliver(shop, odd, { 'x-signature': signatureOf(odd) })).status).toBe(200);
    expect((await shop.send('/pay/health')).json['findings']).toEqual(['unfollowed_webhooks']);
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
    expect((await shop.send('/pay/health')).json['findings']).toEqual([]);
  });
});

/** What the gateway may send in ten seconds, as far as we let it touch us. */
const WEBHOOKS = 10_000;
const TENTHS = 100;
const ORDERS = ['1001', '1002', '1003'];

it('ten thousand webhooks in ten seconds ask the gateway once in five seconds for each order', async () => {
  const clock = manualClock();
  /** When the gateway was asked, by session. */
  const asked = new Map<string, number[]>();
  const transport: Transport = {
    send: async ({ method, path }) => {
      const id = path.split('id=')[1] ?? '';
      if (method === 'GET') asked.set(id, [...(asked.get(id) ?? []), clock.now()]);
      const created = { id: crypto.randomUUID(), redirectUrl: 'https://gateway.example/checkout' };
      const body = JSON.stringify(method === 'GET' ? statusAnswer([]) : created);
      return { status: method === 'GET' ? 200 : 201, headers: {}, body };
    },
    close: async () => undefined,
  };
  const options = someOptions();
  const payments = createPayments({
    ...options,
    gateway: { ...options.gateway, transport },
    clock,
    loadOrder: (orderId) => ({ orderId, amount: '1.00', customer: { phone: '0501234567' } }),
  });
  onTestFinished(() => payments.close());
  for (const orderId of ORDERS) await payments.ensureLink(orderId);
  const answers: Promise<number>[] = [];
  for (let tenth = 0; tenth < TENTHS; tenth += 1) {
    for (let index = 0; index < WEBHOOKS / TENTHS; index += 1)
      answers.push(sendTo(payments, index));
    // The checks that follow are on their way before time passes.
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(100);
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  expect(asked.size).toBe(ORDERS.length);
  for (const times of asked.values()) {
    expect(times).toHaveLength(2);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(5_000);
  }
});

/** By `payments.handle`, which spends its time on the route and not on ten thousand connections. */
async function sendTo(payments: Payments, index: number): Promise<number> {
  const merchantOrderId = `${ORDERS[index % ORDERS.length]}~1`;
  const request = new Request('https://shop.example/pay/webhook', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchantOrderId, status: 'Approved' }),
  });
  return (await payments.handle(request)).status;
}
