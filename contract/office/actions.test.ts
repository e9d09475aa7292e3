import { describe, expect, it } from 'vitest';
import { dashboardTexts } from '../../packages/gateway-sandbox/src/pages/dashboard/texts.ts';
import { HOSTILE, letEventsDie } from '../../packages/server-helper/test-support/office-records.ts';
import { problemIn } from '../../packages/server-helper/test-support/office-visitor.ts';
import { noticeIn, OfficeOfShop } from './shop.ts';

const shop = new OfficeOfShop();
const noura = shop.visitor();
const paid = () => shop.paid('1001');
const paidAtAnOldPrice = () => shop.paidAtAnOldPrice('1001');
const held = () => shop.sold('1001', 'authorize');
const sold = () => shop.sold('1001', 'capture');

/** A charge whose answer was lost; no status shows it, so that a person must. */
async function loseACharge(): Promise<void> {
  await sold();
  const fault = { operation: 'chargeRecurring', place: 'after-commit', kind: 'reset' } as const;
  await shop.control.addFault(fault);
  await shop.payments.chargeRecurring('1001', { amount: '50.00', periodKey: '2026-11' });
}

async function loseAnEvent(orderId = '1001'): Promise<void> {
  await shop.paid(orderId);
  await letEventsDie(shop.store);
}

async function resolved(): Promise<void> {
  await paidAtAnOldPrice();
  const { id = '' } = (await shop.entry('1001')) ?? {};
  await shop.payments.review.resolve(id, 'Refunded on the dashboard');
}

/** The address of what is done to the order, or of what is decided about its one matter. */
const addressOf = (action: string): string | Promise<string> =>
  action.startsWith('orders/') ? action : shop.matter('1001', action);

const REFUND = 'orders/1001/refund?amount=20';

/** Answers and sends the question whether to refund; gives what is said of it. */
const refunded = async () => noticeIn(await noura.send(await noura.form(REFUND)));

/** What is left of the order: its state, the operations and the events that died. */
async function left(): Promise<string> {
  const { payment, operations = [], effects = [] } = (await shop.payments.explain('1001')) ?? {};
  const moved = operations.filter(({ kind }) => kind !== 'sale');
  const all = moved.map(({ kind, state, requestedBy }) => `${kind} ${state} ${requestedBy}`);
  const outcomes = effects.map(({ outcome }) => outcome).filter((outcome) => outcome === 'dead');
  return [payment?.state, ...all, ...outcomes].join(', ');
}

/** How often the gateway was asked to move money. */
async function moves(): Promise<number> {
  const operations = ['refund', 'capture', 'void', 'chargeRecurring'];
  const sent = await Promise.all(operations.map((operation) => shop.sent(operation)));
  return sent.reduce((sum, count) => sum + count, 0);
}

const done = 'operation_succeeded';

/** Each thing that a person does, from what, what is said of it, and what it leaves. */
const actions = [
  ['orders/1001/refund?amount=20', paid, 'operation_pending', 'paid, refund pending Noura'],
  ['orders/1001/refund?amount=115', paid, 'operation_pending', 'paid, refund pending Noura'],
  ['orders/1001/capture?amount=115', held, done, 'captured, capture succeeded Noura'],
  ['orders/1001/void', held, done, 'voided, void succeeded Noura'],
  ['orders/1001/charge?amount=50&period=2026-11', sold, done, 'paid, recurring succeeded Noura'],
  ['orders/1001/reopen', resolved, 'reopened', 'failed'],
  ['accept', paidAtAnOldPrice, 'accepted', 'paid'],
  ['refund', paidAtAnOldPrice, 'operation_pending', 'review, refund pending Noura'],
  ['resolve', paidAtAnOldPrice, 'resolved', 'review'],
  ['happened', loseACharge, 'outcome_recorded', 'paid, recurring succeeded null'],
  ['not-happened', loseACharge, 'outcome_recorded', 'paid, recurring failed null'],
  ['redeliver', loseAnEvent, 'redelivered', 'paid'],
] as const;

