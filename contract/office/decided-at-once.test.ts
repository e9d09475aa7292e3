import assert from 'node:assert/strict';
import type { Save, SaveResult } from '@pay-button/server-helper';
import { expect, it } from 'vitest';
import { noticeIn, OfficeOfShop } from './shop.ts';

const shop = new OfficeOfShop();

/**
 * Holds the next two commits until both are decided on the same document, then lets them go one after the
 * other. What only says when an order was checked is nobody's decision, and goes through; a commit that was
 * decided before it is decided again.
 *
 * @returns how they end, in their order.
 */
function meetAtCommit(goesFirst: (save: Save) => boolean): readonly string[] {
  const { store } = shop;
  const save = store.save.bind(store);
  let held: { readonly asked: Save; readonly go: () => Promise<SaveResult> }[] = [];
  const outcomes: string[] = [];
  const versionOf = ({ asked }: (typeof held)[number]): number => asked.record.payment.version;
  const meet = async (...both: typeof held): Promise<void> => {
    for (const { go } of both) outcomes.push((await go()).outcome);
  };
  store.save = (...given) => {
    if (given[0].entry === null) return save(...given);
    return new Promise((resolve) => {
      const go = async (): Promise<SaveResult> => {
        const result = await save(...given);
        resolve(result);
        return result;
      };
      const all = [...held, { asked: given[0], go }].toSorted(
        (a, b) => versionOf(a) - versionOf(b),
      );
      const [first, second] = all;
      held = all;
      if (first === undefined || second === undefined) return;
      if (versionOf(first) < versionOf(second)) {
        held = [second];
        return void first.go();
      }
      store.save = save;
      const [winner, loser] = goesFirst(first.asked) ? [first, second] : [second, first];
      void meet(winner, loser);
    });
  };
  return outcomes;
}

it.each([
  ['accepts', 'paid', 0],
  ['refunds', 'review', 1],
] as const)(
  'money that one person accepts and another refunds at once is of the one who %s it first',
  async (verb, state, refunds) => {
    await shop.paidAtAnOldPrice('1001');
    const accept = await shop.visitor().form(await shop.matter('1001', 'accept'));
    accept.fields.set('why', 'The old price is fine');
    const omar = shop.visitor('Omar');
    const refund = await omar.form(await shop.matter('1001', 'refund'));
    const outcomes = meetAtCommit(
      ({ record }) => record.operations.length > 0 === (verb === 'refunds'),
    );
    await Promise.all([shop.visitor().send(accept), omar.send(refund)]);
    expect(outcomes).toEqual(['saved', 'conflict']);
    expect(await shop.state('1001')).toBe(state);
    expect(await shop.sent('refund')).toBe(refunds);
  },
);

it('a refund that answers a review is not sent once that review is over', async () => {
  await shop.paidAtAnOldPrice('1001');
  const { id: reviewId } = (await shop.entry('1001')) ?? { id: '' };
  await shop.payments.review.accept(reviewId, 'The old price is fine');
  const refund = { amount: '100.00', requestId: 'r-1' };
  for (const over of [reviewId, '1001/order_changed/another', '']) {
    const sent = shop.payments.refund('1001', { ...refund, reviewId: over });
    await expect(sent).rejects.toMatchObject({ code: 'not_found_in_store' });
  }
  expect(await shop.sent('refund')).toBe(0);
  await shop.payments.refund('1001', refund);
  expect(await shop.sent('refund')).toBe(1);
});

it('a refund that answers a review says so again when its form is sent again', async () => {
  await shop.paidAtAnOldPrice('1001');
  const omar = shop.visitor('Omar');
  const form = await omar.form(await shop.matter('1001', 'refund'));
  const said = [noticeIn(await omar.send(form)), noticeIn(await omar.send(form))];
  expect(said).toEqual(['operation_pending', 'operation_pending']);
});

it('money is not accepted while a refund of it waits for approval', async () => {
  await shop.paidAtAnOldPrice('1001');
  const matter = await shop.entry('1001');
  assert(matter?.kind === 'payment');
  const { id: reviewId, about: transactionId } = matter;
  const asked = { amount: '100.00', requestId: 'r-1', by: 'Omar', propose: true, transactionId };
  const { operationId } = await shop.payments.refund('1001', asked);
  const accept = (): Promise<void> =>
    shop.payments.review.accept(reviewId, 'The old price is fine');
  await expect(accept()).rejects.toMatchObject({ code: 'operation_in_progress' });
  await shop.payments.resolveOperation(operationId, 'withdrawn', 'Not needed');
  await accept();
  expect(await shop.state('1001')).toBe('paid');
  expect(await shop.sent('refund')).toBe(0);
});
