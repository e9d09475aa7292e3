import { describe, expect, it } from 'vitest';
import {
  challenged,
  failed,
  minutes,
  open,
  start,
  weeks,
} from '../../../test-support/attacked-shop.ts';
import { DAY_MS, HOUR_MS } from '../../../test-support/durations.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { signed } from '../../../test-support/transaction-gateway.ts';

const B = 'aa0e1040-0000-4000-8000-00000000000b';
const OTHER = 'cc0e1040-0000-4000-8000-00000000000c';
const taken = [['1001', 'payment_contradiction']];

const words = { 'a failure': failed, 'a chargeback': { paymentStatus: 'CHARGEBACK' } };

describe('confirmed money is for a person', () => {
  it.each(['session', 'either'] as const)(
    'though its shopper came back as if paid, when answers by %s call it a failure',
    async (asksFor) => {
      const { at, link } = await open({}, { asksFor });
      const show = (row: object): unknown => at.shop.gateway.rows.set(link.session, [row]);
      show(statusRow({ merchantOrderId: link.merchantOrderId }));
      await at.comesBack(link);
      await minutes(at);
      expect(await at.state()).toBe('paid');
      show(statusRow({ merchantOrderId: link.merchantOrderId, ...failed }));
      await weeks(at);
      expect(await at.reviews()).toEqual(taken);
    },
  );

  it.each(['a webhook that is signed', 'an early return'])(
    'when a living session leaves it out after %s',
    async (sign) => {
      const { at, link } = await open({}, { asksFor: 'session' }, signed);
      if (sign === 'an early return') await at.comesBack(link);
      at.shop.gateway.rows.set(link.session, [statusRow()]);
      await minutes(at);
      if (sign !== 'an early return')
        await at.webhook(link.merchantOrderId, null, { status: 'Approved' });
      await minutes(at);
      expect(await at.state()).toBe('paid');
      at.shop.gateway.rows.set(link.session, []);
      await at.later(46 * HOUR_MS, 46);
      expect(await at.reviews()).toEqual(taken);
    },
  );

  it.each(Object.entries(words))(
    'when its own row tells of %s, in answers that are never full',
    async (_word, changes) => {
      const { at, link } = await open({}, { asksFor: 'session' });
      at.lacksRow(statusRow());
      await at.comesBack(link);
      await minutes(at);
      expect(await at.state()).toBe('paid');
      at.lacksRow(statusRow(changes));
      await weeks(at);
      expect(await at.reviews()).toEqual(taken);
    },
  );

  it('when it is called a failure beside a forged id about which the gateway fails', async () => {
    const { at, link } = await open({}, { asksFor: 'transaction' });
    const { merchantOrderId } = link;
    const row = statusRow({ transactionId: B, merchantOrderId });
    at.shop.gateway.rows.set(B, [row]);
    await at.shop.notify({ merchantOrderId, transactionId: B });
    await minutes(at);
    expect(await at.state()).toBe('paid');
    at.about({ forged: [500, { code: 500, message: 'Invalid UUID string' }] });
    await at.shop.notify({ merchantOrderId, transactionId: 'forged' });
    at.shop.gateway.rows.set(B, [{ ...row, ...failed }]);
    await weeks(at);
    expect(await at.reviews()).toEqual(taken);
  });

  it.each(['', `?transactionId=${B}`])(
    'when its own question leaves it out after the session has ended (return %s)',
    async (query) => {
      const { at, link } = await open({}, { asksFor: 'either' });
      const row = statusRow({ transactionId: B, merchantOrderId: link.merchantOrderId });
      for (const id of [link.session, B]) at.shop.gateway.rows.set(id, [row]);
      await at.comesBack(link, query);
      await minutes(at);
      expect(await at.state()).toBe('paid');
      await at.later(50 * HOUR_MS, 50);
      for (const id of [link.session, B]) at.shop.gateway.rows.set(id, []);
      await weeks(at);
      expect(await at.reviews()).toEqual(taken);
    },
  );

  it('when it was captured and whole answers leave it out', async () => {
    const at = await start({}, { asksFor: 'session' });
    const { gateway, payments } = at.shop;
    const id = at.sells('SUCCESS');
    gateway.rows.set(id, [statusRow({ transactionId: id })]);
    gateway.takeCaptures();
    await payments.sale('1001', { auth: 'authorize', card: aCard, requestId: 's-1' });
    await minutes(at);
    await payments.capture('1001', { amount: '115.00', requestId: 'c-1' });
    await minutes(at);
    expect(await at.state()).toBe('captured');
    gateway.rows.set(id, []);
    await weeks(at);
    expect(await at.reviews()).toEqual(taken);
  });
});

it.each(['webhook', 'return'])(
  'a second charge of the link that paid is found by a %s about it',
  async (hint) => {
    const { at, link } = await open({}, { asksFor: 'session' }, signed);
    at.shop.gateway.rows.set(link.session, [statusRow()]);
    await at.comesBack(link);
    await minutes(at);
    await at.later(25 * HOUR_MS, 50);
    at.shop.gateway.rows.set(link.session, [statusRow(), statusRow({ transactionId: OTHER })]);
    if (hint === 'return') await at.comesBack(link);
    else await at.webhook(link.merchantOrderId, null, { status: 'Approved' });
    await minutes(at);
    expect(await at.reviews()).toEqual([['1001', 'duplicate_charge']]);
  },
);

describe('where the gateway is asked by ids, one that a signed webhook brought', () => {
  it.each(['transaction', 'either'] as const)(
    'is asked about again after a row of another transaction (%s)',
    async (asksFor) => {
      const { at, link } = await open({}, { asksFor }, signed);
      const another = statusRow({ transactionId: OTHER, merchantOrderId: '2002~1' });
      at.shop.gateway.rows.set(B, [another]);
      await at.webhook(link.merchantOrderId, B, { status: 'Approved' });
      await minutes(at);
      const own = statusRow({ transactionId: B, merchantOrderId: link.merchantOrderId });
      at.shop.gateway.rows.set(B, [own, another]);
      await at.later(DAY_MS, 24);
      expect(await at.state()).toBe('paid');
    },
  );

  it.each<[what: string, id: string, row: Record<string, string>, reason: string]>([
    ['another amount', B, { transactionId: B, amount: '120.00' }, 'no_evidence'],
    ['an amount in another form', B, { transactionId: B, amount: '115' }, 'no_evidence'],
    ['another currency', B, { transactionId: B, currencyCode: 'USD' }, 'currency_mismatch'],
    ['an id of another kind', '774411', { transactionId: B }, 'no_evidence'],
  ])('is for a person as money with %s', async (_what, id, row, reason) => {
    const { at, link } = await open({}, { asksFor: 'transaction' }, signed);
    at.shop.gateway.rows.set(id, [statusRow(row)]);
    await at.webhook(link.merchantOrderId, id, { status: 'Approved' });
    await weeks(at);
    expect(await at.reviews()).toEqual([['1001', reason]]);
  });
});

it('a row without a name, of another transaction and less money, captures nothing of a sale', async () => {
  const { at } = await challenged({ transactionId: OTHER, amount: '77.00' });
  expect(await at.reviews()).toEqual([['1001', 'amount_mismatch']]);
});
