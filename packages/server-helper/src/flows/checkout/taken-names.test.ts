import { beforeEach, describe, expect, it } from 'vitest';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { expectProblem, type Shop, type ShopOptions } from '../../../test-support/shop.ts';
import { sendWebhook, signed } from '../../../test-support/transaction-gateway.ts';

const TAKEN = { statusCode: 400, message: 'merchantOrderId must be unique', error: 'Bad Request' };

/** The gateway has so many of its orders' first names from elsewhere. @param answer - for those. */
function take({ gateway }: Shop, names: number, answer: [number, unknown] = [400, TAKEN]): void {
  gateway.script = (request, response) => {
    const { merchantOrderId, orderId } = (request.body ?? {}) as Record<string, string>;
    const number = Number((merchantOrderId ?? orderId)?.split('~')[1]);
    if (number <= names) sendJson(response, ...answer);
    else gateway.answerUsually(request, response);
  };
}

const names = ({ gateway }: Shop): readonly unknown[] =>
  gateway.creates.map(({ body }) => (body as { merchantOrderId: string }).merchantOrderId);

describe('an order whose names another store has used at the gateway', () => {
  let shop: Shop;
  beforeEach(async () => void (shop = await startShop()));

  const inEnvelopeA = (code: number, message: string) =>
    ({ code, message, errorCode: String(code), data: null }) as const;

  it.each([
    ['in envelope B', 400, TAKEN],
    ['as one of several messages', 400, { ...TAKEN, message: ['merchantOrderId must be unique'] }],
    ['in envelope A', 422, inEnvelopeA(422, 'merchant_order_id already exists')],
    ['as a conflict', 409, { ...TAKEN, statusCode: 409, message: 'Duplicate merchantOrderId' }],
    ['inside HTTP 200', 200, inEnvelopeA(400, 'merchantOrderId must be unique')],
  ])('gets its link by the first click, told %s', async (_how, status, body) => {
    take(shop, 2, [status, body]);
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    expect(names(shop)).toEqual(['1001~1', '1001~2', '1001~3']);
  });

  it('has each name in its history as an attempt without a link, and a warning for each', async () => {
    take(shop, 2);
    await shop.open();
    const explained = await shop.payments.explain('1001');
    expect(explained?.attempts.map(({ number, state }) => [number, state])).toEqual([
      [1, 'closed'],
      [2, 'closed'],
      [3, 'open'],
    ]);
    const warnings = shop.logged.filter((line) => line.includes('"order_name_taken"'));
    const own = warnings.filter((line) => line.includes('docs/errors.md#order_name_taken'));
    expect(own.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { code: 'order_name_taken', orderId: '1001', attempt: 1 },
      { code: 'order_name_taken', orderId: '1001', attempt: 2 },
    ]);
  });

  it('tries ten names a click, and says the code when all are taken', async () => {
    take(shop, 15);
    expectProblem(await shop.checkout({ orderId: '1001' }), 502, 'gateway_rejected');
    expect(names(shop)).toHaveLength(10);
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    expect(names(shop).at(-1)).toBe('1001~16');
  });

  it('takes no more names than an order has attempts', async () => {
    take(shop, 100);
    await shop.checkout({ orderId: '1001' });
    await shop.checkout({ orderId: '1001' });
    expectProblem(await shop.checkout({ orderId: '1001' }), 429, 'too_many_attempts');
    expect(names(shop)).toHaveLength(20);
  });

  it('gets one link by ten clicks at once', async () => {
    take(shop, 3);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => shop.checkout({ orderId: '1001' })),
    );
    expect(new Set(replies.map(({ json }) => json['redirectUrl'])).size).toBe(1);
    expect(names(shop)).toHaveLength(4);
  });
});

