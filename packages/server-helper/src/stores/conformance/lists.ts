import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Payment, PaymentRecord } from '../../payments/record.ts';
import { ENDED_MS, type Listing, type PaymentPage, type Store } from '../store.ts';
import { atOnce, cases, early, HOUR_MS, NOW, ownHour, ownWord, undisturbed } from './case.ts';
import { after, createdIn, idOf, listed, openedIn, refundOf, reviewOf, savedIn } from './orders.ts';

const idsIn = async (store: Store<unknown>, payments: readonly Partial<Payment>[]) =>
  (await Promise.all(payments.map((one) => createdIn(store, one)))).map(idOf);

/** The listed payments whose orders' ids begin so. */
const begun = (store: Store<unknown>, beginning: string, asked: Partial<PaymentPage> = {}) =>
  listed(store, { search: { orderId: '', beginnings: [beginning], names: [] }, ...asked });

/** The orders of a page whose ids begin so. */
const pageIn = async (store: Store<unknown>, word: string, listing: Listing) =>
  (await store.list(listing)).map(idOf).filter((id) => id.startsWith(word));

/** What every store promises about lists and searches. */
export const listConformance = cases({
  async 'lists payments, the latest first, of the asked times, states and amounts'(store) {
    const since = ownHour();
    const times = [0, 2, 1, -1, 3].map((time) => ({ createdAt: since + time }));
    const [first, third, second] = await idsIn(store, times);
    const all = { since, below: { createdAt: since + 3, orderId: '' } };
    assert.deepEqual(await listed(store, all), [third, second, first]);
    assert.deepEqual(await listed(store, { ...all, limit: 2 }), [third, second]);
    const stored = (await store.load(first ?? '')) ?? assert.fail('it is stored');
    const amount = { minorUnits: 7, currency: 'SAR' } as const;
    await savedIn(store, stored, after(stored, {}, { state: 'paid', amount }));
    const [paid, unpaid] = [['paid'], ['unpaid', 'review']] as const;
    assert.deepEqual(await listed(store, { ...all, states: paid }), [first]);
    assert.deepEqual(await listed(store, { ...all, states: unpaid }), [third, second]);
    assert.deepEqual(await listed(store, { ...all, minorUnits: 7 }), [first]);
    assert.deepEqual(await listed(store, { ...all, minorUnits: 7, states: unpaid }), []);
  },
  async 'lists payments of one moment once, over all pages, while others are added'(store) {
    const since = ownHour();
    const all = await atOnce(7, () => createdIn(store, { createdAt: since + 1 }));
    const ids: string[] = [];
    for (const length of [2, 2, 2, 1]) {
      const last = { createdAt: since + 1, orderId: ids.at(-1) ?? '' };
      const below = ids.length === 0 ? { ...last, createdAt: since + HOUR_MS } : last;
      const page = await listed(store, { since, below, limit: 2 });
      ids.push(...page);
      assert.equal(page.length, length);
      await createdIn(store, { createdAt: since + 2 });
      const record = (await store.load(page[0] ?? '')) ?? assert.fail('it is stored');
      await savedIn(store, record, after(record, {}, { state: 'failed', updatedAt: since + 9 }));
    }
    assert.deepEqual(ids.toSorted(), all.map(idOf).toSorted());
  },
  async 'finds payments by how their orders’ ids begin, or by an id, page by page'(store) {
    const word = ownWord();
    const ends = ['', '.1', '+x', '%', 'X'];
    const orders = ends.map((end, index) => ({ orderId: word + end, createdAt: NOW + index }));
    const [first, second, third, fourth = '', last] = await idsIn(store, orders);
    assert.deepEqual(await begun(store, word), [last, fourth, third, second, first]);
    const page = { below: { createdAt: NOW + 3, orderId: fourth }, since: NOW + 1, limit: 1 };
    assert.deepEqual(await begun(store, word, page), [third]);
    assert.deepEqual(await begun(store, word, { states: ['paid'] }), []);
    assert.deepEqual(await begun(store, word, { minorUnits: 1 }), []);
    assert.deepEqual(await begun(store, `${word}%`), [fourth]);
    for (const none of [`${word}x`, `${word}_`, word.slice(1), word.toLowerCase()]) {
      assert.deepEqual(await begun(store, none), [], none);
    }
    const search = { orderId: word, beginnings: [`${word}X`, `${word}.`], names: [] };
    assert.deepEqual(await listed(store, { search }), [last, second, first]);
  },
  async 'lists orders by their ids, page by page, that have changed since'(store) {
    const [word, updatedAt] = [ownWord(), ownHour()];
    for (const end of '213') await createdIn(store, { orderId: word + end, updatedAt });
    const page = (last: string, since = updatedAt) =>
      pageIn(store, word, { of: 'orders', after: last, since, limit: 2 });
    assert.deepEqual(await page(word), [`${word}1`, `${word}2`]);
    assert.deepEqual(await page(`${word}2`), [`${word}3`]);
    assert.deepEqual(await page(word, updatedAt + 1), []);
    assert.equal((await store.list({ of: 'orders', after: null, since: 0, limit: 2 })).length, 2);
  },
  async 'lists what a clock may have put off: orders watched, and ended or stopped lately'(store) {
    const [word, now] = [ownWord(), ownHour()];
    const states = ['expired', 'failed', 'paid', 'pending', 'expired', 'review'] as const;
    for (const [index, state] of states.entries()) {
      const createdAt = now - (index === 4 ? ENDED_MS : 1);
      const record = await createdIn(store, { orderId: word + index, createdAt });
      await savedIn(store, record, after(record, {}, { state }), { at: now });
    }
    const watched = await openedIn(store, now - ENDED_MS, now, `${word}6`);
    await savedIn(store, watched, after(watched), { at: now });
    const page = (last: string, savedAfter = now - 1) =>
      pageIn(store, word, { of: 'put off', after: last, savedAfter, now, limit: 2 });
    assert.deepEqual(await page(word), [`${word}0`, `${word}1`]);
    assert.deepEqual(await page(`${word}1`), [`${word}5`, `${word}6`]);
    assert.deepEqual(await page(word, now), []);
    const ahead = { now: now + 9, gapMs: 1, leaseMs: 1, which: 'watched' } as const;
    await store.take(idOf(watched), ahead);
    assert.deepEqual(await page(word, now), [idOf(watched)]);
  },
  async 'lists what waits for a person, and money that is held, the oldest first'(store) {
    const [word, time] = [ownWord(), early()];
    const ended = { createdAt: 1, resolvedAt: NOW, resolution: 'looked' };
    const records = new Map<string, PaymentRecord>();
    for (const end of '312') {
      const [orderId, createdAt] = [word + end, time + Number(end)];
      const record = await createdIn(store, { orderId, createdAt, state: 'authorized' });
      const open = [{ createdAt: createdAt + 9 }, { createdAt }];
      const reviews = [...open, ended].map((rest) => reviewOf(record, 'paid_late', rest));
      const proposed = open.map((rest) => ({ ...rest, state: 'proposed' as const }));
      const operations = [...proposed, { createdAt: 1 }].map((rest) =>
        refundOf(record, randomUUID(), rest),
      );
      records.set(orderId, await savedIn(store, record, after(record, { reviews, operations })));
    }
    const listings = ['open reviews', 'proposals', 'held money'] as const;
    const pages = (limit: number) =>
      Promise.all(listings.map((of) => pageIn(store, word, { of, limit })));
    const ids = ['1', '2', '3'].map((end) => word + end);
    for (const [index, id] of ids.entries()) {
      const oldest = ids.slice(index, index + 2);
      await undisturbed(async () => assert.deepEqual(await pages(2), [oldest, oldest, oldest]));
      const record = records.get(id) ?? assert.fail('it is saved');
      const reviews = record.reviews.map((one) => ({ ...one, ...ended }));
      const operations = record.operations.map((one) => ({ ...one, state: 'failed' as const }));
      await savedIn(store, record, after(record, { reviews, operations }, { state: 'captured' }));
    }
    assert.deepEqual(await pages(1_000), [[], [], []]);
  },
});
