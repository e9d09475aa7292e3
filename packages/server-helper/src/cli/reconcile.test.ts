import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CliShop } from '../../test-support/cli-shop.ts';
import { aCard } from '../../test-support/operation-inputs.ts';
import { inA, sendJson, statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import { TransactionShop } from '../../test-support/transaction-gateway.ts';
import { createGatewayClient } from '../index.ts';
import { memoryStore } from '../testing.ts';
import { differencesIn, newTally } from './reconcile.ts';
import { contextOf } from './shop.ts';

let shop: CliShop;
beforeEach(async () => void (shop = await CliShop.start()));

const aFailure = statusRow({ transactionId: randomUUID(), transactionStatus: 'FAILED' });
const reconcile = (...args: readonly string[]) =>
  shop.runInside('reconcile', '--rate', '20', ...args);
const state = async () => (await shop.payments.retrieve('1001'))?.state;

/** The gateway knows an order as paid that is pending to the shop. */
const fallBehind = async (): Promise<void> =>
  void shop.gateway.rows.set(await shop.open('1001'), [statusRow()]);

describe('reconcile', () => {
  it('hands what differs to the shop, which records it with its own code', async () => {
    await fallBehind();
    await shop.open('1002');
    const { code, out } = await shop.run('reconcile', '--rate', '20');
    expect(code).toBe(1);
    expect(out).toContain("≠ 1001  attempt 1  we say pending, the gateway's word means paid");
    expect(out).toContain('2 orders, 2 sessions asked about: 1 different');
    expect(await state()).toBe('pending');
    await shop.payments.tick();
    expect(await state()).toBe('paid');
    const after = await reconcile('--json');
    const found = { orders: 2, sessions: 2, differences: 0, silent: 0 };
    expect([after.code, after.json]).toMatchObject([0, found]);
  });

  it('leaves no hint when it is a dry run', async () => {
    await fallBehind();
    const { code, json } = await reconcile('--order', '1001', '--dry-run', '--json');
    const found = [{ orderId: '1001', from: 'pending', to: 'paid' }];
    expect([code, json]).toMatchObject([1, { hinted: 0, found }]);
    await shop.payments.tick();
    expect(await state()).toBe('pending');
  });

  it('says that a named order has no payment, and ends with 1', async () => {
    await fallBehind();
    const { code, err } = await reconcile('--order', '1002');
    expect([code, err]).toEqual([1, expect.stringContaining('The order 1002 has no payment')]);
  });

  it('stops early when the gateway gives no answers, and calls nothing the same', async () => {
    for (let order = 1; order <= 7; order += 1) await shop.open(`100${order}`);
    shop.gateway.answer({ '': [401, { statusCode: 401, message: 'Invalid API key', error: 'x' }] });
    const { code, json } = await reconcile('--json');
    const tally = { isCut: true, sessions: 5, silent: 5, differences: 0 };
    expect([code, json]).toMatchObject([1, tally]);
  });

  it('goes on after any number of answers that cannot be used, and lists each', async () => {
    for (let order = 1; order <= 6; order += 1) await shop.open(`100${order}`);
    shop.gateway.rows.set(await shop.open('1007'), [statusRow()]);
    const unusable = [
      { ...statusAnswer([]), data: { content: [], totalElements: 1 } },
      { ...statusAnswer([]), data: { content: [null, aFailure] } },
      'no object',
    ];
    shop.gateway.script = (request, response) => {
      if (shop.gateway.rows.has(request.query.get('id') ?? '')) {
        return shop.gateway.answerUsually(request, response);
      }
      unusable.push(unusable.shift() ?? '');
      sendJson(response, 200, unusable[0]);
    };
    const { code, json } = await reconcile('--json');
    const tally = { sessions: 7, unreadable: 6, silent: 0, differences: 1, isCut: false };
    expect([code, json]).toMatchObject([1, tally]);
    const found = json['found'] as readonly { readonly code?: string }[];
    const codes = new Set(found.map((one) => one.code));
    expect(codes).toEqual(new Set(['partial_answer', 'unreadable_answer', undefined]));
    const { out } = await reconcile();
    expect(out).toContain("? 1001  attempt 1  the gateway's answer cannot be used");
    expect(out).toContain('1 different, 0 without an answer, 6 with an unusable answer');
  });

  it('finds money in a row beside one that is unreadable', async () => {
    await shop.open('1001');
    const data = { content: [null, statusRow()] };
    shop.gateway.answer({ '/status': [200, { ...statusAnswer([]), data }] });
    const { code, json } = await reconcile('--json');
    const found = [{ orderId: '1001', from: 'pending', to: 'paid' }];
    expect([code, json]).toMatchObject([1, { differences: 1, silent: 0, hinted: 1, found }]);
  });
});

it('reconcile leaves to the shop what a process left half-way, since the shop’s code must hear of it', async () => {
  const session = await shop.open('1001');
  shop.gateway.rows.set(session, [statusRow()]);
  await shop.payments.confirm('1001');
  shop.gateway.takeRefunds();
  await shop.payments.refund('1001', { amount: '20.00', requestId: 'r-1' });
  const left = `json_set(record, '$.operations[0].state', 'sending', '$.operations[0].sentAt', 1)`;
  shop.query(`UPDATE pay_orders SET record = ${left}`);
  shop.gateway.rows.set(session, [statusRow({ totalRefundAmount: '2.00' })]);
  const { code, json } = await reconcile('--json');
  expect([code, json]).toMatchObject([1, { differences: 1, hinted: 0, found: [{ to: 'paid' }] }]);
  expect(await shop.payments.review.list()).toEqual([]);
});

const notFound = { code: 404, message: 'no such session', errorCode: '404', data: null };
const unconfirmed = statusAnswer([statusRow({ paymentStatus: 'PENDING' })]);
it.each<[string, number, unknown, string]>([
  ['does not know the session', 404, notFound, 'session_unknown'],
  ['does not name the transaction', 200, statusAnswer([]), 'transaction_missing'],
  ['does not confirm the transaction', 200, unconfirmed, 'transaction_unconfirmed'],
])('reconcile says of a paid order: the gateway %s', async (words, status, body, discrepancy) => {
  await shop.receive();
  await shop.open('1002');
  shop.gateway.answer({ '/status': [status, body] });
  const { code, json } = await reconcile('--json');
  const found = [{ orderId: '1001', attempt: 1, from: 'paid', discrepancy }];
  const tally = { orders: 2, sessions: 2, differences: 1, silent: 0, hinted: 0, unreadable: 0 };
  expect([code, json]).toMatchObject([1, { ...tally, found }]);
  expect((await reconcile()).out).toContain(`≠ 1001  attempt 1  we say paid, the gateway ${words}`);
});

it('reconcile finds nothing wrong with a charge that no status names, nor with a hold that none shows', async () => {
  shop.gateway.rows.set(await shop.open('1001'), [statusRow({ recurringToken: 'token' })]);
  await shop.payments.confirm('1001');
  const transactionId = randomUUID();
  const made = { result: 'SUCCESS', status: 'SUCCESS', payment_id: '7' };
  shop.gateway.answer({
    '/recurring': [200, inA(made)],
    '/sale': [200, inA({ ...made, transactionId })],
  });
  await shop.payments.chargeRecurring('1001', { amount: '5.00', periodKey: '2026-11' });
  await shop.payments.sale('1002', { auth: 'authorize', card: aCard, requestId: 's-1' });
  expect(await shop.payments.retrieve('1002')).toMatchObject({ state: 'authorized' });
  shop.gateway.rows.set(transactionId, []);
  const { code, json } = await reconcile('--json');
  expect([code, json]).toMatchObject([0, { orders: 2, sessions: 2, found: [] }]);
});

it('reconcile compares transactions that hints named too, by the clock of the database', async () => {
  const store = memoryStore();
  const readings = { asksFor: 'transaction', notFound: 'unknown' } as const;
  const at = await TransactionShop.start({ asksFor: 'transaction' }, { payments: { store } });
  const { baseUrl } = at.shop.gateway;
  const gateway = createGatewayClient({ environment: 'staging', baseUrl, apiKey: 'key' });
  onTestFinished(() => gateway.close());
  // The database's clock, by which the shop goes, is ahead of this machine's.
  const aheadMs = 5 * 3_600_000;
  Object.assign(store.health, { clockOffsetMs: async () => aheadMs });
  at.shop.later(aheadMs);
  const link = await at.shop.open();
  const id = randomUUID();
  await at.webhook(link.merchantOrderId, id);
  await at.later();
  at.has(link, { merchantOrderId: link.merchantOrderId }, id);
  const scope = { since: 0, order: '1001', pauseMs: 0, leavesHints: true, readings };
  const tally = newTally();
  const found: unknown[] = [];
  const context = await contextOf(store, 'staging/default');
  for await (const one of differencesIn({ context, gateway }, scope, tally)) found.push(one);
  expect(tally).toMatchObject({ differences: 1 });
  expect(found).toMatchObject([{ from: 'pending', to: 'paid', isHinted: true }]);
  expect((await store.load('1001'))?.attempts[0]?.hintedAt).toBeGreaterThan(Date.now());
  await at.later();
  expect(await at.state()).toBe('paid');
});
