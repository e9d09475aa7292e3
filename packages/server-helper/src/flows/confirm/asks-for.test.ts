import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore } from '../../../test-support/every-store.ts';
import { TransactionShop, type OpenLink } from '../../../test-support/transaction-gateway.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const hints = ['webhook', 'return', 'webhook and return'] as const;

let at: TransactionShop;
afterEach(() => at.shop.close());

/** The shopper has paid, and the hints come. */
async function hear(link: OpenLink, how: (typeof hints)[number], id: string): Promise<void> {
  if (how !== 'return') await at.webhook(link.merchantOrderId, id);
  if (how === 'webhook and return') await at.later();
  if (how !== 'webhook') await at.comesBack(link, `?trans_id=${id}`);
  await at.later();
}

describe.each(['session', 'either', 'transaction'] as const)('status by %s', (asksFor) => {
  it.each(hints)('finds a payment by %s, where rows name it', async (how) => {
    at = await TransactionShop.start({ asksFor });
    const link = await at.shop.open();
    const id = at.has(link, { merchantOrderId: link.merchantOrderId });
    await hear(link, how, id);
    expect(await at.state()).toBe('paid');
    expect(await at.reviews()).toEqual([]);
  });

  it.each(hints.slice(1))('finds a payment by %s, where rows bear no name', async (how) => {
    at = await TransactionShop.start({ asksFor, orderName: null });
    const link = await at.shop.open();
    await hear(link, how, at.has(link, { merchantOrderId: 'gw-7' }));
    expect(await at.state()).toBe('paid');
    expect(await at.reviews()).toEqual([]);
  });
});

describe('status by either', () => {
  it('asks by a hinted transaction where the gateway knows no session', async () => {
    at = await TransactionShop.start({ asksFor: 'either' });
    const link = await at.shop.open();
    const id = at.has(link, { merchantOrderId: link.merchantOrderId });
    at.shop.gateway.rows.delete(link.session);
    await hear(link, 'webhook', id);
    expect(await at.state()).toBe('paid');
    expect(at.questions).toContain(link.session);
  });
});

describe.each(flowStores)('status by transaction, in %s,', (name) => {
  it('pays by a webhook, sees a refund elsewhere, and leaves no hint behind', async () => {
    const fresh = await freshStore(name);
    at = await TransactionShop.start(
      { asksFor: 'transaction' },
      { payments: { store: fresh.store } },
    );
    const link = await at.shop.open();
    const named = { merchantOrderId: link.merchantOrderId };
    const id = at.has(link, named);
    await hear(link, 'webhook', id);
    expect(await at.state()).toBe('paid');
    expect((await fresh.store.load('1001'))?.hints).toEqual([]);
    at.has(link, { ...named, refundStatus: 'PARTIAL', totalRefundAmount: '15.00' }, id);
    await at.webhook(link.merchantOrderId, id);
    await at.later();
    expect(await at.state()).toBe('partially_refunded');
    at.has(link, { ...named, refundStatus: 'FULL', totalRefundAmount: '115.00' }, id);
    await at.later(2 * DAY_MS);
    expect(await at.state()).toBe('refunded');
    await at.shop.payments.close();
    await fresh.end();
  });
});

