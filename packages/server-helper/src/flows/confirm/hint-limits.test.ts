import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import { TransactionShop, type OpenLink } from '../../../test-support/transaction-gateway.ts';

const DAY_MS = 24 * 3_600_000;
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };

let at: TransactionShop;
afterEach(() => at.shop.close());

const named = ({ merchantOrderId }: OpenLink) => ({ merchantOrderId });

it('a named transaction that found no room between forged ones is for a person', async () => {
  at = await TransactionShop.start({ asksFor: 'transaction' });
  const link = await at.shop.open();
  // Asked about at once; the others wait for the gap.
  await at.webhook(link.merchantOrderId, randomUUID());
  for (let forged = 0; forged < 5; forged += 1) {
    await at.webhook(link.merchantOrderId, randomUUID());
  }
  await at.webhook(link.merchantOrderId, at.has(link, named(link)));
  await at.later(11 * DAY_MS, 22);
  expect(await at.reviews()).toEqual([['1001', 'no_evidence']]);
});

it('a question that got no answer is open still, however many others were answered', async () => {
  at = await TransactionShop.start({ asksFor: 'transaction' });
  const link = await at.shop.open();
  const paid = at.has(link, named(link));
  const { gateway } = at.shop;
  const usual = gateway.script;
  gateway.script = (request, response) => {
    if (request.query.get('id') !== paid) return usual?.(request, response);
    return sendJson(response, 503, {});
  };
  const ids = [paid, at.has(link, { ...declined, ...named(link) }), randomUUID(), randomUUID()];
  // The first is asked about at once, and the others wait for the gap.
  for (const id of ids) await at.webhook(link.merchantOrderId, id);
  at.shop.reprice('99.50');
  await expect(at.shop.payments.ensureLink('1001')).rejects.toMatchObject({
    code: 'not_confirmed',
  });
  gateway.script = usual;
  at.shop.reprice('115.00');
  await at.later(60_000, 6);
  expect(await at.state()).toBe('paid');
});

it('a transaction that the gateway never answers about is for a person, beside one that it knows', async () => {
  at = await TransactionShop.start({ asksFor: 'transaction' });
  const link = await at.shop.open();
  const ids = [at.has(link, named(link)), at.has(link, { ...declined, ...named(link) })];
  const { gateway } = at.shop;
  const usual = gateway.script;
  gateway.script = (request, response) => {
    if (request.query.get('id') !== ids[0]) return usual?.(request, response);
    return sendJson(response, 500, {});
  };
  for (const id of ids) await at.webhook(link.merchantOrderId, id);
  await at.later(11 * DAY_MS, 22);
  expect(await at.reviews()).toEqual([['1001', 'no_evidence']]);
});

it('an order that a person has does not expire when the gateway is asked once more', async () => {
  at = await TransactionShop.start({ asksFor: 'transaction' });
  await at.comesBack(await at.shop.open());
  await at.later(11 * DAY_MS, 22);
  await at.shop.payments.confirm('1001');
  expect(await at.reviews()).toEqual([['1001', 'no_evidence']]);
  expect(await at.state()).toBe('pending');
});

it('a transaction that was pending is asked about again before a second link', async () => {
  at = await TransactionShop.start({ asksFor: 'transaction' });
  const link = await at.shop.open();
  const failed = { ...declined, ...named(link) };
  // The first is asked about at once, and the others wait for the gap.
  for (let tries = 0; tries < 3; tries += 1) {
    await at.webhook(link.merchantOrderId, at.has(link, failed));
  }
  const waiting = { transactionStatus: 'PENDING', paymentStatus: 'PENDING' };
  const id = at.has(link, { ...waiting, ...named(link) });
  await at.webhook(link.merchantOrderId, id);
  await at.later();
  expect(new Set(at.questions).size).toBe(4);
  at.has(link, named(link), id);
  at.shop.reprice('99.50');
  await expect(at.shop.payments.ensureLink('1001')).rejects.toMatchObject({
    code: 'not_confirmed',
  });
  at.shop.reprice('115.00');
  await at.later(60_000, 6);
  expect(await at.state()).toBe('paid');
});

it('the order’s own sessions in its returns keep out no transaction', async () => {
  at = await TransactionShop.start({ asksFor: 'either' });
  for (const amount of ['1.00', '2.00', '3.00', '4.00']) {
    at.shop.reprice(amount);
    const link = await at.shop.open();
    at.shop.gateway.rows.set(link.session, []);
    await at.shop.send(`${link.failure}?id=${link.session}`);
    await at.later(60_000);
  }
  at.shop.reprice('115.00');
  const link = await at.shop.open();
  const id = at.has(link, named(link));
  at.shop.gateway.rows.set(link.session, []);
  await at.comesBack(link, `?trans_id=${id}`);
  await at.later();
  expect(await at.state()).toBe('paid');
});

it('a return pays the link that was open when it came, with a sale beside it', async () => {
  at = await TransactionShop.start({ asksFor: 'transaction', orderName: null });
  const { gateway, payments } = at.shop;
  const usual = gateway.script;
  gateway.script = (request, response) => {
    if (!request.path.endsWith('/sale')) return usual?.(request, response);
    const data = { result: 'DECLINED', decline_reason: 'no' };
    return sendJson(response, 200, { code: 200, message: 'Success', errorCode: null, data });
  };
  const link = await at.shop.open();
  await at.comesBack(link, `?trans_id=${at.has(link, declined)}`);
  await at.later();
  const sale = { auth: 'capture', card: aCard, requestId: 's-1' } as const;
  expect(await payments.sale('1001', sale)).toMatchObject({ result: 'declined' });
  await at.comesBack(link, `?trans_id=${at.has(link)}`);
  await at.later();
  expect(await at.state()).toBe('paid');
});
