import { expect, test } from '../shop-test.ts';

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

test('a card by phone passes 3-D Secure on the gateway’s own page', async ({ shopper, admin }) => {
  const orderId = await shopper.orderQuickly();
  await admin.open(orderId);
  await admin.at('sale-card').selectOption('challenge');
  await admin.at('sale').click();
  await admin.at('otp').fill('123456');
  await admin.at('approve').click();
  await shopper.expectPaid(orderId);
});
