import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectRefundsFound, expectReplays, Invariants } from '../../test-support/invariants.ts';
import type { MoneyStep } from '../../test-support/money-steps.ts';
import { ORDER_IDS } from '../../test-support/order-ids.ts';
import { Simulation, type HintContent, type Step } from '../../test-support/simulation.ts';
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

const key = fc.integer({ min: 1, max: 9 });
const moneyStep: fc.Arbitrary<MoneyStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('refund', 'refund', 'capture', 'void', 'charge'),
      orderId,
      key,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sale'),
      orderId,
      key,
      isAuthorization: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('person-looks'), orderId }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('money-mood'),
      mood: fc.constantFrom(
        'well',
        'well',
        'refused',
        'answer-lost',
        'request-lost',
        'dies-before',
        'dies-after',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('sale-end'),
      end: fc.constantFrom('success', 'redirect', 'declined'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('refunds-settle'), atOnce: fc.boolean() }),
  },
);
/** Orders that are mostly paid soon, and then refunded, captured, voided and charged again. */
const moneyHistory = fc.array(
  fc.oneof({ weight: 1, arbitrary: step }, { weight: 1, arbitrary: moneyStep }),
  { minLength: 5, maxLength: 40 },
);

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

/** Nothing in memory waits for more than promises. */
const TURNS_IN_MEMORY = 3;

async function play(
  store: Store<unknown>,
  steps: readonly Step[],
  content: HintContent,
  isInMemory = true,
) {
  await store.open('simulation');
  const simulation = new Simulation(store, isInMemory ? { turns: TURNS_IN_MEMORY } : {});
  const invariants = new Invariants(simulation);
  for (const one of steps) {
    await simulation.run(one, content);
    await invariants.check();
  }
  await expectReplays(simulation);
  await simulation.settle();
  await invariants.check();
  await expectReplays(simulation);
  return simulation;
}

const ofMerchant: ReadonlySet<Step['kind']> = new Set([
  'mood',
  'store-fault',
  'wait',
  'reprice',
  'cancel',
]);

/** These take seconds; a busy machine may take minutes. */
const PATIENCE_MS = 300_000;

describe('whatever happens, in whatever order', () => {
  it.each([
    ['memory', () => memoryStore() as Store<unknown>, 1_000],
    ['SQLite', () => sqliteStore({ file: ':memory:' }) as Store<unknown>, 150],
  ])(
    'no order is shipped unpaid, twice or not at all (%s store)',
    async (name, open, numRuns) => {
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          const store = open();
          const simulation = await play(store, steps, 'honest', name === 'memory');
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
    },
    PATIENCE_MS,
  );

  it.each([
    ['memory', () => memoryStore() as Store<unknown>, 400],
    ['SQLite', () => sqliteStore({ file: ':memory:' }) as Store<unknown>, 60],
  ])(
    'no money is moved twice, or beyond what there is (%s store)',
    async (name, open, numRuns) => {
      await fc.assert(
        fc.asyncProperty(moneyHistory, async (steps) => {
          const store = open();
          const simulation = await play(store, steps, 'honest', name === 'memory');
          for (const id of ORDER_IDS) {
            const record = await simulation.record(id);
            if (record === null || record.payment.transactionId === null) continue;
            await simulation.run({ kind: 'confirm', orderId: id }, 'honest');
            const { transactions } = simulation.gateway;
            const transaction = transactions.get(record.payment.transactionId);
            expectRefundsFound((await simulation.record(id)) ?? record, transaction);
          }
          await store.close();
        }),
        { numRuns },
      );
    },
    PATIENCE_MS,
  );

  it(
    'what hints say changes nothing: garbage leads to the same end (I5)',
    async () => {
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
    },
    PATIENCE_MS,
  );

  it(
    'an error of the gateway never changes a payment (I12)',
    async () => {
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
    },
    PATIENCE_MS,
  );
});