it.each(actions)(
  '%s is shown to and done by a person with the right alone, once, in the name of who pressed, however often and from however many tabs',
  async (action, prepare, notice, after) => {
    await shop.reopen({ office: { may: (actor) => actor === 'Noura' } });
    await prepare();
    const address = await addressOf(action);
    const before = [await left(), await moves()] as const;
    const [tab, other] = [await noura.form(address), await noura.form(address)];
    for (const { fields } of [tab, other]) fields.set('why', 'Seen on the dashboard');
    const link = `${address.replace(/[?].*/, '')}"`;
    const page = address.startsWith('orders/') ? 'orders/1001' : 'review';
    expect(await noura.text(page)).toContain(link);
    const omar = shop.visitor('Omar');
    expect(await omar.text(page)).not.toContain(link);
    expect(await problemIn(await omar.get(address))).toBe('forbidden');
    expect(await problemIn(await omar.send(tab))).toBe('forbidden');
    expect([await left(), await moves()]).toEqual(before);
    const together = await Promise.all([noura.send(tab), noura.send(tab), noura.send(other)]);
    const said = [...together, await noura.send(tab), await noura.send(other)].map(noticeIn);
    // A press that comes while the first one is under way says so; a decision is over by then.
    const over = new Set(['operation_sending', action.startsWith('orders/') ? '' : 'matter_over']);
    expect([...new Set(said.filter((one) => !over.has(one)))]).toEqual([notice]);
    const isMove = notice === 'operation_pending' || notice === done;
    expect([await left(), await moves()]).toEqual([after, before[1] + (isMove ? 1 : 0)]);
  },
);

describe('what cannot be done now', () => {
  it('is neither shown nor done', async () => {
    await paid();
    const page = await noura.text('orders/1001');
    for (const name of ['capture', 'void', 'charge', 'cancel', 'reopen']) {
      expect(page).not.toContain(`orders/1001/${name}"`);
      const answer = await noura.get(`orders/1001/${name}`);
      expect([name, answer.status, await problemIn(answer)]).toEqual([name, 409, 'not_possible']);
    }
  });

  it.each([
    ['0', '0'],
    ['"><script>', '&quot;&gt;&lt;script&gt;'],
    ['115.01', '115.01'],
  ])('is told of the amount %s, which is kept, and no question is asked', async (amount, kept) => {
    await paid();
    const query = new URLSearchParams({ amount }).toString();
    for (const [language, words] of [
      ['en', amount === '115.01' ? 'That is too much' : 'Write an amount above zero'],
      ['ar', amount === '115.01' ? 'المبلغ أكبر من المتاح' : 'اكتب مبلغًا أكبر من صفر'],
    ] as const) {
      const answer = await shop.visitor('Noura', language).get(`orders/1001/refund?${query}`);
      const page = await answer.text();
      expect(answer.status).toBe(422);
      expect(page).toContain(words);
      expect(page).toContain(`value="${kept}"`);
      expect(page).not.toContain('confirm-refund');
    }
  });

  it('is checked again when the form is sent', async () => {
    await paid();
    const form = await noura.form(REFUND);
    form.fields.set('amount', '900.00');
    expect((await noura.send(form)).status).toBe(422);
    form.fields.set('amount', '20.00');
    form.fields.set('transaction', 'another');
    expect((await noura.send(form)).status).toBe(422);
    expect(await shop.sent('refund')).toBe(0);
  });
});

it('a refund typed on an Arabic keyboard is asked about in Arabic', async () => {
  await paid();
  const query = new URLSearchParams({ amount: '٢٠٫٥' }).toString();
  const page = await shop.visitor('Noura', 'ar').text(`orders/1001/refund?${query}`);
  expect(page).toContain('هل تريد استرداد \u206820.50\u00A0ريال\u2069 للعميل؟');
  expect(page).toContain('value="20.50"');
});

it('a refund is offered no more once all is on its way back', async () => {
  await paid();
  await noura.send(await noura.form('orders/1001/refund?amount=115'));
  expect(await noura.text('orders/1001')).not.toContain('data-test="refund-amount"');
});

it('a refund that the gateway rejects says that no money moved', async () => {
  await paid();
  const refusal = { place: 'before-validation', kind: 'status', status: 400 } as const;
  await shop.control.addFault({ operation: 'refund', ...refusal });
  expect(await refunded()).toBe('operation_failed');
  // The question after it is another one.
  expect(await refunded()).toBe('operation_pending');
});

it('a capture whose answer is lost is uncertain, is not sent again, and waits for a person', async () => {
  await held();
  await shop.control.addFault({ operation: 'capture', place: 'after-commit', kind: 'reset' });
  const form = await noura.form('orders/1001/capture?amount=115');
  const presses = [noticeIn(await noura.send(form)), noticeIn(await noura.send(form))];
  expect(presses).toEqual(['operation_unknown', 'operation_unknown']);
  expect(await shop.sent('capture')).toBe(1);
  expect(await noura.text('orders/1001')).not.toContain('data-test="capture"');
  expect(await noura.text('review')).toContain('data-reason="unknown_outcome"');
});

it('the question of a refund says that the outcome of an earlier one is not known', async () => {
  await paid();
  await shop.control.addFault({ operation: 'refund', place: 'after-commit', kind: 'reset' });
  expect(await noura.text(REFUND)).not.toContain('is not known');
  await refunded();
  expect(await noura.text(REFUND)).toContain('of an earlier refund is not known');
});

