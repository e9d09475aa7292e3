import { describe, expect, it } from 'vitest';
import { failed, OTHER, refundedBy, undecided } from '../../test-support/attacked-shop.ts';
import { DAY_MS } from '../../test-support/durations.ts';
import { everyStore, type StoreName } from '../../test-support/every-store.ts';
import { aCard } from '../../test-support/operation-inputs.ts';
import { TransactionShop } from '../../test-support/transaction-gateway.ts';
import { figuresOf, type FiguresQuery } from './figures.ts';
import type { FlowContext } from './flow-context.ts';

/** A shop where noon is near, so that no test goes on past midnight. */
async function startAt(store: StoreName): Promise<TransactionShop> {
  const leapMs = 1.5 * DAY_MS - (Date.now() % DAY_MS);
  const at = await TransactionShop.start({ asksFor: 'session' }, { leapMs }, store);
  at.addOrder();
  return at;
}

const figures = ({ shop: { store } }: TransactionShop, query: FiguresQuery) =>
  figuresOf({ store } as FlowContext<unknown>, query);

/** A day of the shop, in UTC. */
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

describe.each(everyStore)('figures from %s', (name) => {
  it('have each movement on its own day, and the sums of the ledger', async () => {
    const at = await startAt(name);
    const { shop } = at;
    const { payments, gateway } = shop;
    const session = await shop.receive();
    const { createdAt } = (await shop.record()).payment;
    await shop.pass(DAY_MS);
    gateway.takeRefunds();
    await payments.refund('1001', { amount: '15.00', requestId: 'ticket-88' });
    shop.shows(session, refundedBy('15.00'));
    await shop.pass();
    await shop.pass(DAY_MS);
    shop.shows(session, refundedBy('20.00'));
    await shop.pass(DAY_MS);
    await payments.confirm('1001');
    const transactionId = at.sells('SUCCESS');
    at.shows(transactionId, { transactionId, ...undecided });
    await payments.sale('1002', { auth: 'authorize', card: aCard, requestId: 'hold-b' });
    await shop.pass();
    const span = { since: dayOf(createdAt), until: dayOf(createdAt + 6 * DAY_MS) };
    const query = { ...span, timeZone: 'UTC' };
    expect((await figures(at, query)).held).toEqual([
      { currency: 'SAR', amount: '115.00', payments: 1 },
    ]);
    gateway.takeCaptures();
    await payments.capture('1002', { amount: '100.00', requestId: 'c-1' });
    at.shows(transactionId, { transactionId, amount: '100.00' });
    await shop.pass();
    const { days, total, held } = await figures(at, query);
    expect(held).toEqual([]);
    expect(days).toHaveLength(6);
    const moved = days.flatMap(({ money }) => money);
    expect(moved.map(({ taken, refunded }) => [taken, refunded])).toEqual([
      ['115.00', '0.00'],
      ['0.00', '15.00'],
      ['100.00', '5.00'],
    ]);
    expect(days.findIndex(({ money }) => money[0]?.refunded === '15.00')).toBe(1);
    expect(total).toMatchObject({
      money: [{ currency: 'SAR', taken: '215.00', refunded: '20.00' }],
      created: { all: 2, succeeded: 2, failed: 0, open: 0 },
      successRate: 1,
      timeToConfirm: { count: 2 },
    });
  });

  it('tell how the payments of a span ended, and nothing of an empty one', async () => {
    const at = await startAt(name);
    await at.shop.receive();
    await at.shop.receive({ ...failed, transactionId: OTHER }, '1002');
    const { createdAt } = (await at.shop.record()).payment;
    const until = dayOf(createdAt + DAY_MS);
    const { total } = await figures(at, { since: dayOf(createdAt), until, timeZone: 'UTC' });
    expect(total.created).toEqual({ all: 2, succeeded: 1, failed: 1, open: 0 });
    expect(total.successRate).toBe(0.5);
    const empty = await figures(at, { since: '2001-01-01', until: '2001-01-02' });
    expect(empty.timeZone).toBe('Asia/Riyadh');
    expect(empty.days).toEqual([
      {
        day: '2001-01-01',
        money: [],
        successRate: null,
        created: { all: 0, succeeded: 0, failed: 0, open: 0 },
        timeToConfirm: { count: 0, medianMs: null, p95Ms: null },
      },
    ]);
  });
});

it('half of the confirmations took no longer than the median, nineteen of twenty than the 95th percentile', async () => {
  const times = Array.from({ length: 100 }, (_, index) => (index + 1) * 1_000);
  const store = {
    figures: async () => [
      {
        moved: times.toReversed().map((confirmMs) => ({
          kind: 'taken' as const,
          currency: 'SAR' as const,
          minorUnits: 1,
          count: 1,
          confirmMs,
        })),
        created: [],
      },
    ],
    list: async () => [],
  };
  const context = { store } as unknown as FlowContext<unknown>;
  const { total } = await figuresOf(context, { since: '2026-01-01', until: '2026-01-02' });
  expect(total.timeToConfirm).toEqual({ count: 100, medianMs: 50_000, p95Ms: 95_000 });
});
