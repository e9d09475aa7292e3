import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { everyPaymentState } from '../../payments/payment.ts';
import type { PaymentPage } from '../payment-page.ts';
import type { Store } from '../store.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { NOW, changeOf, openOrder, openedIn, paidChange, refundOf } from './orders.ts';

/** The ids of the payments that a text finds, the latest first. */
async function found(store: Store<unknown>, asked: Partial<PaymentPage>): Promise<string[]> {
  const below = { createdAt: Number.MAX_SAFE_INTEGER, orderId: '' };
  const page = { states: everyPaymentState, since: 0, below, limit: 100, ...asked };
  return (await store.listPayments(page)).map(({ orderId }) => orderId);
}

/** Stores payments whose ids are a word of their own and an ending each, a millisecond apart. */
async function named(store: Store<unknown>, word: string, ...endings: readonly string[]) {
  const ids = endings.map((ending) => `${word}${ending}`);
  for (const [index, orderId] of ids.entries()) {
    const { payment } = openOrder().reserved;
    await store.commit(changeOf({ ...payment, orderId, createdAt: NOW + index }));
  }
  return ids;
}

const ownWord = (): string => `W${randomUUID().replaceAll('-', '')}`;

/** What every store promises about searches. */
export const searchConformance: readonly ConformanceCase[] = [
  {
    name: 'finds payments by how their order’s id begins, the latest first',
    async check(store) {
      const word = ownWord();
      const [first, second, third] = await named(store, word, '', '.1', '+x');
      assert.deepEqual(await found(store, { search: word }), [third, second, first]);
      assert.deepEqual(await found(store, { search: `${word}.` }), [second]);
      assert.deepEqual(await found(store, { search: `${word}%` }), []);
      assert.deepEqual(await found(store, { search: word.slice(1) }), []);
    },
  },
  {
    name: 'finds an order’s id that was written in capitals or in small letters',
    async check(store) {
      const [capital = ''] = await named(store, ownWord().toUpperCase(), '-A');
      const [small = ''] = await named(store, ownWord().toLowerCase(), '-a');
      assert.deepEqual(await found(store, { search: capital.toLowerCase() }), [capital]);
      assert.deepEqual(await found(store, { search: small.toUpperCase() }), [small]);
    },
  },
  {
    name: 'finds an order by the name of its attempt, and no other order',
    async check(store) {
      const word = ownWord();
      const [one] = await named(store, word, '1', '12');
      assert.deepEqual(await found(store, { search: `${word}1~2` }), [one]);
      assert.deepEqual(await found(store, { search: `${word}~1` }), []);
    },
  },
  {
    name: 'finds a transaction in any case, a session, an operation and its reference',
    async check(store) {
      const opened = await openedIn(store);
      const transaction = randomUUID();
      const paid = paidChange(opened, transaction);
      await store.commit(paid);
      const requestId = `Refund-${randomUUID()}`;
      const reference = `Ref-${randomUUID()}`;
      const refund = { ...refundOf(paid, `request/${requestId}`), reference };
      const { payment } = paid;
      const version = payment.version + 1;
      await store.commit(changeOf({ ...payment, version }, { operations: [refund] }));
      const names = [
        transaction,
        transaction.toUpperCase(),
        opened.attempts[0]?.sessionId ?? assert.fail('it has a session'),
        requestId,
        refund.id,
        reference,
        reference.toUpperCase(),
      ];
      for (const search of names) {
        assert.deepEqual(await found(store, { search }), [payment.orderId], search);
      }
      assert.deepEqual(await found(store, { search: transaction.slice(0, -1) }), []);
      assert.deepEqual(await found(store, { search: requestId.toLowerCase() }), []);
    },
  },
  {
    name: 'goes through what a search finds page by page, within states and times',
    async check(store) {
      const word = ownWord();
      const ids = await named(store, word, '1', '2', '3', '4', '5');
      const pages: string[][] = [];
      for (let below = { createdAt: NOW + 5, orderId: '' }; pages.length < 3;) {
        const ofPage = await found(store, { search: word, below, limit: 2 });
        pages.push(ofPage);
        const last = ofPage.at(-1) ?? '';
        below = { createdAt: NOW + ids.indexOf(last), orderId: last };
      }
      const [one, two, three, four, five] = ids;
      assert.deepEqual(pages, [[five, four], [three, two], [one]]);
      assert.deepEqual(await found(store, { search: word, since: NOW + 3 }), [five, four]);
      assert.deepEqual(await found(store, { search: word, states: ['paid'] }), []);
    },
  },
  {
    name: 'finds payments of exactly an amount, with or without another word',
    async check(store) {
      const word = ownWord();
      const minorUnits = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);
      const ids = [];
      for (const [index, more] of [0, 1, 0].entries()) {
        const { payment } = openOrder().reserved;
        const amount = { minorUnits: minorUnits + more, currency: 'SAR' } as const;
        const orderId = `${word}${index}`;
        await store.commit(changeOf({ ...payment, orderId, amount, createdAt: NOW + index }));
        ids.push(orderId);
      }
      const [first, other, last] = ids;
      assert.deepEqual(await found(store, { minorUnits }), [last, first]);
      assert.deepEqual(await found(store, { minorUnits, limit: 1 }), [last]);
      assert.deepEqual(await found(store, { minorUnits, states: ['paid'] }), []);
      assert.deepEqual(await found(store, { minorUnits: minorUnits + 1, search: word }), [other]);
    },
  },
];
