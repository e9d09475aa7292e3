import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ORDER_IDS,
  Simulation,
  type HintContent,
  type Step,
} from '../../test-support/simulation.ts';
import { formatAmount } from '../money.ts';
import { isSettled } from '../payments/payment.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { sqliteStore } from '../stores/sqlite-store.ts';
import type { Store } from '../stores/store.ts';

const orderId = fc.constantFrom(...ORDER_IDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('want-to-pay'), orderId }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('two-tabs'), orderId }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('confirm'), orderId }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), orderId }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay'),
      orderId,
      pick: fc.nat(3),
      isApproved: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('hint'), orderId, garbage: fc.string() }),
  },
  {
    // Often, since a price that goes and comes back leaves two payable links of one amount.
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reprice'),
      orderId,
      amount: fc.constantFrom('115.00', '99.50'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('mood'),
      mood: fc.constantFrom(
        'well',
        'create-refused',
        'create-answer-lost',
        'status-unreachable',
        'status-pending',
        'status-wrong-amount',
        'status-unknown-words',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('store-fault'),
      fault: fc.constantFrom('fail-before', 'fail-after-commit'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      milliseconds: fc.constantFrom(1_000, 6_000, 70_000, 3_600_000, 49 * 3_600_000),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('tick', 'crowd', 'restart') }) },
);
const history = fc.array(step, { minLength: 5, maxLength: 40 });

/** What must hold after every step. */
async function checkInvariants(simulation: Simulation): Promise<void> {
  const owners = new Map<string, string>();
  for (const id of ORDER_IDS) {
    const record = await simulation.record(id);
    const ships = simulation.shipped.filter((shipped) => shipped === id).length;
    if (record === null) {
      expect(ships).toBe(0);
      continue;
    }
    const { payment, ledger, attempts } = record;
    const base = ledger.filter(({ kind }) => kind === 'payment' || kind === 'late');
    // I2: at most one paid row per order, committed with the state; shipped exactly when paid.
    expect(base).toHaveLength(isSettled(payment.state) ? 1 : 0);
    expect(ships).toBe(base.filter(({ kind }) => kind === 'payment').length);
    // I1: paid only by a transaction that the gateway approved in a session made for this order.
    for (const row of base) {
      const session = [...simulation.gateway.sessions.values()].find((one) =>
        one.transactions.some((transaction) => transaction.id === row.transactionId),
      );
      expect(session?.orderId).toBe(id);
      expect(session?.amount).toBe(formatAmount(payment.amount.minorUnits));
      const own = session?.transactions.find((one) => one.id === row.transactionId);
      expect(own?.state).toBe('captured');
      expect(attempts.some(({ sessionId }) => sessionId === session?.id)).toBe(true);
    }
    // I3: a transaction belongs to one order.
    for (const row of ledger) {
      expect(owners.get(row.transactionId) ?? id).toBe(id);
      owners.set(row.transactionId, id);
    }
  }
}

async function statesOf(simulation: Simulation): Promise<readonly unknown[]> {
  return Promise.all(
    ORDER_IDS.map(async (id) => (await simulation.record(id))?.payment.state ?? 'none'),
  );
}

/** Which orders the gateway took money for, through a session that we know. */
async function paidAtGateway(simulation: Simulation, id: (typeof ORDER_IDS)[number]) {
  const attempts = (await simulation.record(id))?.attempts ?? [];
  return [...simulation.gateway.sessions.values()].some(
    (session) =>
      attempts.some((attempt) => attempt.sessionId === session.id) &&
      session.transactions.some(({ state }) => state === 'captured'),
  );
}

async function play(store: Store<unknown>, steps: readonly Step[], content: HintContent) {
  await store.open('simulation');
  const simulation = new Simulation(store);
  for (const one of steps) {
    await simulation.run(one, content);
    await checkInvariants(simulation);
  }
  await simulation.settle();
  await checkInvariants(simulation);
  return simulation;
}

const ofMerchant: ReadonlySet<Step['kind']> = new Set([
  'mood',
  'store-fault',
  'wait',
  'reprice',
  'cancel',
]);

describe('whatever happens, in whatever order', () => {
  it.each([
    ['memory', () => memoryStore() as Store<unknown>, 1_000],
    ['SQLite', () => sqliteStore({ file: ':memory:' }) as Store<unknown>, 150],
  ])('no order is shipped unpaid, twice or not at all (%s store)', async (_name, open, numRuns) => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const store = open();
        const simulation = await play(store, steps, 'honest');
        for (const id of ORDER_IDS) {
          if (!(await paidAtGateway(simulation, id))) continue;
          const state = (await simulation.record(id))?.payment.state;
          expect(['paid', 'paid_late', 'review']).toContain(state);
        }
        const paidEvents = simulation.told.map(({ id }) => id);
        expect(new Set(paidEvents).size).toBe(simulation.shipped.length);
        await store.close();
      }),
      { numRuns },
    );
  });

  it('what hints say changes nothing: garbage leads to the same end (I5)', async () => {
    await fc.assert(
      fc.asyncProperty(
        // Only what shoppers and hints do: when a merchant reprices or cancels an order while it is
        // being paid, the end depends on when we looked, and a hint is a reason to look.
        history.map((steps) => steps.filter(({ kind }) => !ofMerchant.has(kind))),
        async (steps) => {
          const honest = await play(memoryStore(), steps, 'honest');
          const garbage = await play(memoryStore(), steps, 'garbage');
          const [left, right] = [await statesOf(honest), await statesOf(garbage)];
          expect(right).toEqual(left);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('an error of the gateway never changes a payment (I12)', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const store = memoryStore() as Store<unknown>;
        const simulation = await play(store, steps, 'honest');
        const before = await Promise.all(ORDER_IDS.map((id) => simulation.record(id)));
        await simulation.run({ kind: 'mood', mood: 'status-unreachable' }, 'honest');
        for (const id of ORDER_IDS)
          await simulation.run({ kind: 'confirm', orderId: id }, 'honest');
        await simulation.run({ kind: 'crowd' }, 'honest');
        const after = await Promise.all(ORDER_IDS.map((id) => simulation.record(id)));
        expect(after.map((one) => one?.payment)).toEqual(before.map((one) => one?.payment));
      }),
      { numRuns: 300 },
    );
  });
});
