import assert from 'node:assert/strict';
import { everyPaymentState } from '../../payments/payment.ts';
import type { PaymentPage, PaymentPosition } from '../payment-page.ts';
import type { Store } from '../store.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { changeOf, openOrder, openedIn, paidChange } from './orders.ts';

const HOUR_MS = 3_600_000;
const HOURS = 5_000_000;
/** An hour of its own for each case, in which a shared store has no other payment. */
const ownTime = (): number => Date.UTC(2077, 0, 1) + HOUR_MS * Math.floor(Math.random() * HOURS);

/** Commits an order that was created at a time; answers with its change. */
async function createdAt(store: Store<unknown>, time: number) {
  const { reserved } = openOrder();
  const change = { ...reserved, payment: { ...reserved.payment, createdAt: time } };
  await store.commit(change);
  return change;
}

/** The page of an hour, from its end. */
const pageOf = (since: number, asked: Partial<PaymentPage> = {}): PaymentPage => ({
  states: everyPaymentState,
  since,
  below: { createdAt: since + HOUR_MS, orderId: '' },
  limit: 100,
  ...asked,
});

const idsOf = (found: readonly PaymentPosition[]): string[] => found.map(({ orderId }) => orderId);

/** What every store promises about lists of payments. */
export const listConformance: readonly ConformanceCase[] = [
  {
    name: 'lists payments from the latest to the earliest, between two times',
    async check(store) {
      const since = ownTime();
      const created = [];
      for (const after of [0, 2, 1]) created.push(await createdAt(store, since + after));
      const [first, third, second] = created.map(({ payment }) => payment.orderId);
      await createdAt(store, since - 1);
      await createdAt(store, since + 3);
      const below = { createdAt: since + 3, orderId: '' };
      const found = await store.listPayments(pageOf(since, { below }));
      assert.deepEqual(idsOf(found), [third, second, first]);
      assert.equal(found[0]?.createdAt, since + 2);
    },
  },
  {
    name: 'lists payments of one moment once each, over all pages, while others are added and change',
    async check(store) {
      const since = ownTime();
      const all = [];
      for (let count = 0; count < 7; count += 1) all.push(await createdAt(store, since + 1));
      const found: string[] = [];
      for (let below = pageOf(since).below; ;) {
        const page = await store.listPayments(pageOf(since, { below, limit: 2 }));
        found.push(...idsOf(page));
        const last = page.at(-1);
        if (last === undefined) break;
        assert.ok(found.length <= all.length, 'a page lists what a page before listed');
        below = last;
        await createdAt(store, since + 2);
        const { payment } = all[found.length % all.length] ?? assert.fail('there are seven');
        const stored = (await store.load(payment.orderId))?.payment ?? assert.fail('it is stored');
        const version = stored.version + 1;
        await store.commit(changeOf({ ...stored, state: 'failed', version, updatedAt: since + 9 }));
      }
      assert.deepEqual(found.toSorted(), idsOf(all.map(({ payment }) => payment)).toSorted());
    },
  },
  {
    name: 'lists the payments of the asked states, as they are now',
    async check(store) {
      const since = ownTime();
      const { payment } = await createdAt(store, since);
      const unpaid = await createdAt(store, since + 1);
      const paid = { ...payment, state: 'paid', version: 2 } as const;
      await store.commit(changeOf(paid));
      const listed = async (...states: PaymentPage['states']) =>
        idsOf(await store.listPayments(pageOf(since, { states })));
      assert.deepEqual(await listed('paid'), [payment.orderId]);
      assert.deepEqual(await listed('unpaid', 'paid'), [unpaid.payment.orderId, payment.orderId]);
      assert.deepEqual(await listed('review'), []);
    },
  },
  {
    name: 'remembers when a payment was created, whatever a later change says',
    async check(store) {
      const opened = await openedIn(store);
      const { createdAt: time, orderId } = opened.payment;
      const paid = paidChange(opened, `transaction-of-${orderId}`);
      await store.commit({ ...paid, payment: { ...paid.payment, updatedAt: time + 5 } });
      assert.equal((await store.load(orderId))?.payment.createdAt, time);
    },
  },
];
