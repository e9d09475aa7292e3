import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayProfile } from '../gateway/profile.ts';
import { Shop } from '../../test-support/shop.ts';

const secret = 'whsec_5f1c0a7be2d94f36';
const signed = { webhookSecrets: [secret] };

let shop: Shop;
const start = async (
  payments: NonNullable<Parameters<typeof Shop.start>[0]>['payments'] = {},
  profile?: GatewayProfile,
): Promise<Shop> => (shop = await Shop.start({ payments, profile }));
afterEach(() => shop.close());

const notification = {
  transactionId: 'f2d5b7c0-0000-4000-8000-000000000001',
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

async function deliver(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = { 'content-type': 'application/json', ...headers };
  return (await shop.send('/pay/webhook', { method: 'POST', headers: all, body: text })).status;
}

const seen = (): readonly string[] =>
  shop.payments.gateway
    .drift()
    .filter(({ operation }) => operation === 'webhook')
    .map(({ kind, field, count }) => `${kind} ${field} ${count}`);

describe('a notification', () => {
  it('as it is expected is no drift', async () => {
    await start();
    expect(await deliver(notification)).toBe(200);
    expect(seen()).toEqual([]);
  });

  it.each([
    ['a field that is not known', { ...notification, tid: 7 }, ['unknown_field /tid 1']],
    [
      'a word that is not known',
      { ...notification, status: 'APPROVED' },
      ['unknown_word /status 1'],
    ],
    ['another type', { ...notification, amount: '115.00' }, ['other_type /amount 1']],
    ['a list', [notification], ['other_envelope  1']],
    ['a text', '"text"', ['other_envelope  1']],
    ['no JSON', '<xml/>', ['other_envelope  1']],
    [
      'an envelope',
      { event: 'Purchase', data: notification },
      ['unknown_field /data 1', 'unknown_field /event 1', 'unreadable_answer  1'],
    ],
  ])('of %s is counted', async (_what, body, expected) => {
    await start();
    expect(await deliver(body)).toBe(200);
    expect(seen()).toEqual(expected);
  });

  it('about a payment of another system names its order, and is no drift', async () => {
    await start();
    await deliver({ ...notification, orderId: 'pos-7', merchantOrderId: 'pos-7' });
    expect(seen()).toEqual([]);
  });

  it('in the places of the profile is no drift', async () => {
    const webhook = { orderName: '/data/merchantOrderId', transactionId: '/data/transactionId' };
    await start({}, { webhook });
    await deliver({ data: notification });
    expect(seen()).toEqual([]);
    await deliver(notification);
    expect(seen()).toEqual(['unreadable_answer /data/merchantOrderId 1']);
  });

  it('without a transaction is counted where the gateway is asked by transactions', async () => {
    await start({}, { status: { asksFor: 'transaction' } });
    await deliver({ ...notification, transactionId: undefined, trans_id: 'x' });
    expect(seen()).toEqual(['unknown_field /trans_id 1', 'unreadable_answer /transactionId 1']);
  });
});

describe('a signature', () => {
  const body = JSON.stringify(notification);
  const hex = createHmac('sha256', secret).update(body).digest('hex');

  it('of ours is no drift', async () => {
    await start(signed);
    expect(await deliver(body, { 'x-signature': hex })).toBe(200);
    expect(seen()).toEqual([]);
  });

  it.each([
    ['is missing', {}, 'missing'],
    ['has another form', { 'x-signature': `sha256=${hex}` }, 'form'],
    ['is by another secret', { 'x-signature': hex.replaceAll(/./g, 'a') }, 'secret'],
  ])('that %s is counted so, and the fields behind it are not', async (_what, headers, field) => {
    await start(signed);
    const odd = JSON.stringify({ ...notification, tid: 7 });
    expect(await deliver(odd, headers)).toBe(401);
    expect(seen()).toEqual([`refused_signature ${field} 1`]);
  });

  it('of ours, behind which no order is named, is a finding of health', async () => {
    await start(signed);
    const odd = JSON.stringify({ data: notification });
    const mac = createHmac('sha256', secret).update(odd).digest('hex');
    expect(await deliver(odd, { 'x-signature': mac })).toBe(200);
    expect((await shop.send('/pay/health')).json['findings']).toEqual(['unfollowed_webhooks']);
  });

  it('whose time is long ago is counted so', async () => {
    await start(signed, { webhook: { signature: { timestamped: true } } });
    expect(await deliver(body, { 'x-signature': `t=1,v1=${hex}` })).toBe(401);
    expect(seen()).toEqual(['refused_signature time 1']);
  });
});

it('forged notifications neither fill the log nor change health', async () => {
  await start();
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      deliver({ ...notification, [`field_${index}`]: 1, '4111111111111111': 1 }),
    ),
  );
  expect(seen().length).toBeLessThanOrEqual(21);
  expect(shop.logged.filter((line) => line.includes('answered otherwise'))).toHaveLength(
    seen().length,
  );
  expect(JSON.stringify([seen(), shop.logged])).not.toContain('4111111111111111');
  expect((await shop.send('/pay/health')).json['findings']).toEqual([]);
});
