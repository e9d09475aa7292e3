import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, changeOf, countOf, openedIn, paidChange } from './orders.ts';
import type { ConformanceCase } from './conformance-case.ts';

/** What every store promises about payments. */
export const paymentConformance: readonly ConformanceCase[] = [
  {
    name: 'knows nothing of an order that never paid',
    async check(store) {
      assert.equal(await store.load(randomUUID()), null);
    },
  },
  {
    name: 'gives back what was committed',
    async check(store) {
      const opened = await openedIn(store);
      const record = await store.load(opened.payment.orderId);
      assert.deepEqual(record?.payment, opened.payment);
      assert.deepEqual(record?.attempts, opened.attempts);
    },
  },
  {
    name: 'refuses a change that is based on an older version',
    async check(store) {
      const opened = await openedIn(store);
      const stored = await store.load(opened.payment.orderId);
      const created = changeOf({ ...opened.payment, version: 1 });
      const skipping = changeOf({ ...opened.payment, version: 9 });
      for (const change of [opened, created, skipping]) {
        const result = await store.commit(change);
        assert.equal(result.outcome, 'conflict');
        // A store that reads the stored record on the way must read all of it.
        if (result.record !== undefined) assert.deepEqual(result.record, stored);
      }
      assert.deepEqual(await store.load(opened.payment.orderId), stored);
    },
  },
  {
    name: 'lets one of twenty parallel payers of one order win, and runs its hook once',
    async check(store) {
      const opened = await openedIn(store);
      let hooks = 0;
      const hook = (): void => {
        hooks += 1;
      };
      const payers = Array.from({ length: 20 }, () => paidChange(opened, randomUUID()));
      const results = await Promise.all(payers.map((change) => store.commit(change, hook)));
      const outcomes = results.map(({ outcome }) => outcome);
      assert.equal(countOf(outcomes, 'committed'), 1);
      assert.equal(countOf(outcomes, 'conflict'), 19);
      assert.equal(hooks, 1);
      assert.equal((await store.load(opened.payment.orderId))?.ledger.length, 1);
    },
  },
  {
    name: 'never binds one transaction to two orders',
    async check(store) {
      const [first, second] = [await openedIn(store), await openedIn(store)];
      const transaction = randomUUID();
      await store.commit(paidChange(first, transaction));
      assert.deepEqual(await store.commit(paidChange(second, transaction)), {
        outcome: 'transaction_taken',
        transactionId: transaction,
        orderId: first.payment.orderId,
      });
      const untouched = await store.load(second.payment.orderId);
      assert.equal(untouched?.payment.state, 'pending');
      assert.equal(untouched?.ledger.length, 0);
    },
  },
  {
    name: 'knows a transaction in whatever case it is written',
    async check(store) {
      const [first, second] = [await openedIn(store), await openedIn(store)];
      const transaction = `abc-${randomUUID()}`;
      const paid = paidChange(first, transaction);
      await store.commit(paid);
      const shouted = paidChange(second, transaction.toUpperCase());
      assert.deepEqual(await store.commit(shouted), {
        outcome: 'transaction_taken',
        transactionId: transaction.toUpperCase(),
        orderId: first.payment.orderId,
      });
      const { orderId } = paid.payment;
      const ledger = shouted.ledger.map((row) => ({ ...row, orderId, refundedMinorUnits: 100 }));
      await store.commit(after(paid, { ledger }));
      const stored = await store.load(orderId);
      assert.deepEqual(
        stored?.ledger.map(({ refundedMinorUnits }) => refundedMinorUnits),
        [100],
      );
    },
  },
  {
    name: 'commits nothing when the hook throws',
    async check(store) {
      const opened = await openedIn(store);
      const failing = (): void => {
        throw new Error('the merchant refuses');
      };
      await assert.rejects(store.commit(paidChange(opened, randomUUID()), failing));
      const record = await store.load(opened.payment.orderId);
      assert.equal(record?.payment.state, 'pending');
      assert.equal(record?.ledger.length, 0);
    },
  },
  {
    name: 'never takes a statement’s error for a commit when the hook swallowed it',
    async check(store) {
      const opened = await openedIn(store);
      const swallowing = async (tx: unknown): Promise<void> => {
        const { query } = tx as { query?: (sql: string) => Promise<unknown> };
        await query?.('SELECT * FROM a_table_that_is_not_there').catch(() => undefined);
      };
      const change = paidChange(opened, randomUUID());
      await assert.rejects(store.commit(change, swallowing));
      assert.equal((await store.load(opened.payment.orderId))?.payment.state, 'pending');
    },
  },
];
