import { beforeEach, describe, expect, it } from 'vitest';
import { sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { expectProblem, type Shop } from '../../../test-support/shop.ts';

const TAKEN = { statusCode: 400, message: 'merchantOrderId must be unique', error: 'Bad Request' };

let shop: Shop;
/** What the gateway answers for a name that another store has used. */
let answer: readonly [status: number, body: unknown];
/** How many of an order's first names are taken. */
let taken: number;

beforeEach(async () => {
  answer = [400, TAKEN];
  shop = await startShop();
  shop.gateway.script = (request, response) => {
    const { merchantOrderId } = (request.body ?? {}) as { merchantOrderId?: string };
    const number = Number(merchantOrderId?.split('~')[1]);
    if (number <= taken) sendJson(response, ...answer);
    else shop.gateway.answerUsually(request, response);
  };
});

const names = (): readonly unknown[] =>
  shop.gateway.creates.map(({ body }) => (body as { merchantOrderId: string }).merchantOrderId);

describe('an order whose names another store has used at the gateway', () => {
  it.each([
    ['in envelope B', 400, TAKEN],
    ['as one of several messages', 400, { ...TAKEN, message: ['merchantOrderId must be unique'] }],
    [
      'in envelope A',
      422,
      { code: 422, message: 'merchant_order_id already exists', errorCode: '422', data: null },
    ],
    ['as a conflict', 409, { ...TAKEN, statusCode: 409, message: 'Duplicate merchantOrderId' }],
    [
      'inside HTTP 200',
      200,
      { code: 400, message: 'merchantOrderId must be unique', errorCode: '400', data: null },
    ],
  ])('gets its link by the first click, told %s', async (_how, status, body) => {
    [taken, answer] = [2, [status, body]];
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    expect(names()).toEqual(['1001~1', '1001~2', '1001~3']);
  });

  it('has each name in its history as an attempt without a link, and a warning for each', async () => {
    taken = 2;
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
    taken = 15;
    expectProblem(await shop.checkout({ orderId: '1001' }), 502, 'gateway_rejected');
    expect(names()).toHaveLength(10);
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    expect(names().at(-1)).toBe('1001~16');
  });

  it('takes no more names than an order has attempts', async () => {
    taken = 100;
    await shop.checkout({ orderId: '1001' });
    await shop.checkout({ orderId: '1001' });
    expectProblem(await shop.checkout({ orderId: '1001' }), 429, 'too_many_attempts');
    expect(names()).toHaveLength(20);
  });

  it('gets one link by ten clicks at once', async () => {
    taken = 3;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => shop.checkout({ orderId: '1001' })),
    );
    expect(new Set(replies.map(({ json }) => json['redirectUrl'])).size).toBe(1);
    expect(names()).toHaveLength(4);
  });
});

it('before each further name an order that was paid meanwhile is not asked for money again', async () => {
  taken = 0;
  const { session } = await shop.open();
  shop.reprice('99.00');
  taken = 3;
  const usual = shop.gateway.script;
  shop.gateway.script = (request, response) => {
    const { merchantOrderId } = (request.body ?? {}) as { merchantOrderId?: string };
    if (merchantOrderId !== '1001~2') return usual?.(request, response);
    // The shopper pays the first link while the gateway refuses the second one's name.
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    return shop.payments.confirm('1001').then(() => sendJson(response, ...answer));
  };
  shop.later();
  const reply = await shop.checkout({ orderId: '1001' });
  expectProblem(reply, 409, 'in_review'); // Paid, at a price that is not the order's any more.
  expect(names()).toEqual(['1001~1', '1001~2']);
});

it('another refusal of the gateway takes one attempt, as before', async () => {
  [taken, answer] = [1, [400, { ...TAKEN, message: 'amount must be positive' }]];
  expectProblem(await shop.checkout({ orderId: '1001' }), 502, 'gateway_rejected');
  expect(names()).toEqual(['1001~1']);
});
