import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Movement } from '../../payments/payment-record.ts';
import type { FigureSpan, MovedMoney, SpanFigures } from '../figures.ts';
import type { Store } from '../store.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { changeOf, openOrder, openedIn, paidChange, refundOf } from './orders.ts';

const HOUR_MS = 3_600_000;
/** An hour of its own for each case, in which a shared store has no other movement. */
const ownHour = (): number =>
  Date.UTC(2099, 0, 1) + HOUR_MS * Math.floor(Math.random() * 5_000_000);

const movement = (orderId: string, recordedAt: number, more: Partial<Movement>): Movement => ({
  orderId,
  recordedAt,
  kind: 'taken',
  minorUnits: 11_500,
  currency: 'SAR',
  confirmMs: null,
  ...more,
});

/** Movements that are alike, from all parts. */
function together(moved: readonly MovedMoney[]): readonly MovedMoney[] {
  const all = new Map<string, MovedMoney>();
  for (const one of moved) {
    const key = `${one.kind} ${one.currency} ${one.confirmMs}`;
    const { minorUnits = 0, count = 0 } = all.get(key) ?? {};
    const sum = { minorUnits: minorUnits + one.minorUnits, count: count + one.count };
    all.set(key, { ...one, ...sum });
  }
  return [...all.values()];
}

/** The figures of one span. */
async function figuresIn(store: Store<unknown>, span: FigureSpan): Promise<SpanFigures> {
  const [figures] = await store.figures([span]);
  assert.ok(figures);
  return figures;
}

/** What every store promises about figures. */
export const figureConformance: readonly ConformanceCase[] = [
  {
    name: 'adds up the movements of a span, each once',
    async check(store) {
      const from = ownHour();
      const { payment } = await openedIn(store);
      const { orderId } = payment;
      const movements = [
        movement(orderId, from, { confirmMs: 65_000 }),
        movement(orderId, from + HOUR_MS - 1, { confirmMs: 65_000 }),
        movement(orderId, from + 1, { confirmMs: 66_000, minorUnits: 0 }),
        movement(orderId, from + 2, { minorUnits: -500 }),
        movement(orderId, from + 3, { kind: 'refunded', minorUnits: 7 }),
        movement(orderId, from + 3, { kind: 'refunded', minorUnits: 9, currency: 'USD' }),
        movement(orderId, from - 1, {}),
        movement(orderId, from + HOUR_MS, {}),
      ];
      const version = payment.version + 1;
      await store.commit(changeOf({ ...payment, version }, { movements }));
      const { moved } = await figuresIn(store, { from, to: from + HOUR_MS });
      const inOrder = together(moved).toSorted((a, b) => b.minorUnits - a.minorUnits);
      assert.deepEqual(inOrder, [
        { kind: 'taken', currency: 'SAR', confirmMs: 65_000, minorUnits: 23_000, count: 2 },
        { kind: 'refunded', currency: 'USD', confirmMs: null, minorUnits: 9, count: 1 },
        { kind: 'refunded', currency: 'SAR', confirmMs: null, minorUnits: 7, count: 1 },
        { kind: 'taken', currency: 'SAR', confirmMs: 66_000, minorUnits: 0, count: 1 },
        { kind: 'taken', currency: 'SAR', confirmMs: null, minorUnits: -500, count: 1 },
      ]);
    },
  },
  {
    name: 'adds up each of many spans by itself, in their order, and those without anything',
    async check(store) {
      const from = ownHour();
      const { payment } = openOrder().reserved;
      const opened = { ...payment, createdAt: from + 70 };
      const movements = [5, 75, 76].map((after) => movement(payment.orderId, from + after, {}));
      await store.commit(changeOf(opened, { movements }));
      const spans = Array.from({ length: 100 }, (_, index) => ({
        from: from + index * 10,
        to: from + index * 10 + 10,
      }));
      const found = await store.figures(spans.toReversed());
      const counts = found.map(({ moved, created }) => [moved[0]?.count, created[0]?.count]);
      const wanted = spans.map((): (number | undefined)[] => [undefined, undefined]);
      wanted[0] = [1, undefined];
      wanted[7] = [2, 1];
      assert.deepEqual(counts, wanted.toReversed());
      assert.deepEqual(await store.figures([]), []);
    },
  },
  {
    name: 'records the movements of a committed change, and none of a refused one',
    async check(store) {
      const from = ownHour();
      const opened = await openedIn(store);
      const { orderId } = opened.payment;
      const paid = paidChange(opened, randomUUID());
      const movements = [movement(orderId, from, {})];
      const count = async (): Promise<number | undefined> =>
        (await figuresIn(store, { from, to: from + HOUR_MS })).moved[0]?.count;
      const tries = [1, 2, 3].map(() => store.commit({ ...paid, movements }));
      assert.equal(
        (await Promise.all(tries)).filter((one) => one.outcome === 'committed').length,
        1,
      );
      assert.equal(await count(), 1);
      const { payment } = await openedIn(store);
      const taken = { ...refundOf(paid, randomUUID()) };
      const next = changeOf({ ...paid.payment, version: paid.payment.version + 1 });
      await store.commit({ ...next, operations: [taken] });
      const refused = await store.commit({
        ...changeOf({ ...payment, version: payment.version + 1 }),
        operations: [{ ...taken, orderId: payment.orderId }],
        movements: [movement(payment.orderId, from, {})],
      });
      assert.equal(refused.outcome, 'operation_taken');
      assert.equal(await count(), 1);
      const { log } = await store.history(orderId);
      assert.ok(log.every((entry) => entry.kind !== 'change' || !('movements' in entry.change)));
    },
  },
  {
    name: 'counts the payments that were created in a span, by their states now',
    async check(store) {
      const from = ownHour();
      for (const [after, state] of [
        [0, 'paid'],
        [1, 'paid'],
        [2, 'expired'],
        [HOUR_MS - 1, 'review'],
        [-1, 'paid'],
        [HOUR_MS, 'paid'],
      ] as const) {
        const { payment } = openOrder().reserved;
        const created = { ...payment, createdAt: from + after };
        await store.commit(changeOf(created));
        await store.commit(changeOf({ ...created, version: 2, state }));
      }
      const { created, moved } = await figuresIn(store, { from, to: from + HOUR_MS });
      assert.deepEqual(moved, []);
      const inOrder = created.toSorted((a, b) => (a.state < b.state ? -1 : 1));
      assert.deepEqual(inOrder, [
        { state: 'expired', count: 1 },
        { state: 'paid', count: 2 },
        { state: 'review', count: 1 },
      ]);
    },
  },
  {
    name: 'adds up the oldest authorizations that are held, and no more than it is asked for',
    async check(store) {
      const held = async (limit: number): Promise<number> => {
        const inSar = (await store.heldMoney(limit)).find(({ currency }) => currency === 'SAR');
        return inSar?.minorUnits ?? 0;
      };
      const before = await held(1_000_000);
      const { payment } = openOrder().reserved;
      const authorized = { ...payment, state: 'authorized', createdAt: 1 } as const;
      await store.commit(changeOf(authorized));
      assert.equal(await held(1_000_000), before + 11_500);
      assert.equal(await held(1), 11_500);
      await store.commit(changeOf({ ...authorized, version: 2, state: 'captured' }));
      assert.equal(await held(1_000_000), before);
    },
  },
];
