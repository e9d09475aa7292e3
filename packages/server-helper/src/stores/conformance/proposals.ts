import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../payments/operation.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { paidIn } from './money.ts';
import { after, NOW, refundOf } from './orders.ts';

/** What every store promises about operations that wait for an approval. */
export const proposalConformance: readonly ConformanceCase[] = [
  {
    name: 'lists proposed operations, the oldest first, until they are approved',
    async check(store) {
      const paid = await paidIn(store);
      const { orderId } = paid.payment;
      const proposed = [3, 1, 2].map((createdAt): Operation => {
        const operation = refundOf(paid, randomUUID());
        return { ...operation, state: 'proposed', createdAt, sentAt: null };
      });
      const asked = after(paid, { operations: [...proposed, refundOf(paid, randomUUID())] });
      await store.commit(asked);
      const own = async () =>
        (await store.proposedOperations(1_000)).filter((one) => one.orderId === orderId);
      const [third, first, second] = proposed;
      assert.ok(third && first && second);
      assert.deepEqual(await own(), [first, second, third]);
      assert.equal((await store.proposedOperations(1)).length, 1);
      const approval = { owner: randomUUID(), approvedBy: 'Salem', baselineMinorUnits: 7 };
      const sent = {
        ...first,
        ...approval,
        state: 'sending',
        sentAt: NOW,
        updatedAt: NOW,
      } as const;
      await store.commit(after(asked, { operations: [sent] }));
      assert.deepEqual(await own(), [second, third]);
      const stored = (await store.load(orderId))?.operations;
      assert.deepEqual(
        stored?.find(({ id }) => id === sent.id),
        sent,
      );
    },
  },
];
