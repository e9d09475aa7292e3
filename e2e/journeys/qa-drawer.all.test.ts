import { expect, test } from '../shop-test.ts';

test('a tester sets a fault, moves the clock and copies a bug report', async ({
  shopper,
  page,
  context,
  control,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const orderId = await shopper.orderQuickly();
  const open = async (): Promise<void> => {
    await shopper.open(`/orders/${orderId}`);
    await shopper.openTools();
  };
  await open();
  await shopper.at('qa-fault').selectOption('bank-outage');
  await shopper.at('qa-apply').click();
  await page.waitForURL('**?qa=applied');
  expect((await control.faults()).profile).toBe('bank-outage');
  const { clock } = await control.info();
  await open();
  await shopper.at('qa-clock').click();
  await page.waitForURL('**?qa=leapt');
  const ahead = Date.parse((await control.info()).clock.now) - Date.parse(clock.now);
  expect(ahead).toBeGreaterThanOrEqual(48 * 3_600_000);
  await open();
  await shopper.at('qa-report').click();
  await expect(shopper.at('qa-report')).toHaveText('Copied');
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toContain(`## Order ${orderId}`);
});