describe('status by transaction', () => {
  it('finds a second charge of a paid link beside the first', async () => {
    at = await TransactionShop.start({ asksFor: 'transaction' });
    const link = await at.shop.open();
    const named = { merchantOrderId: link.merchantOrderId };
    await hear(link, 'webhook', at.has(link, named));
    await hear(link, 'webhook', at.has(link, named));
    expect(await at.state()).toBe('paid');
    expect(await at.reviews()).toEqual([['1001', 'duplicate_charge']]);
  });

  it('finds a payment that the gateway shows only some time after its hint', async () => {
    at = await TransactionShop.start({ asksFor: 'transaction', notFound: 'not-yet' });
    const link = await at.shop.open();
    const id = randomUUID();
    await hear(link, 'webhook', id);
    expect(await at.state()).toBe('pending');
    at.has(link, { merchantOrderId: link.merchantOrderId }, id);
    await at.later(60_000);
    expect(await at.state()).toBe('paid');
  });

  it.each([
    ['application/x-www-form-urlencoded', (id: string) => `status=1&trans_id=${id}`],
    ['application/json', (id: string) => JSON.stringify({ transactionId: id })],
  ])('takes an id that the gateway posts to the return address (%s)', async (type, bodyOf) => {
    at = await TransactionShop.start({ asksFor: 'transaction' });
    const link = await at.shop.open();
    const body = bodyOf(at.has(link, { merchantOrderId: link.merchantOrderId }));
    const headers = { 'content-type': type };
    const reply = await at.shop.send(link.success, { method: 'POST', headers, body });
    expect(reply.status).toBe(303);
    expect(await at.state()).toBe('paid');
  });

  it('sends a shopper on whose posted return cannot be read', async () => {
    at = await TransactionShop.start({ asksFor: 'transaction' });
    const link = await at.shop.open();
    for (const [type, body] of [
      ['text/plain', 'trans_id=1'],
      ['application/json', '{'],
      ['application/json', 'null'],
      ['application/x-www-form-urlencoded', `trans_id=${'x'.repeat(70_000)}`],
    ] as const) {
      const headers = { 'content-type': type };
      const reply = await at.shop.send(link.success, { method: 'POST', headers, body });
      expect(reply.status).toBe(303);
    }
    expect(at.questions).toEqual([]);
  });

  it('reviews another amount than the link’s', async () => {
    at = await TransactionShop.start({ asksFor: 'transaction' });
    const link = await at.shop.open();
    await hear(link, 'return', at.has(link, { amount: '1.00' }));
    expect(await at.state()).toBe('review');
    expect(await at.reviews()).toEqual([['1001', 'amount_mismatch']]);
  });

  it('takes no id that is none, and asks about no session', async () => {
    at = await TransactionShop.start({ asksFor: 'transaction' });
    const link = await at.shop.open();
    for (const odd of ['', ' ', 'a\u0000b', 'x'.repeat(201), {}, null, 1.5, link.session]) {
      await at.webhook(link.merchantOrderId, odd);
    }
    await at.comesBack(link, `?transactionId=%00&trans_id=&id=${link.session}`);
    await at.later();
    expect(at.questions).toEqual([]);
    await at.webhook(link.merchantOrderId, 4711);
    await at.later();
    expect(new Set(at.questions)).toEqual(new Set(['4711']));
  });

  it.each(['', `?id=${randomUUID()}`])(
    'gives a link to a person whose shopper came back as if it was paid: "%s"',
    async (query) => {
      at = await TransactionShop.start({ asksFor: 'transaction' });
      await at.comesBack(await at.shop.open(), query);
      await at.later(8 * DAY_MS, 16);
      expect(await at.reviews()).toEqual([]);
      await at.later(4 * DAY_MS, 16);
      expect(await at.state()).toBe('pending');
      expect(await at.reviews()).toEqual([['1001', 'no_evidence']]);
      const [item] = await at.shop.payments.review.list();
      await at.shop.payments.review.resolve(item?.id ?? '', 'nothing on the dashboard');
      await at.later(2 * DAY_MS, 4);
      expect(await at.state()).toBe('expired');
    },
  );

  it('makes no second link without evidence about the first', async () => {
    at = await TransactionShop.start({ asksFor: 'transaction' });
    const link = await at.shop.open();
    at.shop.reprice('99.50');
    const again = () => at.shop.payments.ensureLink('1001');
    await expect(again()).rejects.toMatchObject({ code: 'not_confirmed' });
    // A transaction of no order of ours says nothing about the link.
    await hear(link, 'webhook', randomUUID());
    await expect(again()).rejects.toMatchObject({ code: 'not_confirmed' });
    const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
    await hear(
      link,
      'webhook',
      at.has(link, { ...declined, merchantOrderId: link.merchantOrderId }),
    );
    expect(await at.state()).toBe('failed');
    expect((await again()).redirectUrl).not.toContain(link.session);
  });
});
