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
  const notices = [noticeIn(await noura.send(form)), noticeIn(await noura.send(form))];
  expect(notices).toEqual(['cancelled', 'cancelled']);
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

it('two different refunds that were asked for in the same moment are one, and the other is refused', async () => {
  await shop.paid('1001');
  const [noura, omar] = [shop.visitor(), shop.visitor('Omar', 'ar')];
  const first = await noura.form('orders/1001/refund?amount=20');
  const second = await omar.form('orders/1001/refund?amount=30');
  await noura.send(first);
  const answer = await omar.send(second);
  expect(noticeIn(answer)).toBe('other_meanwhile');
  expect(await shop.operations('1001')).toMatchObject([{ amount: '20.00' }]);
});

it('a question is asked again where the shop’s own code refunded since, and sent then', async () => {
  await shop.paid('1001');
  const noura = shop.visitor();
  const form = await noura.form('orders/1001/refund?amount=20');
  await shop.payments.refund('1001', { amount: '50.00', requestId: 'own-1' });
  const answer = await noura.send(form);
  const page = await answer.text();
  expect(answer.status).toBe(409);
  expect(page).toContain('The order has changed since this was asked. Nothing was done');
  expect(page).toContain('SAR\u00A045.00\u2069 of this transaction stays with you');
  expect(await shop.sent('refund')).toBe(1);
  const again = await noura.send(await noura.form('orders/1001/refund?amount=20'));
  expect(noticeIn(again)).toBe('operation_pending');
});

it('the id of one order’s question is taken for no other, and so cannot be used up', async () => {
  await shop.paid('1001');
  await shop.paid('1002');
  const [noura, omar] = [shop.visitor(), shop.visitor('Omar')];
  const form = await noura.form('orders/1001/refund?amount=20');
  const other = await omar.form('orders/1002/refund?amount=20');
  other.fields.set('request', form.fields.get('request') ?? '');
  expect((await omar.send(other)).status).toBe(409);
  expect(noticeIn(await noura.send(form))).toBe('operation_pending');
  expect(await shop.operations('1002')).toEqual([]);
});

it('a second charge of a period by another amount is told that it was not made', async () => {
  await shop.sold('1001', 'capture');
  const [noura, omar] = [shop.visitor(), shop.visitor('Omar')];
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

it('tells what happened to the money in plain words of both languages, the newest first', async () => {
  await shop.paid('1001');
  await shop.payments.refund('1001', { amount: '15.00', requestId: 'r-1' });
  await shop.payments.refund('1001', {
    amount: '60.00',
    requestId: 'r-2',
    by: 'Sara',
    propose: true,
  });
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
});

it('names a decision before the money that it is about, and leads to the review list', async () => {
  await shop.paidAtAnOldPrice('1002');
  expect(await storyOf('1002', 'en')).toEqual([
    'A person must decide: The price changed before it was paid',
    'SAR 100.00 was paid, and does not match.',
  ]);
  expect(await shop.visitor('Noura').text('orders/1002')).toContain('Go to the review list');
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
    /<details data-test="records"[^>]*>/.exec(
      await shop.visitor('Noura').text('orders/1004'),
    )?.[0] ?? '';
  await shop.paid('1004');
  expect(await records()).not.toMatch(/open/);
  await shop.letEventsDie();
  expect(await records()).toMatch(/ open>/);
});

/** The one transaction of the shop on the gateway's dashboard, in Arabic. */
async function dashboardPage(): Promise<string> {
  const signIn = await fetch(`${shop.sandbox.url}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...shop.tenant.portal, environment: 'staging' }),
  });
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = async (path: string) =>
    (await fetch(`${shop.sandbox.url}${path}`, { headers: { cookie } })).text();
  const list = await page('/dashboard/transactions?lang=ar');
  const [, address = ''] = /href="([^"]+)"\s+data-test="open-transaction"/.exec(list) ?? [];
  return page(address);
}

it('in Arabic an authorization is captured and released by the same words in the back office and on the dashboard', async () => {
  await shop.sold('1001', 'authorize');
  const office = await shop.visitor('Noura', 'ar').text('orders/1001');
  const dashboard = await dashboardPage();
  for (const words of ['تحصيل', 'فك الحجز']) {
    expect([words, office.includes(words), dashboard.includes(words)]).toEqual([words, true, true]);
  }
});