it('before each further name an order that was paid meanwhile is not asked for money again', async () => {
  const shop = await startShop();
  const { session } = await shop.open();
  shop.reprice('99.00');
  take(shop, 3);
  const usual = shop.gateway.script;
  shop.gateway.script = (request, response) => {
    const { merchantOrderId } = (request.body ?? {}) as { merchantOrderId?: string };
    if (merchantOrderId !== '1001~2') return usual?.(request, response);
    // The shopper pays the first link while the gateway refuses the second one's name.
    shop.shows(session, {});
    shop.later();
    return shop.payments.confirm('1001').then(() => sendJson(response, 400, TAKEN));
  };
  shop.later();
  const reply = await shop.checkout({ orderId: '1001' });
  expectProblem(reply, 409, 'in_review'); // Paid, at a price that is not the order's any more.
  expect(names(shop)).toEqual(['1001~1', '1001~2']);
});

it('another refusal of the gateway takes one attempt, as before', async () => {
  const shop = await startShop();
  take(shop, 1, [400, { ...TAKEN, message: 'amount must be positive' }]);
  expectProblem(await shop.checkout({ orderId: '1001' }), 502, 'gateway_rejected');
  expect(names(shop)).toEqual(['1001~1']);
});

/** A shop whose database was restored from before its newest links, which its gateway still has. */
async function restored(taken: number, options: ShopOptions = {}): Promise<Shop> {
  const shop = await startShop({ isProduction: true, ...options });
  take(shop, taken);
  return shop;
}

/** The path by which a shopper comes back from the n-th link that the lost database had. */
async function lostReturn(links = 1): Promise<string> {
  const before = await startShop();
  let path = '';
  for (let link = 0; link < links; link += 1) {
    before.reprice(`${link + 1}.00`);
    before.later();
    path = (await before.open()).success;
  }
  return path;
}

const webhook = (shop: Shop, merchantOrderId: string) => sendWebhook(shop, { merchantOrderId });
const reviews = async (shop: Shop) =>
  (await shop.payments.review.list()).map((item) => (item.kind === 'payment' ? item.id : item));
const lines = (shop: Shop) =>
  shop.logged.filter((line) => line.includes('errors.md#order_name_taken'));
const resolve = (shop: Shop, id: string) => shop.payments.review.resolve(id, 'nothing was paid');

it('a name that is taken is for a person before the order gets a second link', async () => {
  const shop = await restored(1);
  for (let clicks = 0; clicks < 3; clicks += 1) {
    expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'in_review');
  }
  expect(shop.gateway.creates).toHaveLength(1);
  expect(await reviews(shop)).toEqual(['1001/no_evidence/1001~1']);
  expect(await shop.findings()).toEqual(['unproven_payments']);
  expect(lines(shop)).toHaveLength(1);
  await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({ code: 'in_review' });
  await resolve(shop, '1001/no_evidence/1001~1');
  expect((await shop.open()).merchantOrderId).toBe('1001~2');
  expect(await shop.findings()).toEqual([]);
});

it('a name that is taken is for a person although the store fails for a moment', async () => {
  let failures = 0;
  const onStoreCall = (name: string, [change]: readonly unknown[]): void => {
    const isLost = name === 'save' && JSON.stringify(change).includes('"reviews":[{');
    if (isLost && (failures += 1) <= 3) throw new Error('no server leads');
  };
  const shop = await restored(1, { onStoreCall });
  expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'in_review');
  expect(failures).toBe(4);
});

it.each(['merchantOrderId must be unique', 'order.number: already exists'])(
  'a recurring charge whose name is taken is for a person: "%s"',
  async (message) => {
    const shop = await startShop();
    const { session } = await shop.open();
    shop.shows(session, { recurringToken: 'rt_8Zk3vYpQ0uT1' });
    await shop.payments.confirm('1001');
    shop.gateway.answerAt('/recurring', (_q, to) => sendJson(to, 400, { ...TAKEN, message }));
    const charge = { amount: '10.00', periodKey: '2026-11' };
    expect(await shop.payments.chargeRecurring('1001', charge)).toMatchObject({ state: 'unknown' });
    expect(await reviews(shop)).toEqual(['1001/unknown_outcome/period/1001/2026-11']);
  },
);

