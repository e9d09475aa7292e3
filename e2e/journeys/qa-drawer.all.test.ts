import { expect, test } from '../shop-test.ts';

test('a tester copies a bug report', async ({ shopper, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const orderId = await shopper.orderQuickly();
  await shopper.openTools();
  await shopper.at('qa-report').click();
  await expect(shopper.at('qa-report')).toHaveText('Copied');
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toContain(`## Order ${orderId}`);
});
