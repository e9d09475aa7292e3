import { describe, expect, it } from 'vitest';
import { everyStore } from '../../test-support/every-store.ts';
import { aCard } from '../../test-support/operation-inputs.ts';
import type { ScriptedShop } from '../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../test-support/shop-of-test.ts';
import { figuresOf, type FiguresQuery } from './figures.ts';
import type { FlowContext } from './flow-context.ts';

const DAY_MS = 86_400_000;

const figures = ({ store }: ScriptedShop, query: FiguresQuery) =>
  figuresOf({ store } as FlowContext<unknown>, query);

/** A day of the shop, in UTC. */
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

describe.each(everyStore)('figures from %s', (name) => {
  it('have each movement on its own day, and the sums of the ledger', async () => {
    const play = await scriptedShop(name);
    await play.payByLink();
    const { createdAt } = await play.payment();
    await play.later(DAY_MS);
    await play.money().refund('a', { amount: '15.00', requestId: 'ticket-88' });
    await play.later();
    await play.later(DAY_MS);
    const [row] = (await play.record()).ledger;
    const transaction = play.transactions.get(row?.transactionId ?? '');
    if (transaction === undefined) throw new Error('no transaction');
    play.transactions.refundOnDashboard(transaction, 500);
    await play.later(DAY_MS);
    await play.steps({ kind: 'confirm', orderId: 'a' });
    await play.money().sale('b', { auth: 'authorize', card: aCard, requestId: 'hold-b' });
    await play.later();
    const span = { since: dayOf(createdAt), until: dayOf(createdAt + 6 * DAY_MS) };
    const query = { ...span, timeZone: 'UTC' };
    expect((await figures(play, query)).held).toEqual([
      { currency: 'SAR', amount: '115.00', payments: 1 },
    ]);
    await play.money().capture('b', { amount: '100.00', requestId: 'c-1' });
    await play.later();
    const { days, total, held } = await figures(play, query);
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
    const play = await scriptedShop(name);
    await play.payByLink();
    await play.payByLink('b', false);
    const { createdAt } = await play.payment();
    const until = dayOf(createdAt + DAY_MS);
    const { total } = await figures(play, { since: dayOf(createdAt), until, timeZone: 'UTC' });
    expect(total.created).toEqual({ all: 2, succeeded: 1, failed: 1, open: 0 });
    expect(total.successRate).toBe(0.5);
    const empty = await figures(play, { since: '2001-01-01', until: '2001-01-02' });
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
