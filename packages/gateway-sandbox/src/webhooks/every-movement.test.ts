import { expect, test } from 'vitest';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { ReceiverForTest, signed, subscribed } from '../testing/receiver-for-test.ts';
import { cards, dataOf, saleCard, startForTest, withCalls } from '../testing/sandbox-for-test.ts';

// Pins: transition.webhook.told
test('each movement that ended is reported once with its own amount, a sale’s challenge too, and a refusal never', async () => {
  const { sandbox, receiver } = await subscribed();
  const transactionId = await sandbox.sellForId({ auth: 'Y' });
  await sandbox.post('/payment/s2s/capture', { transactionId, amount: 100 });
  await sandbox.post('/payment/s2s/void', { transactionId });
  await sandbox.post('/payment/s2s/refund', { transactionId, amount: 200 });
  await sandbox.post('/payment/s2s/refund', { transactionId, amount: 40.5 });
  await sandbox.control.advanceClock({ by: 'PT10S' });
  const id = await sandbox.sellForId({ card: { ...saleCard, number: cards.challenged } });
  await sandbox.control.answerChallenge(id, { action: 'approve' });
  const { transactionId: paid } = await sandbox.payLink({ amount: 9908.01 });
  await sandbox.post('/payment/s2s/refund', { transactionId: paid, amount: 1 });
  await sandbox.control.advanceClock({ by: 'PT1H' });
  expect(receiver.events('type', 'status', 'amount').map((event) => event.join(' '))).toEqual([
    'Authorization Approved 115',
    'Capture Approved 100',
    'Refund Approved 40.5',
    'Purchase Redirect 115',
    'Purchase Approved 115',
    'Purchase Approved 9908.01',
    'Refund Declined 1',
  ]);
  const events = await sandbox.control.events();
  const deliveries = await sandbox.control.deliveries();
  expect(deliveries.map((one) => one.id)).toEqual(events.map((one) => `${one.id}.1`));
});

test('the report of a first payment has its recurring token, and a charge with it is reported as a purchase', async () => {
  const { sandbox, receiver } = await subscribed();
  const sale = dataOf(await sandbox.sell({ recurringInit: 'Y' }));
  const { transactionId, recurringToken } = sale;
  const order = { number: '1002', amount: 20, currency: 'SAR', description: 'June' };
  const charge = { transactionId, recurringToken, amount: 20, order };
  await sandbox.post('/payment/checkout/recurring', charge);
  await sandbox.settle();
  expect(receiver.events('type', 'amount', 'recurringToken', 'merchantOrderId')).toEqual([
    ['Purchase', 115, recurringToken, '1001'],
    ['Purchase', 20, undefined, '1002'],
  ]);
});

test('events are listed also where no webhook is subscribed', async () => {
  const sandbox = await startForTest();
  await sandbox.payLink({ merchantOrderId: 'a' });
  const { transactionId } = await sandbox.payLink({ merchantOrderId: 'b', amount: 20 });
  expect(await sandbox.control.deliveries()).toEqual([]);
  expect(await sandbox.control.events()).toHaveLength(2);
  expect(await sandbox.control.events({ merchantOrderId: 'b' })).toEqual([
    {
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      type: 'Purchase',
      status: 'Approved',
      environment: 'staging',
      merchantOrderId: 'b',
      transactionId,
      amount: '20.00',
      reason: null,
    },
  ]);
});

test('retries come by themselves while the clock runs', async () => {
  const { sandbox, receiver } = await subscribed();
  receiver.answer = (response, number) => response.writeHead(number < 3 ? 500 : 200).end();
  await sandbox.control.resumeClock();
  await sandbox.control.setClockRate(3600);
  await sandbox.payLink();
  await receiver.has(3);
  await expect
    .poll(async () => (await sandbox.control.deliveries()).map(({ state }) => state))
    .toEqual(['delivered']);
});

test('a tenant’s webhooks get reports of its own payments only', async () => {
  const { sandbox, receiver } = await subscribed();
  const tenant = await sandbox.control.openTenant();
  const own = await ReceiverForTest.start();
  const portal = await PortalForTest.logIn(tenant);
  const { url } = own;
  const { secret } = await portal.answerOf<{ secret: string }>('POST', 'webhooks', { url });
  const control = sandbox.control.forTenant(tenant.id);
  await withCalls({ ...sandbox, ...tenant, control }).payLink({ merchantOrderId: 'theirs' });
  await sandbox.payLink({ merchantOrderId: 'ours' });
  await Promise.all([own.has(1), receiver.has(1)]);
  expect(own.events('merchantOrderId')).toEqual([['theirs']]);
  expect(receiver.events('merchantOrderId')).toEqual([['ours']]);
  const [theirs] = own.received;
  expect(theirs?.headers['x-signature']).toBe(signed(secret, theirs?.text));
});
