import { beforeEach, describe, expect, it } from 'vitest';
import { problemIn } from '../../packages/server-helper/test-support/office-visitor.ts';
import { noticeIn, OfficeOfShop } from './shop.ts';

const shop = new OfficeOfShop();

/** Each action that moves an order's money, from a state in which it is possible. */
const moves = [
  {
    name: 'refund',
    client: 'refund',
    address: 'orders/1001/refund?amount=20',
    notice: 'operation_pending',
    prepare: () => shop.paid('1001'),
  },
  {
    name: 'refund of everything',
    client: 'refund',
    address: 'orders/1001/refund?amount=115',
    notice: 'operation_pending',
    prepare: () => shop.paid('1001'),
  },
  {
    name: 'capture',
    client: 'capture',
    address: 'orders/1001/capture?amount=115.00',
    notice: 'operation_succeeded',
    prepare: () => shop.sold('1001', 'authorize'),
  },
  {
    name: 'void',
    client: 'void',
    address: 'orders/1001/void',
    notice: 'operation_succeeded',
    prepare: () => shop.sold('1001', 'authorize'),
  },
  {
    name: 'charge',
    client: 'chargeRecurring',
    address: 'orders/1001/charge?amount=50&period=2026-11',
    notice: 'operation_succeeded',
    prepare: () => shop.sold('1001', 'capture'),
  },
] as const;

describe.each(moves)('a $name', ({ client, address, notice, prepare }) => {
  beforeEach(prepare);

  it('is sent once, named by who pressed, however often and from however many tabs', async () => {
    const noura = shop.visitor();
    const [tab, other] = [await noura.form(address), await noura.form(address)];
    expect(await shop.sent(client)).toBe(0);
    const together = await Promise.all([noura.send(tab), noura.send(tab), noura.send(other)]);
    const later = [await noura.send(tab), await noura.send(other)];
    const said = new Set([...together, ...later].map(noticeIn));
    // A press that comes while the first one is under way says so.
    said.delete('operation_sending');
    expect([...said]).toEqual([notice]);
    expect(await shop.sent(client)).toBe(1);
    const moved = (await shop.operations('1001')).filter(({ kind }) => kind !== 'sale');
    expect(moved).toMatchObject([{ requestedBy: 'Noura' }]);
  });
});

describe('a person without the right', () => {
  beforeEach(async () => {
    await shop.reopen({ office: { may: (actor) => actor === 'Noura' } });
  });

  it.each(moves)('neither sees nor does a $name', async ({ client, address, prepare }) => {
    await prepare();
    const form = await shop.visitor('Noura').form(address);
    const omar = shop.visitor('Omar');
    expect(await omar.text('orders/1001')).not.toContain(
      `action="../orders/1001/${address.split(/[/?]/)[2]}"`,
    );
    expect(await problemIn(await omar.get(address))).toBe('forbidden');
    expect(await problemIn(await omar.send(form))).toBe('forbidden');
    expect(await shop.sent(client)).toBe(0);
  });
});

