import assert from 'node:assert/strict';
import type { Save, SaveResult } from '@pay-button/server-helper';
import { beforeEach, describe, expect, it } from 'vitest';
import { HOSTILE } from '../../packages/server-helper/test-support/office-records.ts';
import { problemIn } from '../../packages/server-helper/test-support/office-visitor.ts';
import { noticeIn, OfficeOfShop } from './shop.ts';

const shop = new OfficeOfShop();

/** A charge whose answer was lost; no status shows it, so that a person must. */
async function loseACharge(orderId: string): Promise<void> {
  await shop.sold(orderId, 'capture');
  await shop.control.addFault({
    operation: 'chargeRecurring',
    place: 'after-commit',
    kind: 'reset',
  });
  await shop.payments.chargeRecurring(orderId, { amount: '50.00', periodKey: '2026-11' });
}

async function loseAnEvent(orderId: string): Promise<void> {
  await shop.paid(orderId);
  await shop.letEventsDie();
}

const kindsOf = async (orderId: string): Promise<readonly string[]> =>
  (await shop.operations(orderId)).map(({ kind, state }) => `${kind} ${state}`);

/** Each decision, what it leaves, and from what. */
const decisions = [
  {
    name: 'accept',
    notice: 'accepted',
    prepare: () => shop.paidAtAnOldPrice('1001'),
    left: async () => [await shop.state('1001')],
    after: ['paid'],
  },
  {
    name: 'refund',
    notice: 'operation_pending',
    prepare: () => shop.paidAtAnOldPrice('1001'),
    left: () => kindsOf('1001'),
    after: ['refund pending'],
  },
  {
    name: 'resolve',
    notice: 'resolved',
    prepare: () => shop.paidAtAnOldPrice('1001'),
    left: async () => [await shop.state('1001')],
    after: ['review'],
  },
  {
    name: 'happened',
    notice: 'outcome_recorded',
    prepare: () => loseACharge('1001'),
    left: () => kindsOf('1001'),
    after: ['sale succeeded', 'recurring succeeded'],
  },
  {
    name: 'not-happened',
    notice: 'outcome_recorded',
    prepare: () => loseACharge('1001'),
    left: () => kindsOf('1001'),
    after: ['sale succeeded', 'recurring failed'],
  },
  {
    name: 'redeliver',
    notice: 'redelivered',
    prepare: () => loseAnEvent('1001'),
    left: async () =>
      ((await shop.payments.explain('1001'))?.effects ?? []).map(({ outcome }) => outcome),
    after: ['waiting'],
  },
] as const;

describe.each(decisions)('$name', ({ name, notice, prepare, left, after }) => {
  beforeEach(prepare);

  it('is done once, by two presses and in two tabs, and the later ones say that it is over', async () => {
    const noura = shop.visitor();
    const address = await shop.matter('1001', name);
    const before = await left();
    const [tab, other] = [await noura.form(address), await noura.form(address)];
    expect(await left()).toEqual(before);
    for (const { fields } of [tab, other]) fields.set('why', 'Seen on the dashboard');
    const together = await Promise.all([noura.send(tab), noura.send(tab), noura.send(other)]);
    const later = await noura.send(tab);
    const said = [...together, later].map(noticeIn);
    expect(said).toContain(notice);
    const allowed = new Set<string>([notice, 'matter_over', 'operation_sending']);
    expect(said.filter((one) => !allowed.has(one))).toEqual([]);
    expect(await left()).toEqual(after);
    expect(await shop.sent('refund')).toBe(name === 'refund' ? 1 : 0);
  });
});

it.each(decisions)(
  '$name is neither shown to nor done by a person without the right',
  async ({ name, prepare, left }) => {
    await shop.reopen({ office: { may: (actor) => actor === 'Noura' } });
    await prepare();
    const address = await shop.matter('1001', name);
    const form = await shop.visitor().form(address);
    form.fields.set('why', 'Seen on the dashboard');
    const before = await left();
    const omar = shop.visitor('Omar');
    expect(await omar.text('review')).not.toContain(`review/${name}"`);
    expect(await problemIn(await omar.get(address))).toBe('forbidden');
    expect(await problemIn(await omar.send(form))).toBe('forbidden');
    expect(await left()).toEqual(before);
  },
);

it.each([
  ['en', 'Say what you found out'],
  ['ar', 'اكتب ما توصلت إليه'],
] as const)(
  'in %s, a decision without its reason is asked for it, and what was chosen is kept',
  async (language, words) => {
    await shop.paidAtAnOldPrice('1001');
    const noura = shop.visitor('Noura', language);
    const form = await noura.form(await shop.matter('1001', 'resolve'));
    form.fields.set('reopen', 'yes');
    form.fields.set('why', '  ');
    const answer = await noura.send(form);
    const page = await answer.text();
    expect(answer.status).toBe(422);
    expect(page).toContain(words);
    expect(page).toMatch(/name="reopen"\s+value="yes"\s+checked/);
    expect(await shop.entry('1001')).toBeDefined();
  },
);