it('a name that is taken stops a sale for a person too', async () => {
  const shop = await restored(1);
  const sell = (requestId: string) =>
    shop.payments.sale('1001', { auth: 'capture', card: aCard, requestId });
  expect(await sell('s-1')).toMatchObject({ state: 'failed' });
  await expect(sell('s-2')).rejects.toMatchObject({ code: 'in_review' });
  expect(await reviews(shop)).toEqual(['1001/no_evidence/1001~1']);
});

it.each(['success', 'failure'])('a return by the %s address of a lost link is', async (which) => {
  const shop = await restored(0);
  const path = (await lostReturn()).replace('success', which);
  for (let visits = 0; visits < 2; visits += 1) {
    expect((await shop.send(path)).headers.location).toBe('https://shop.example/wait/1001');
  }
  expect(await reviews(shop)).toEqual(['1001/no_evidence/1001~1']);
  expect(lines(shop)).toHaveLength(1);
  expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'in_review');
  expect(shop.gateway.creates).toHaveLength(0);
  await resolve(shop, '1001/no_evidence/1001~1');
  expect((await shop.open()).merchantOrderId).toBe('1001~2');
});

it('a return from a later link than the record has is', async () => {
  const path = await lostReturn(2);
  const shop = await restored(0);
  const { session } = await shop.open();
  await shop.send(path);
  expect(await reviews(shop)).toEqual(['1001/no_evidence/1001~2']);
  shop.reprice('99.50');
  shop.later();
  expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'in_review');
  shop.shows(session, {});
  await shop.payments.confirm('1001');
  expect(await reviews(shop)).toContain('1001/no_evidence/1001~2');
});

it('a signed webhook about a lost link is, once', async () => {
  const shop = await restored(0, signed);
  for (let times = 0; times < 2; times += 1) await webhook(shop, '1001~1');
  expect(await reviews(shop)).toEqual(['1001/no_evidence/1001~1']);
  expect(lines(shop)).toHaveLength(1);
  await shop.payments.cancel('1001');
  await webhook(shop, '1001~1');
  expect(lines(shop)).toHaveLength(1);
});

describe.each<[what: string, before: (shop: Shop) => Promise<unknown>]>([
  [
    'that a person resolved',
    async (shop) => {
      await webhook(shop, '1001~1');
      await resolve(shop, '1001/no_evidence/1001~1');
    },
  ],
  [
    'whose attempt the backup has without its session',
    async (shop) => {
      shop.gateway.answer({ '/intiate': 'hang up' });
      expect((await shop.checkout({ orderId: '1001' })).status).not.toBe(201);
    },
  ],
])('a lost link %s', (_what, before) => {
  it.each(['webhook', 'return'])('is for a person at a later signed %s', async (hint) => {
    const path = await lostReturn();
    const shop = await restored(0, signed);
    await before(shop);
    shop.gateway.script = undefined;
    shop.later(60_000);
    // The shopper's page is still open, and is paid now.
    await (hint === 'webhook' ? webhook(shop, '1001~1') : shop.send(path));
    expect(await reviews(shop)).toEqual(['1001/no_evidence/1001~1']);
    shop.later();
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(409);
  });
});

it('an order that the shop has lost as well is said in health and the log', async () => {
  const shop = await restored(0, signed);
  await webhook(shop, '1009~1');
  expect(await shop.payments.retrieve('1009')).toBeNull();
  expect(await shop.findings()).toEqual(['unproven_payments']);
  expect(lines(shop)).toHaveLength(1);
  shop.later(25 * 3_600_000);
  expect(await shop.findings()).not.toContain('unproven_payments');
});

it('a webhook that anyone may have sent stops no order: it makes a line a minute', async () => {
  const shop = await restored(0);
  for (let number = 1; number < 9; number += 1) await webhook(shop, `1001~${number}`);
  expect(await shop.findings()).toEqual([]);
  expect(lines(shop)).toHaveLength(1);
  expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
});

it('outside production a lost link is a line in the log', async () => {
  const shop = await restored(0, { isProduction: false, ...signed });
  await shop.send(await lostReturn());
  await webhook(shop, '1001~1');
  expect(lines(shop)).toHaveLength(2);
  expect([await reviews(shop), await shop.findings()]).toEqual([[], []]);
  expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
});
