import { expect, it, onTestFinished, vi } from 'vitest';
import { ended, OTHER } from '../../test-support/attacked-shop.ts';
import { DAY_MS } from '../../test-support/durations.ts';
import { aCard } from '../../test-support/operation-inputs.ts';
import { ScriptedGateway } from '../../test-support/scripted-gateway.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import { someOptions } from '../../test-support/some-options.ts';
import { createPayments } from '../index.ts';

it('an order is asked about at each of its links, although recording one of them fails', async () => {
  const told: string[] = [];
  const inTransaction = (_tx: unknown, { type }: { type: string }) => void told.push(type);
  const shop = await startShop({ payments: { inTransaction } });
  const { session } = await shop.open();
  for (const price of ['99.50', '115.00']) {
    shop.reprice(price);
    shop.later();
    const link = await shop.open();
    if (price === '115.00') shop.shows(link.session, { transactionId: OTHER });
  }
  shop.shows(session, {});
  shop.later();
  // The newest link is asked about first, and its money cannot be recorded this time.
  vi.spyOn(shop.store, 'save').mockRejectedValueOnce(new Error('failed before the commit'));
  await shop.payments.confirm('1001').catch(() => undefined);
  expect(await shop.state()).toBe('paid');
  expect(told.filter((type) => type === 'paid')).toHaveLength(1);
});

it('an order is asked about before it is given up, however recently it was asked about', async () => {
  const shop = await startShop();
  const { session } = await shop.open();
  await shop.payments.confirm('1001');
  shop.shows(session, {});
  expect(await ended(shop.payments.cancel('1001'))).toBe('already_paid');
  expect((await shop.record()).payment).toMatchObject({ state: 'paid', cancelled: false });
});

it('an order that is opened again after it ended can expire again, and each end is an event of its own', async () => {
  const shop = await startShop();
  await shop.open();
  await shop.pass(2 * DAY_MS + 1_000_000, 2);
  expect(await shop.state()).toBe('expired');
  // A sale that never arrived opens the order again; its link is still the current one.
  shop.gateway.answer({ '/sale': 'hang up' });
  await shop.payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's-1' });
  await shop.payments.resolveOperation('request/s-1', 'failed', 'not on the dashboard');
  expect(await shop.state()).toBe('failed');
  await shop.pass(12 * DAY_MS, 24);
  expect(await shop.state()).toBe('expired');
  const { events } = await shop.store.history('1001');
  const ends = events.filter(({ event }) => event.type === 'expired');
  expect(new Set(ends.map(({ event }) => event.id)).size).toBe(2);
});

it('the first checkout of a process gives a link, however far ahead its database’s clock is', async () => {
  const gateway = await new ScriptedGateway().start();
  onTestFinished(() => gateway.close());
  const options = someOptions(gateway.baseUrl);
  Object.assign(options.store.health, { clockOffsetMs: async () => 5 * 3_600_000 });
  const loadOrder = () => ({
    orderId: '1001',
    amount: '115.00',
    customer: { phone: '0501234567' },
  });
  const payments = createPayments({ ...options, loadOrder });
  onTestFinished(() => payments.close());
  expect(await payments.ensureLink('1001')).toHaveProperty('redirectUrl');
});
