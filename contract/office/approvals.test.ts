import { randomUUID } from 'node:crypto';
import type { SaveResult } from '@pay-button/server-helper';
import { beforeEach, describe, expect, it } from 'vitest';
import { problemIn } from '../../packages/server-helper/test-support/office-visitor.ts';
import { noticeIn, OfficeOfShop } from './shop.ts';

describe('a refund above the limit', () => {
  const shop = new OfficeOfShop({ office: { approvals: { refundAbove: '50.00' } } });
  const noura = shop.visitor();

  beforeEach(() => shop.paid('1001'));

  const ask = async (amount: string): Promise<string> =>
    noticeIn(await noura.send(await noura.form(`orders/1001/refund?amount=${amount}`)));

  it('waits for another person, who sends it once', async () => {
    expect(await ask('50.01')).toBe('operation_proposed');
    expect(await shop.sent('refund')).toBe(0);
    const page = await noura.text('orders');
    expect(page).toContain('<span class="spoken">\u20681\u2069 waiting</span>');
    const address = await shop.matter('1001', 'approve');
    for (const name of ['Noura', 'NOURA']) {
      expect(await problemIn(await shop.visitor(name).get(address))).toBe('not_possible');
    }
    const omar = shop.visitor('Omar');
    const form = await omar.form(address);
    const said = (await Promise.all([omar.send(form), omar.send(form)])).map(noticeIn);
    expect(said).toContain('operation_pending');
    expect(noticeIn(await omar.send(form))).toBe('matter_over');
    expect(await shop.sent('refund')).toBe(1);
    const people = { requestedBy: 'Noura', approvedBy: 'Omar' };
    expect(await shop.operations('1001')).toMatchObject([people]);
  });

  it('does not go out in parts that nobody approved', async () => {
    expect([await ask('30'), await ask('20')]).toEqual(['operation_pending', 'operation_pending']);
    expect(await ask('0.01')).toBe('operation_proposed');
    expect(await shop.sent('refund')).toBe(2);
  });

  it('does not go out in parts that are sent side by side, under ids that no question had', async () => {
    const form = await noura.form('orders/1001/refund?amount=50');
    const parts = [form.fields.get('request') ?? '', `office-${randomUUID()}`].map((id) => {
      const fields = new URLSearchParams(form.fields);
      fields.set('request', id);
      return noura.send({ ...form, fields });
    });
    expect((await Promise.all(parts)).map(({ status }) => status)).toEqual([303, 409]);
    expect(await shop.sent('refund')).toBe(1);
  });

  it('is only proposed where the question said so, also if it came below the limit since', async () => {
    expect(await ask('40')).toBe('operation_pending');
    const form = await noura.form('orders/1001/refund?amount=30');
    const [first] = await shop.operations('1001');
    await shop.payments.resolveOperation(first?.operationId ?? '', 'failed', 'The bank said no');
    expect(noticeIn(await noura.send(form))).toBe('operation_proposed');
    expect(await shop.sent('refund')).toBe(1);
  });

  it('is withdrawn, also by the person who asked, and is not sent any more', async () => {
    await ask('100');
    const form = await noura.form(await shop.matter('1001', 'withdraw'));
    form.fields.set('why', 'A mistake');
    const notices = [noticeIn(await noura.send(form)), noticeIn(await noura.send(form))];
    expect(notices).toEqual(['withdrawn', 'matter_over']);
    expect(await shop.operations('1001')).toMatchObject([{ state: 'failed', resolvedBy: 'Noura' }]);
    expect(await shop.sent('refund')).toBe(0);
  });
});

/**
 * Lets something else happen between a decision and its commit. What only says when an order was checked is
 * nobody's decision.
 *
 * @returns how the commit ends.
 */
function beforeNextCommit(
  { store }: OfficeOfShop,
  happens: () => Promise<unknown>,
): Promise<SaveResult['outcome']> {
  const save = store.save.bind(store);
  return new Promise((resolve) => {
    store.save = async (...given) => {
      if (given[0].entry === null) return save(...given);
      store.save = save;
      await happens();
      const result = await save(...given);
      resolve(result.outcome);
      return result;
    };
  });
}

describe('money that several people decide about', () => {
  const shop = new OfficeOfShop();

  it.each([
    ['accepts', 'paid', 0],
    ['refunds', 'review', 1],
  ] as const)(
    'money accepted and refunded at once is of the one who %s it first',
    async (verb, state, refunds) => {
      await shop.paidAtAnOldPrice('1001');
      const [noura, omar] = [shop.visitor(), shop.visitor('Omar')];
      const accept = await noura.form(await shop.matter('1001', 'accept'));
      accept.fields.set('why', 'The old price is fine');
      const refund = await omar.form(await shop.matter('1001', 'refund'));
      const sends = [() => noura.send(accept), () => omar.send(refund)] as const;
      const [first, second] = verb === 'accepts' ? sends : sends.toReversed();
      const outcome = beforeNextCommit(shop, async () => first?.());
      await second?.();
      expect(await outcome).toBe('conflict');
      expect(await shop.state('1001')).toBe(state);
      expect(await shop.sent('refund')).toBe(refunds);
    },
  );
});
