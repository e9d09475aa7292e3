import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { expectProblem, Shop, type Reply } from '../../test-support/shop.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

describe('a webhook', () => {
  let shop: Shop;
  beforeEach(async () => void (shop = await Shop.start()));
  afterEach(() => shop.close());

  const deliver = (body: string, headers: Record<string, string> = JSON_TYPE): Promise<Reply> =>
    shop.send('/pay/webhook', { method: 'POST', headers, body });
  const state = async () => (await shop.payments.retrieve('1001'))?.state;

  const approved = (merchantOrderId: string) =>
    JSON.stringify({
      merchantOrderId,
      orderId: merchantOrderId,
      status: 'Approved',
      type: 'Purchase',
      amount: 115,
      currencyCode: '682',
      transactionId: 'f2d5b7c0-0000-4000-8000-000000000001',
    });

  it('the answer is the same for a known order, an unknown one and nonsense', async () => {
    const { merchantOrderId } = await shop.open();
    const bodies = [
      approved(merchantOrderId),
      approved('9999~1'),
      approved('\u0000'),
      approved('../../x'),
      approved('x'.repeat(20_000)),
      JSON.stringify({ merchantOrderId: 17, orderId: { $ne: null } }),
      JSON.stringify({ __proto__: null, constructor: 1 }),
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
      ...bodies.map((body) => deliver(body)),
      deliver(`merchantOrderId=${merchantOrderId}`, FORM_TYPE),
      deliver('merchantOrderId=9999~1', FORM_TYPE),
      deliver('anything', { 'content-type': 'text/plain' }),
      deliver('anything', {}),
    ]);
    for (const { status, text, headers } of replies) {
      expect([status, text, headers['content-type']]).toEqual([200, '{}', 'application/json']);
    }
  });

  it('nonsense never reaches the store', async () => {
    shop.isStoreDown = true;
    const names = ['', '\u0000', 'x\u0000~1', '1001', '~1', '1001~0', '../x~1', 'x'.repeat(500)];
    const replies = await Promise.all(names.map((name) => deliver(approved(name))));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('a body above 64 KiB is refused, with a length or in chunks', async () => {
    expectProblem(await deliver(' '.repeat(65_537)), 413, 'body_too_large');
    const body = Array.from({ length: 70 }, () => ' '.repeat(1_000));
    const sending = { method: 'POST', headers: JSON_TYPE, body };
    expectProblem(await shop.send('/pay/webhook', sending), 413, 'body_too_large');
  });

  it('its content changes nothing: the gateway is asked, and only its word counts', async () => {
    const { session, merchantOrderId } = await shop.open();
    await deliver(approved(merchantOrderId));
    await expect.poll(() => shop.gateway.statusCalls).toHaveLength(1);
    expect(shop.gateway.statusCalls[0]?.query.get('id')).toBe(session);
    expect(await state()).toBe('pending');
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    await deliver(approved(merchantOrderId).replace('Approved', 'Declined'));
    await expect.poll(() => state()).toBe('paid');
  });

  it('a webhook for an order that is not ours asks nobody', async () => {
    await shop.open();
    for (const name of ['9999~1', '1001', '1001~2', '1001~1 ']) await deliver(approved(name));
    await shop.payments.confirm('1002');
    expect(shop.gateway.statusCalls).toHaveLength(0);
  });

  it('a hint that cannot be stored is not acknowledged, so that it is sent again', async () => {
    const { merchantOrderId } = await shop.open();
    shop.isStoreDown = true;
    expectProblem(await deliver(approved(merchantOrderId)), 503, 'store_unavailable');
  });
});