it('an order that nobody will pay is given up once, and a paid one never', async () => {
  const session = await shop.link('1002');
  const late = await noura.form('orders/1002/cancel');
  await shop.link('1001');
  const form = await noura.form('orders/1001/cancel');
  const notices = [noticeIn(await noura.send(form)), noticeIn(await noura.send(form))];
  expect(notices).toEqual(['cancelled', 'cancelled']);
  expect(await shop.payments.retrieve('1001')).toMatchObject({ cancelled: true });
  await shop.pay(session);
  const answer = await noura.send(late);
  expect([answer.status, await problemIn(answer)]).toEqual([409, 'refused']);
  expect(await shop.state('1002')).toBe('paid');
});

it('two different refunds that were asked for in the same moment are one, and the other is refused', async () => {
  await paid();
  const omar = shop.visitor('Omar', 'ar');
  const first = await noura.form(REFUND);
  const second = await omar.form('orders/1001/refund?amount=30');
  await noura.send(first);
  const answer = await omar.send(second);
  expect(noticeIn(answer)).toBe('other_meanwhile');
  expect(await shop.operations('1001')).toMatchObject([{ amount: '20.00' }]);
});

it('a question is asked again where the shop’s own code refunded since, and sent then', async () => {
  await paid();
  const form = await noura.form(REFUND);
  await shop.payments.refund('1001', { amount: '50.00', requestId: 'own-1' });
  const answer = await noura.send(form);
  const page = await answer.text();
  expect(answer.status).toBe(409);
  expect(page).toContain('The order has changed since this was asked. Nothing was done');
  expect(page).toContain('SAR\u00A045.00\u2069 of this transaction stays with you');
  expect(await shop.sent('refund')).toBe(1);
  expect(await refunded()).toBe('operation_pending');
});

it('the id of one order’s question is taken for no other, and so cannot be used up', async () => {
  await paid();
  await shop.paid('1002');
  const omar = shop.visitor('Omar');
  const form = await noura.form(REFUND);
  const other = await omar.form('orders/1002/refund?amount=20');
  other.fields.set('request', form.fields.get('request') ?? '');
  expect((await omar.send(other)).status).toBe(409);
  expect(noticeIn(await noura.send(form))).toBe('operation_pending');
  expect(await shop.operations('1002')).toEqual([]);
});

it('a second charge of a period by another amount is told that it was not made', async () => {
  await sold();
  const omar = shop.visitor('Omar');
  const first = await noura.form('orders/1001/charge?amount=10&period=2026-12');
  const second = await omar.form('orders/1001/charge?amount=40&period=2026-12');
  const notices = [noticeIn(await noura.send(first)), noticeIn(await omar.send(second))];
  expect(notices).toEqual(['operation_succeeded', 'other_meanwhile']);
  expect(await shop.sent('chargeRecurring')).toBe(1);
});

