import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test('an admin reserves an amount by phone and captures it later', async ({ shopper, admin }) => {
  const orderId = await shopper.orderQuickly('kettle');
  await admin.open(orderId);
  await admin.at('sale-auth').selectOption('authorize');
  await admin.at('sale').click();
  await admin.sees(orderId, 'authorized');
  await admin.does('capture', 'operation_succeeded');
  await admin.sees(orderId, 'captured');
  await expect(admin.at('admin-timeline')).toContainText('is captured');
});

test('an admin releases an amount that was reserved', async ({ shopper, admin }) => {
  const orderId = await shopper.orderQuickly();
  await admin.sale(orderId, cards.mada, { auth: 'authorize' });
  await admin.sees(orderId, 'authorized');
  await admin.does('void', 'operation_succeeded');
  await admin.sees(orderId, 'voided');
  await expect(admin.at('capture')).toHaveCount(0);
});

test('a subscriber is charged once for each period', async ({
  shopper,
  admin,
  control,
  faults,
}) => {
  const orderId = await shopper.orderQuickly();
  await admin.sale(orderId, cards.visa, { recurringInit: true });
  await admin.sees(orderId, 'paid');
  await admin.charge('2027-01', 'operation_succeeded');
  await admin.at('charge-period').fill('2027-01');
  await admin.at('charge').click();
  await expect(admin.at('mistake')).toContainText('2027-01');
  faults.seen.length = 0;
  await admin.open(orderId);
  await admin.charge('2027-02', 'operation_succeeded');
  const charges = await control.requests({ operation: 'chargeRecurring' });
  expect(charges).toHaveLength(2);
  expect(await admin.ask(orderId)).toMatchObject({ state: 'paid', fulfilments: 1 });
});

test('a card taken by phone passes 3-D Secure on the gateway’s own page', async ({
  shopper,
  admin,
}) => {
  const orderId = await shopper.orderQuickly();
  await admin.open(orderId);
  await admin.at('sale-card').selectOption('challenge');
  await admin.at('sale').click();
  await admin.at('otp').fill('123456');
  await admin.at('approve').click();
  await shopper.expectPaid(orderId);
});
