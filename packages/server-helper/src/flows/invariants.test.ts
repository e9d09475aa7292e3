import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectRefundsFound, expectReplays, Invariants } from '../../test-support/invariants.ts';
import { history, moneyHistory } from '../../test-support/histories.ts';
import { ORDER_IDS } from '../../test-support/order-ids.ts';
import { Simulation, type HintContent, type Step } from '../../test-support/simulation.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { sqliteStore } from '../stores/sqlite-store.ts';
import type { Store } from '../stores/store.ts';

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