/** What the page of an order says of its money, a line each, without ids and times. */
async function storyOf(orderId: string, language: string): Promise<readonly string[]> {
  const page = await shop.visitor('Noura', language).text(`orders/${orderId}`);
  const [story = ''] = /data-test="money">[^]*?<\/ol>/.exec(page) ?? [];
  return [...story.matchAll(/<p class="line">([^]*?)<time/g)].map(([, line = '']) =>
    line
      .replaceAll(/<[^>]*>|[\u2066-\u2069]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

it('tells what happened to the money in plain words of both languages, the newest first and a decision before it', async () => {
  await paid();
  await shop.payments.refund('1001', { amount: '15.00', requestId: 'r-1' });
  const proposal = { amount: '60.00', requestId: 'r-2', by: 'Sara', propose: true };
  await shop.payments.refund('1001', proposal);
  expect(await storyOf('1001', 'en')).toEqual([
    'Refund of SAR 60.00 Waits for approval',
    'Refund of SAR 15.00 Accepted, not confirmed yet',
    'SAR 115.00 was paid for the order.',
  ]);
  expect(await storyOf('1001', 'ar')).toEqual([
    'استرداد بمبلغ 60.00 ريال بانتظار الموافقة',
    'استرداد بمبلغ 15.00 ريال قُبل ولم يتأكد بعد',
    'دُفع 115.00 ريال عن الطلب.',
  ]);
  await shop.paidAtAnOldPrice('1002');
  expect(await storyOf('1002', 'en')).toEqual([
    'A person must decide: The price changed before it was paid',
    'SAR 100.00 was paid, and does not match.',
  ]);
  expect(await noura.text('orders/1002')).toContain('Go to the review list');
});

it('says of an authorization that the money is held, and not that it was paid', async () => {
  await shop.sold('1003', 'authorize');
  expect(await storyOf('1003', 'en')).toEqual([
    'SAR 115.00 was held on the card.',
    'Authorization of SAR 115.00 Succeeded',
  ]);
  await shop.payments.capture('1003', { amount: '15.00', requestId: 'c-1' });
  await shop.payments.confirm('1003');
  expect(await storyOf('1003', 'en')).toEqual([
    'Held money was taken.',
    'Capture of SAR 15.00 Succeeded',
    'SAR 115.00 was held on the card.',
    'Authorization of SAR 115.00 Succeeded',
  ]);
});

it('folds the steps away where all is well, and shows them where an event of the order failed', async () => {
  const records = async (): Promise<string> =>
    /<details data-test="records"[^>]*>/.exec(await noura.text('orders/1004'))?.[0] ?? '';
  await shop.paid('1004');
  expect(await records()).not.toMatch(/open/);
  await letEventsDie(shop.store);
  expect(await records()).toMatch(/ open>/);
});

it.each([
  ['en', 'resolve', 422, '  ', 'Say what you found out'],
  ['ar', 'resolve', 422, '  ', 'اكتب ما توصلت إليه'],
  ['en', 'accept', 409, HOSTILE, 'The gateway does not say for certain'],
  ['ar', 'accept', 409, HOSTILE, 'لا تؤكد البوابة الآن'],
] as const)(
  'in %s, to %s what is not possible is answered with %i and in words, and what was typed and chosen is kept',
  async (language, action, status, why, words) => {
    await paidAtAnOldPrice();
    const reader = shop.visitor('Noura', language);
    const form = await reader.form(await shop.matter('1001', action));
    form.fields.set('reopen', 'yes');
    form.fields.set('why', why);
    const silence = { place: 'body', kind: 'empty', count: null } as const;
    await shop.control.addFault({ operation: 'retrieveStatus', ...silence });
    const answer = await reader.send(form);
    const page = await answer.text();
    expect(answer.status).toBe(status);
    expect(page).toContain(words);
    if (action === 'resolve') expect(page).toMatch(/name="reopen"\s+value="yes"\s+checked/);
    else expect(page).toContain('onerror=&#39;alert(2)&#39;');
    expect(page).not.toMatch(/<script>|<img/);
    expect(await shop.state('1001')).toBe('review');
    expect(await shop.entry('1001')).toBeDefined();
  },
);

it('an event that was not delivered is delivered again from the order’s page too, by the same question', async () => {
  await shop.reopen({ office: { may: (actor) => actor === 'Noura' } });
  await loseAnEvent('1001');
  const address = await shop.matter('1001', 'redeliver');
  const page = await noura.text('orders/1001');
  const id = /action="..\/review\/redeliver"[^]*?name="id" value="([^"]*)"/.exec(page)?.[1] ?? '';
  expect(address).toBe(`review/redeliver?${new URLSearchParams({ id }).toString()}`);
  expect(await shop.visitor('Omar').text('orders/1001')).not.toContain('review/redeliver');
  await noura.send(await noura.form(address));
  expect(await noura.text('orders/1001')).not.toContain('review/redeliver');
});

it('a lost sale is recorded with the transaction that the gateway’s dashboard shows', async () => {
  await shop.control.addFault({ operation: 'sale', place: 'after-commit', kind: 'reset' });
  await sold();
  const form = await noura.form(await shop.matter('1001', 'happened'));
  form.fields.set('why', 'Seen on the dashboard');
  form.fields.set('transaction', 'two words');
  const answer = await noura.send(form);
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain('value="two words"');
  const [ledger] = await shop.control.ledger();
  const id = JSON.stringify(ledger).match(/"transactionId":"([^"]+)"/)?.[1] ?? '';
  form.fields.set('transaction', id);
  expect(noticeIn(await noura.send(form))).toBe('outcome_recorded');
  await shop.payments.confirm('1001');
  expect(await shop.state('1001')).toBe('paid');
});

it('a matter behind a thousand older ones, which the list does not show, is decided too', async () => {
  await paidAtAnOldPrice();
  await loseAnEvent('1002');
  await shop.paid('1003');
  const proposal = { amount: '20.00', requestId: 'r-1', by: 'Omar', propose: true };
  await shop.payments.refund('1003', proposal);
  const asked = { '1001': 'resolve', '1002': 'redeliver', '1003': 'approve' };
  const addresses = await Promise.all(Object.entries(asked).map((one) => shop.matter(...one)));
  const list = shop.store.list.bind(shop.store);
  shop.store.list = async (listing) => (listing.of === 'payments' ? list(listing) : []);
  shop.store.deadLetters = async () => [];
  for (const address of addresses) {
    expect([address, (await noura.get(address)).status]).toEqual([address, 200]);
  }
});

it('in Arabic an authorization is captured and released by the words of the gateway’s dashboard', async () => {
  await held();
  const page = await shop.visitor('Noura', 'ar').text('orders/1001');
  const { capture, void: release } = dashboardTexts.ar;
  for (const words of [capture, release]) expect(page).toContain(words);
});
