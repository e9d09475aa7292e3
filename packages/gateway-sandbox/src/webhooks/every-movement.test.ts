import { expect, test } from 'vitest';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { ReceiverForTest, signed, subscribed } from '../testing/receiver-for-test.ts';
import { cards, dataOf, saleCard, startForTest, withCalls } from '../testing/sandbox-for-test.ts';

async function start() {
  const shop = await subscribed();
  /** The reports, after everything that is due has happened. */
  const reports = async () => {
    await shop.sandbox.control.advanceClock({ by: 'PT1H' });
    return shop.receiver.events('type', 'status', 'amount');
  };
  return { ...shop, reports };
}

test('an authorization, its capture and its refund are reported, each with its own amount', async () => {
  const { sandbox, reports } = await start();
  const transactionId = await sandbox.sellForId({ auth: 'Y' });
  await sandbox.post('/payment/s2s/capture', { transactionId, amount: 100 });
  await sandbox.post('/payment/s2s/refund', { transactionId, amount: 40.5 });
  expect(await reports()).toEqual([
    ['Authorization', 'Approved', 115],
    ['Capture', 'Approved', 100],
    ['Refund', 'Approved', 40.5],
  ]);
});

test('a refund is reported when it has settled or failed, not while it is only accepted', async () => {
  const { sandbox, receiver, reports } = await start();
  const { transactionId } = await sandbox.payLink({ amount: 9908.01 });
  await sandbox.post('/payment/s2s/refund', { transactionId, amount: 1 });
  await sandbox.control.advanceClock({ by: 'PT0S' });
  expect(receiver.events('type')).toEqual([['Purchase']]);
  expect((await reports()).at(-1)).toEqual(['Refund', 'Declined', 1]);
});

test('a challenged sale is reported as a redirect, then with its result', async () => {
  const { sandbox, reports } = await start();
  const id = await sandbox.sellForId({ card: { ...saleCard, number: cards.challenged } });
  await sandbox.control.answerChallenge(id, { action: 'approve' });
  expect(await reports()).toEqual([
    ['Purchase', 'Redirect', 115],
    ['Purchase', 'Approved', 115],
  ]);
});

test('the report of a first payment has its recurring token, and a charge with it is reported as a purchase', async () => {
  const { sandbox, receiver, reports } = await start();
  const sale = dataOf(await sandbox.sell({ recurringInit: 'Y' }));
  const { transactionId, recurringToken } = sale;
  const order = { number: '1002', amount: 20, currency: 'SAR', description: 'June' };
  const charge = { transactionId, recurringToken, amount: 20, order };
  await sandbox.post('/payment/checkout/recurring', charge);
  expect(await reports()).toEqual([
    ['Purchase', 'Approved', 115],
    ['Purchase', 'Approved', 20],
  ]);
  expect(receiver.events('recurringToken', 'merchantOrderId')).toEqual([
    [recurringToken, '1001'],
    [undefined, '1002'],
  ]);
});

// Pins: transition.webhook.told
test('the reports are the ledger’s: one event for each movement that ended, and no other', async () => {
  const { sandbox, reports } = await start();
  const { transactionId } = await sandbox.payLink({ merchantOrderId: 'a' });
  const body = { transactionId, amount: 200 };
  expect((await sandbox.post('/payment/s2s/refund', body)).status).toBe(400);
  expect((await sandbox.post('/payment/s2s/void', { transactionId })).status).toBe(400);
  expect(await reports()).toEqual([['Purchase', 'Approved', 115]]);
  const events = await sandbox.control.events();
  const deliveries = await sandbox.control.deliveries();
  expect(deliveries.map(({ id }) => id)).toEqual(events.map(({ id }) => `${id}.1`));
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
  const { sandbox, receiver } = await start();
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
  const { sandbox, receiver } = await start();
  const tenant = await sandbox.control.openTenant();
  const own = await ReceiverForTest.start();
  const portal = await PortalForTest.logIn(tenant);
  const { secret } = await portal.answerOf<{ secret: string }>('POST', 'webhooks', {
    url: own.url,
  });
  const control = sandbox.control.forTenant(tenant.id);
  await withCalls({ ...sandbox, ...tenant, control }).payLink({ merchantOrderId: 'theirs' });
  await sandbox.payLink({ merchantOrderId: 'ours' });
  await Promise.all([own.has(1), receiver.has(1)]);
  expect(own.events('merchantOrderId')).toEqual([['theirs']]);
  expect(receiver.events('merchantOrderId')).toEqual([['ours']]);
  const [theirs] = own.received;
  expect(theirs?.headers['x-signature']).toBe(signed(secret, theirs?.text));
});
