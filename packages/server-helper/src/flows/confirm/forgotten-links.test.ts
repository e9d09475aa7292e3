import { expect, it, onTestFinished } from 'vitest';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { expectProblem, type ShopOptions } from '../../../test-support/shop.ts';
import { TransactionShop, type OpenLink } from '../../../test-support/transaction-gateway.ts';
import { memoryStore } from '../../testing.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const inReview = [['1001', 'no_evidence']];
const declined = statusRow({ transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });

/** A shop at a gateway that knows the sessions of its rows alone. */
async function start(options: ShopOptions = {}, notFound: 'unknown' | 'not-yet' = 'unknown') {
  const at = await TransactionShop.start({ asksFor: 'session', notFound }, options);
  onTestFinished(() => at.shop.close());
  return at;
}

/** A shop that was started again with other keys, and a link from before, which only `old-key` opens. */
async function keysChanged(apiKey: readonly string[], notFound?: 'not-yet') {
  const payments = { store: memoryStore(), limits: false } as const;
  const before = await start({ apiKey: 'old-key', payments }, notFound);
  const link = await before.shop.open();
  before.addOrder();
  await before.shop.open('1002');
  await before.shop.close();
  const at = await start({ apiKey, payments }, notFound);
  at.addOrder();
  const former = new Map<string, readonly unknown[]>();
  // The other account makes other sessions.
  for (let made = 0; made < 2; made += 1) {
    await fetch(`${at.shop.gateway.baseUrl}/payment/checkout/intiate`);
  }
  const usual = at.shop.gateway.script;
  at.shop.gateway.script = (request, response) => {
    const rows = former.get(request.query.get('id') ?? '');
    const isOld = request.headers['x-api-key'] === 'old-key';
    return isOld && rows ? sendJson(response, 200, statusAnswer(rows)) : usual?.(request, response);
  };
  return { at, link, former };
}

/** No second link while the gateway does not speak of the first, and none once its watch is over. */
async function expectNoSecondLink(at: TransactionShop): Promise<void> {
  const before = at.shop.gateway.creates.length;
  at.shop.reprice('99.50');
  at.shop.later();
  expectProblem(await at.shop.checkout({ orderId: '1001' }), 502, 'gateway_unreachable');
  await at.later(11 * DAY_MS, 22);
  expect(await at.state()).toBe('pending');
  expectProblem(await at.shop.checkout({ orderId: '1001' }), 409, 'in_review');
  await at.shop.payments.confirm('1001');
  expectProblem(await at.shop.checkout({ orderId: '1001' }), 409, 'in_review');
  expect(at.shop.gateway.creates).toHaveLength(before);
}

it.each([undefined, 'not-yet'] as const)(
  'a link of a key that the shop has no more is for a person (notFound: %s)',
  async (notFound) => {
    const { at } = await keysChanged(['new-key'], notFound);
    await at.later(2 * HOUR_MS, 4);
    expect(new Set((await at.reviews()).flat())).toEqual(new Set(['1001', '1002', 'no_evidence']));
    await expectNoSecondLink(at);
  },
);

it('a link of a former account is found paid by the former key', async () => {
  const { at, link, former } = await keysChanged(['new-key', 'old-key']);
  former.set(link.session, [statusRow()]);
  await at.later(2 * HOUR_MS, 4);
  expect(await at.state()).toBe('paid');
  at.addOrder('1003');
  await at.shop.open('1003');
  expect(at.shop.gateway.creates.at(-1)?.headers['x-api-key']).toBe('new-key');
  // None of the keys knows the other one, as ever.
  await at.later(11 * DAY_MS, 22);
  expect(await at.state('1002')).toBe('expired');
  expect(await at.reviews()).toEqual([]);
});

it('a new key of the same account ends no link: it knows another one from before', async () => {
  const { at, link } = await keysChanged(['new-key'], 'not-yet');
  at.shop.gateway.rows.set(link.session, [declined]);
  await at.shop.payments.confirm('1001');
  await at.later(3 * DAY_MS, 12);
  expect(await at.state('1002')).toBe('expired');
  expect(await at.reviews()).toEqual([]);
});

/** A shop whose gateway knew a link, and forgets it. */
async function forgotten(rows: readonly unknown[], knownForMs = MINUTE_MS) {
  const at = await start();
  const link = await at.shop.open();
  at.shop.gateway.rows.set(link.session, rows);
  await at.later(knownForMs, 4);
  at.shop.gateway.rows.delete(link.session);
  return { at, link };
}

it('a link that the gateway knew and then forgot is for a person', async () => {
  const { at } = await forgotten([]);
  await at.later(2 * HOUR_MS, 4);
  expect(await at.reviews()).toEqual(inReview);
  await expectNoSecondLink(at);
});

it('a link with a declined card and a success return behind a 404 is for a person', async () => {
  const { at, link } = await forgotten([declined]);
  at.shop.later();
  await at.comesBack(link);
  at.shop.later();
  expectProblem(await at.shop.checkout({ orderId: '1001' }), 502, 'gateway_unreachable');
  await at.later(2 * HOUR_MS, 4);
  expect(await at.reviews()).toEqual(inReview);
  expect(at.shop.gateway.creates).toHaveLength(1);
});

it('a link that another process knew, and that was forgotten since, is for a person', async () => {
  const payments = { store: memoryStore() };
  const before = await start({ payments });
  const link = await before.shop.open();
  before.shop.gateway.rows.set(link.session, []);
  await before.later(HOUR_MS, 8);
  await before.shop.close();
  const at = await start({ payments });
  await at.later(3 * HOUR_MS, 6);
  expect(await at.reviews()).toEqual(inReview);
});

it.each([
  [
    'knows it again',
    async (at: TransactionShop, { session }: OpenLink) => {
      at.shop.gateway.rows.set(session, []);
      await at.later(2 * HOUR_MS, 4);
      return 'pending';
    },
  ],
  [
    'is asked about on the dashboard',
    async (at: TransactionShop) => {
      await at.shop.payments.review.resolve('1001/no_evidence/1001~1', 'nothing was paid');
      await at.later(11 * DAY_MS, 22);
      return 'expired';
    },
  ],
])('the person is needed until the gateway %s', async (_what, end) => {
  const { at, link } = await forgotten([]);
  await at.later(2 * HOUR_MS, 4);
  expect(await at.reviews()).toEqual(inReview);
  const state = await end(at, link);
  expect(await at.state()).toBe(state);
  expect(await at.reviews()).toEqual([]);
});

it('no person is needed for a link that the gateway forgets after its life', async () => {
  const { at } = await forgotten([], 48 * HOUR_MS + 2 * MINUTE_MS);
  await at.later(11 * DAY_MS, 22);
  expect(await at.state()).toBe('expired');
  expect(await at.reviews()).toEqual([]);
});

it('no person is needed for a page that a declined card has closed and that is forgotten then', async () => {
  const at = await TransactionShop.start(
    { asksFor: 'session' },
    { profile: { session: { afterFailure: 'closed' } } },
  );
  onTestFinished(() => at.shop.close());
  const link = await at.shop.open();
  at.shop.gateway.rows.set(link.session, [declined]);
  await at.later(MINUTE_MS, 4);
  at.shop.gateway.rows.delete(link.session);
  at.shop.later();
  expect((await at.shop.open()).session).not.toBe(link.session);
});