it.each([
  ['en', 'The gateway does not say for certain'],
  ['ar', 'لا تؤكد البوابة الآن'],
] as const)(
  'in %s, a refusal of the engine is said in words, and what was typed is kept',
  async (language, words) => {
    await shop.paidAtAnOldPrice('1001');
    const noura = shop.visitor('Noura', language);
    const form = await noura.form(await shop.matter('1001', 'accept'));
    form.fields.set('why', HOSTILE);
    await shop.control.addFault({
      operation: 'retrieveStatus',
      place: 'body',
      kind: 'empty',
      count: null,
    });
    const answer = await noura.send(form);
    const page = await answer.text();
    expect(answer.status).toBe(409);
    expect(page).toContain(words);
    expect(page).toContain('onerror=&#39;alert(2)&#39;');
    expect(page).not.toMatch(/<script>|<img/);
    expect(await shop.state('1001')).toBe('review');
  },
);

it('an order whose reviews were resolved is let be paid anew, once, by a decision of its own', async () => {
  await shop.paidAtAnOldPrice('1001');
  const noura = shop.visitor();
  const form = await noura.form(await shop.matter('1001', 'resolve'));
  form.fields.set('why', 'Refunded on the dashboard');
  await noura.send(form);
  const reopen = await noura.form('orders/1001/reopen');
  reopen.fields.set('why', 'The customer wants to pay again');
  const notices = [noticeIn(await noura.send(reopen)), noticeIn(await noura.send(reopen))];
  expect(notices).toEqual(['reopened', 'reopened']);
  expect(await shop.state('1001')).not.toBe('review');
});

it.each([
  ['en', 'is delivered again, asked for by Noura.'],
  ['ar', 'بطلب من \u2068Noura\u2069'],
] as const)(
  'in %s, the order’s timeline names who had an event delivered again',
  async (to, words) => {
    await loseAnEvent('1001');
    const noura = shop.visitor('Noura', to);
    await noura.send(await noura.form(await shop.matter('1001', 'redeliver')));
    expect(await noura.text('orders/1001')).toContain(words);
  },
);

it('an event that was not delivered is delivered again from the order’s page too, by the same question', async () => {
  await shop.reopen({ office: { may: (actor) => actor === 'Noura' } });
  await loseAnEvent('1001');
  const noura = shop.visitor();
  const address = await shop.matter('1001', 'redeliver');
  const page = await noura.text('orders/1001');
  const [, id = ''] =
    /action="..\/review\/redeliver"[^]*?name="id" value="([^"]*)"/.exec(page) ?? [];
  expect(address).toBe(`review/redeliver?${new URLSearchParams({ id }).toString()}`);
  expect(await shop.visitor('Omar').text('orders/1001')).not.toContain('review/redeliver');
  await noura.send(await noura.form(address));
  expect(await noura.text('orders/1001')).not.toContain('review/redeliver');
});

it('a lost sale is recorded with the transaction that the gateway’s dashboard shows', async () => {
  await shop.control.addFault({ operation: 'sale', place: 'after-commit', kind: 'reset' });
  await shop.sold('1001', 'capture');
  const noura = shop.visitor();
  const form = await noura.form(await shop.matter('1001', 'happened'));
  form.fields.set('why', 'Seen on the dashboard');
  form.fields.set('transaction', 'two words');
  const answer = await noura.send(form);
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain('value="two words"');
  const [ledger] = await shop.control.ledger();
  form.fields.set(
    'transaction',
    JSON.stringify(ledger).match(/"transactionId":"([^"]+)"/)?.[1] ?? '',
  );
  expect(noticeIn(await noura.send(form))).toBe('outcome_recorded');
  await shop.payments.confirm('1001');
  expect(await shop.state('1001')).toBe('paid');
});

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

it('a matter behind a thousand older ones, which the list does not show, is decided too', async () => {
  await shop.paidAtAnOldPrice('1001');
  await loseAnEvent('1002');
  await shop.paid('1003');
  const proposal = { amount: '20.00', requestId: 'r-1', by: 'Omar', propose: true };
  await shop.payments.refund('1003', proposal);
  const actions = { '1001': 'resolve', '1002': 'redeliver', '1003': 'approve' };
  const matters = Object.entries(actions).map((one) => shop.matter(...one));
  const addresses = await Promise.all(matters);
  const list = shop.store.list.bind(shop.store);
  shop.store.list = async (asked) => (asked.of === 'payments' ? list(asked) : []);
  shop.store.deadLetters = async () => [];
  for (const address of addresses) {
    expect([address, (await shop.visitor().get(address)).status]).toEqual([address, 200]);
  }
});
