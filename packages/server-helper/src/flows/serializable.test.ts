import { beforeAll, expect, it } from 'vitest';
import { twoShops } from '../../test-support/two-shops.ts';
import type { Payments } from '../index.ts';

const ORDERS = 30;
const orderIds = Array.from({ length: ORDERS }, (_, index) => `order-${index + 1}`);
const shipped: string[] = [];

/** An account whose transactions are serializable, as a role or a database may set it. */
const processes = twoShops(
  {
    inTransaction: async (tx, event) => {
      await tx.query('INSERT INTO shipped (order_id) VALUES ($1)', [event.orderId]);
    },
    on: { paid: ({ orderId }) => void shipped.push(orderId) },
  },
  '-c default_transaction_isolation=serializable',
);

beforeAll(async () => {
  await processes().pools[0].query('CREATE TABLE shipped (order_id text PRIMARY KEY)');
});

/** Makes the order's link at both processes, and lets the shopper pay it. */
async function pay(orderId: string, index: number): Promise<void> {
  const links = await Promise.all(processes().shops.map((shop) => shop.ensureLink(orderId)));
  const [one = '', ...others] = links.map(({ redirectUrl }) => redirectUrl);
  expect(others).toEqual([one]);
  processes().pay(one, index + 1);
}

const webhook = (shop: Payments, orderId: string): Promise<Response> =>
  shop.handle(
    new Request('https://shop.example/pay/webhook', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ merchantOrderId: `${orderId}~1` }),
    }),
  );

it('pays 30 orders at the same time where transactions are serializable', async () => {
  const { later, pools, shops } = processes();
  await Promise.all(orderIds.map(pay));
  later();
  const told = shops.flatMap((shop) => orderIds.map((orderId) => webhook(shop, orderId)));
  const asked = shops.flatMap((shop) => orderIds.map((orderId) => shop.confirm(orderId)));
  const answers = await Promise.all(told);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await Promise.all(asked);
  later();
  for (let round = 0; round < 20 && shipped.length < ORDERS; round += 1) {
    await Promise.all(shops.map((shop) => shop.tick()));
  }
  const states = await Promise.all(
    orderIds.map(async (orderId) => (await shops[0].retrieve(orderId))?.state),
  );
  expect(states.filter((state) => state !== 'paid')).toEqual([]);
  expect(shipped.toSorted()).toEqual(orderIds.toSorted());
  const { rows } = await pools[0].query('SELECT count(*)::integer AS count FROM shipped');
  expect(rows).toEqual([{ count: ORDERS }]);
}, 120_000);
