import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { transactionId, type TransactionId } from '../../ids.ts';
import { SIGN_OF_MONEY, type HintSource } from '../../payments/transaction-hint.ts';
import type { Store } from '../store.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { NOW, openedIn } from './orders.ts';

const newId = (): TransactionId => transactionId(randomUUID());
const newIds = (count: number): readonly TransactionId[] => Array.from({ length: count }, newId);

/** A new order in a store, with what its hints are changed by and read with. */
async function hintsIn(store: Store<unknown>) {
  const { orderId } = (await openedIn(store)).payment;
  const note = (source: HintSource, ids: readonly TransactionId[], now = NOW): Promise<void> => {
    const noted = ids.map((id) => ({ transactionId: id, source }));
    return store.changeTransactionHints(orderId, { noted }, now);
  };
  const answered = (ids: readonly TransactionId[], now: number): Promise<void> =>
    store.changeTransactionHints(orderId, { asked: ids, answered: ids }, now);
  const hints = async () => {
    const stored = await store.transactionHints(orderId);
    return new Map(stored.map(({ transactionId: id, ...hint }) => [id, hint]));
  };
  return { orderId, note, answered, hints };
}

/** What every store promises about the transactions that hints name. */
export const transactionHintConformance: readonly ConformanceCase[] = [
  {
    name: 'stores a named transaction once, by its best source, in whatever case it comes',
    async check(store) {
      const { note, hints } = await hintsIn(store);
      const id = newId();
      await note('unsigned', [id]);
      await note('return', [transactionId(id.toUpperCase())], NOW + 1);
      await note('signed', [id], NOW + 2);
      const found = await hints();
      assert.equal(found.size, 1);
      assert.deepEqual(
        [...found.values()],
        [{ source: 'return', hintedAt: NOW, askedAt: null, answeredAt: null }],
      );
    },
  },
  {
    name: 'stores no named transaction for an order that has no payment, nor for another one',
    async check(store) {
      const { note } = await hintsIn(store);
      await note('signed', [newId()]);
      const other = await hintsIn(store);
      assert.equal((await other.hints()).size, 0);
      const unknown = randomUUID();
      const noted = [{ transactionId: newId(), source: 'signed' as const }];
      await store.changeTransactionHints(unknown, { noted }, NOW);
      assert.deepEqual(await store.transactionHints(unknown), []);
    },
  },
  {
    name: 'lets no flood of forged ids push out others, and forgets those answered about first',
    async check(store) {
      const { orderId, note, answered, hints } = await hintsIn(store);
      const [own, signed, forged] = [newIds(4), newIds(6), newIds(5)];
      await note('return', [SIGN_OF_MONEY, ...own]);
      await note('signed', signed);
      await note('unsigned', forged);
      for (let round = 0; round < 4; round += 1) await note('unsigned', newIds(5));
      const all = [SIGN_OF_MONEY, ...own, ...signed, ...forged];
      assert.deepEqual(new Set((await hints()).keys()), new Set(all));
      const [first, ...others] = forged;
      assert.ok(first);
      await store.changeTransactionHints(orderId, { asked: forged }, NOW + 1);
      await note('unsigned', newIds(1));
      assert.deepEqual(new Set((await hints()).keys()), new Set(all), 'asked without an answer');
      await answered(others, NOW + 3);
      await answered([first], NOW + 2);
      const next = newId();
      await note('unsigned', [next]);
      const left = await hints();
      assert.equal(left.size, 16);
      assert.ok(left.has(next) && !left.has(first));
    },
  },
  {
    name: 'remembers when a named transaction was asked and answered about, and forgets what it is told to',
    async check(store) {
      const { orderId, note, answered, hints } = await hintsIn(store);
      const [kept, gone] = [newId(), newId()];
      await note('signed', [kept, gone]);
      await answered([kept], NOW + 4);
      await store.changeTransactionHints(orderId, { asked: [kept] }, NOW + 5);
      await store.changeTransactionHints(orderId, { forgotten: [gone] }, NOW + 6);
      const times = { hintedAt: NOW, askedAt: NOW + 5, answeredAt: NOW + 4 };
      const hint = { source: 'signed' as const, ...times };
      assert.deepEqual([...(await hints())], [[kept, hint]]);
    },
  },
  {
    name: 'keeps a sign of money in place of a named transaction that finds no room',
    async check(store) {
      const { note, hints } = await hintsIn(store);
      await note('unsigned', newIds(5));
      assert.ok(!(await hints()).has(SIGN_OF_MONEY));
      await note('unsigned', newIds(1));
      assert.equal((await hints()).get(SIGN_OF_MONEY)?.source, 'unsigned');
      assert.equal((await hints()).size, 6);
      await note('return', [SIGN_OF_MONEY]);
      assert.equal((await hints()).get(SIGN_OF_MONEY)?.source, 'return');
    },
  },
];
