import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { TransactionShop, type OpenLink } from '../../../test-support/transaction-gateway.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };

let at: TransactionShop;
afterEach(() => at.shop.close());

it('finds a payment by its transaction where the session is known and shows no row', async () => {
  at = await TransactionShop.start({ asksFor: 'either' });
  const link = await at.shop.open();
  const id = at.has(link, { merchantOrderId: link.merchantOrderId });
  at.shop.gateway.rows.set(link.session, []);
  await at.webhook(link.merchantOrderId, id);
  await at.later();
  expect(await at.state()).toBe('paid');
});

it('keeps a transaction that is named while the last check is under way', async () => {
  at = await TransactionShop.start({ asksFor: 'transaction' });
  const link = await at.shop.open();
  await at.webhook(link.merchantOrderId, randomUUID());
  await at.later(9 * DAY_MS, 18);
  const { gateway } = at.shop;
  const usual = gateway.script;
  let paid: string | undefined;
  gateway.script = async (request, response) => {
    if (paid === undefined) {
      paid = at.has(link, { merchantOrderId: link.merchantOrderId });
      await at.webhook(link.merchantOrderId, paid);
    }
    return usual?.(request, response);
  };
  await at.later(2 * DAY_MS, 8);
  expect(await at.state()).toBe('paid_late');
});

describe('money in a row without a name, which a webhook alone brought,', () => {
  async function declinedOnce(): Promise<OpenLink> {
    at = await TransactionShop.start({ asksFor: 'transaction', orderName: null });
    const link = await at.shop.open();
    await at.comesBack(link, `?trans_id=${at.has(link, declined)}`);
    await at.later();
    return link;
  }

  it('is for a person where it is the amount of an earlier link', async () => {
    const first = await declinedOnce();
    at.shop.reprice('99.50');
    const second = await at.shop.open();
    expect(second.session).not.toBe(first.session);
    await at.webhook(first.merchantOrderId, at.has(first));
    await at.later(HOUR_MS, 12);
    expect(await at.reviews()).toEqual([['1001', 'unattributed_payment']]);
  });

  it('allows no second link while it waits for its shopper', async () => {
    const first = await declinedOnce();
    await at.webhook(first.merchantOrderId, at.has(first));
    await at.later();
    at.shop.reprice('99.50');
    await expect(at.shop.payments.ensureLink('1001')).rejects.toMatchObject({
      code: 'not_confirmed',
    });
  });
});
