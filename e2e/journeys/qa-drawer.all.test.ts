import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test('a tester takes the bank down, and brings it back for the same payment', async ({
  shopper,
  page,
  control: _control,
}) => {
  const orderId = await shopper.orderQuickly();
  const choose = async (fault: string): Promise<void> => {
    await shopper.open(`/orders/${orderId}`);
    await shopper.openTools();
    await shopper.at('qa-fault').selectOption(fault);
    await shopper.at('qa-apply').click();
    await page.waitForURL('**?qa=applied');
  };
  await choose('bank-outage');
  await shopper.goToPay();
  await shopper.sendCard(cards.mada);
  await expect(shopper.at('payment-error')).toBeVisible();
  await choose('healthy');
  await shopper.pay();
  await shopper.expectPaid(orderId);
});

test('a tester compares the three sources', async ({ shopper }) => {
  const orderId = await shopper.orderQuickly();
  await shopper.pay();
  await shopper.sees('thanks', 'paid');
  await shopper.open(`/orders/${orderId}?truths=1`);
  await expect(shopper.at('truth-browser')).toContainText('success address');
  await expect(shopper.at('truth-webhook')).toContainText('Purchase: Approved');
  await expect(shopper.at('truth-status')).toContainText('SUCCESS · APPROVED');
  await expect(shopper.at('truth-verdict')).toContainText('Paid');
});

test('a tester copies a bug report', async ({ shopper, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const orderId = await shopper.orderQuickly();
  await shopper.openTools();
  await shopper.at('qa-report').click();
  await expect(shopper.at('qa-report')).toHaveText('Copied');
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toContain(`## Order ${orderId}`);
});