describe('what cannot be done now', () => {
  it('is neither shown nor done', async () => {
    await shop.paid('1001');
    const noura = shop.visitor();
    const page = await noura.text('orders/1001');
    for (const name of ['capture', 'void', 'charge', 'cancel', 'reopen']) {
      expect(page).not.toContain(`orders/1001/${name}"`);
      const answer = await noura.get(`orders/1001/${name}`);
      expect([name, answer.status, await problemIn(answer)]).toEqual([name, 409, 'not_possible']);
    }
  });

  it.each([
    ['nothing', ''],
    ['zero', '0'],
    ['too many decimals', '1.005'],
    ['a minus', '-5'],
    ['a word', '"><script>alert(1)</script>'],
    ['more than there is', '115.01'],
  ])(
    'is told of an amount that is %s, which is kept, and no question is asked',
    async (_what, amount) => {
      await shop.paid('1001');
      const query = new URLSearchParams({ amount }).toString();
      for (const [language, words] of [
        ['en', amount === '115.01' ? 'That is too much' : 'Write an amount above zero'],
        ['ar', amount === '115.01' ? 'المبلغ أكبر من المتاح' : 'اكتب مبلغًا أكبر من صفر'],
      ] as const) {
        const answer = await shop.visitor('Noura', language).get(`orders/1001/refund?${query}`);
        const page = await answer.text();
        expect(answer.status).toBe(422);
        expect(page).toContain(words);
        const kept = amount
          .replaceAll('"', '&quot;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;');
        expect(page).toContain(`value="${kept}"`);
        expect(page).not.toContain('confirm-refund');
      }
    },
  );

  it('is checked again when the form is sent', async () => {
    await shop.paid('1001');
    const noura = shop.visitor();
    const form = await noura.form('orders/1001/refund?amount=20');
    form.fields.set('amount', '900.00');
    expect((await noura.send(form)).status).toBe(422);
    form.fields.set('amount', '20.00');
    form.fields.set('transaction', 'another');
    expect((await noura.send(form)).status).toBe(422);
    expect(await shop.sent('refund')).toBe(0);
  });
});

it('a refund typed on an Arabic keyboard is asked about in Arabic', async () => {
  await shop.paid('1001');
  const query = new URLSearchParams({ amount: '٢٠٫٥' }).toString();
  const page = await shop.visitor('Noura', 'ar').text(`orders/1001/refund?${query}`);
  expect(page).toContain('هل تريد استرداد \u206820.50\u00A0ريال\u2069 للعميل؟');
  expect(page).toContain('value="20.50"');
});

it('a refund that the gateway rejects says that no money moved', async () => {
  await shop.paid('1001');
  await shop.control.addFault({
    operation: 'refund',
    place: 'before-validation',
    kind: 'status',
    status: 400,
  });
  const noura = shop.visitor();
  const answer = await noura.send(await noura.form('orders/1001/refund?amount=20'));
  expect(noticeIn(answer)).toBe('operation_failed');
  // The question after it is another one.
  const again = await noura.send(await noura.form('orders/1001/refund?amount=20'));
  expect(noticeIn(again)).toBe('operation_pending');
});

it.each([
  ['is lost', { place: 'after-commit', kind: 'reset' }],
  ['is empty', { place: 'body', kind: 'empty' }],
  ['leads elsewhere, as a challenge does', { place: 'after-commit', kind: 'redirect' }],
] as const)(
  'a capture whose answer %s is uncertain, is not sent again, and waits for a person',
  async (_what, fault) => {
    await shop.sold('1001', 'authorize');
    await shop.control.addFault({ operation: 'capture', ...fault });
    const noura = shop.visitor();
    const form = await noura.form('orders/1001/capture?amount=115');
    for (const press of [1, 2]) {
      expect([press, noticeIn(await noura.send(form))]).toEqual([press, 'operation_unknown']);
    }
    expect(await shop.sent('capture')).toBe(1);
    expect(await noura.text('orders/1001')).not.toContain('data-test="capture"');
    expect(await noura.text('review')).toContain('data-reason="unknown_outcome"');
  },
);

it('an order that nobody will pay is given up once, and a paid one never', async () => {
  await shop.link('1001');
  const noura = shop.visitor();
  const form = await noura.form('orders/1001/cancel');
  expect([noticeIn(await noura.send(form)), noticeIn(await noura.send(form))]).toEqual([
    'cancelled',
    'cancelled',
  ]);
  expect(await shop.payments.retrieve('1001')).toMatchObject({ cancelled: true });
  expect(await noura.text('orders/1001')).toContain(
    'The merchant cancelled the order, asked for by Noura.',
  );
  const other = await shop.link('1002');
  const late = await noura.form('orders/1002/cancel');
  await shop.pay(other);
  const answer = await noura.send(late);
  expect([answer.status, await problemIn(answer)]).toEqual([409, 'refused']);
  expect(await shop.state('1002')).toBe('paid');
});
