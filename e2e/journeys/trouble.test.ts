import { countPaymentLinks } from '../gateway-record.ts';
import { expect, test } from '../shop-test.ts';
import { cards } from '../shopper.ts';

test('a link whose answer was lost is asked for anew, and the shopper pays once', async ({
  shopper,
  control,
  faults,
}) => {
  await control.setProfile('ghost-success');
  const orderId = await shopper.orderQuickly();
  await shopper.payButton.click();
  await expect(shopper.page.locator('pay-button')).toHaveJSProperty('state', 'failed');
  await control.setProfile('healthy');
  await shopper.pay();
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
  expect(await countPaymentLinks(control, orderId)).toBe(2);
  // The browser reports the refused checkout, as it should.
  faults.seen.length = 0;
});

test('a shopper whose bank is down pays when it is back', async ({ shopper, control }) => {
  const orderId = await shopper.orderQuickly();
  await control.setProfile('bank-outage');
  await shopper.goToPay();
  await shopper.sendCard(cards.mada);
  await expect(shopper.at('payment-error')).toBeVisible();
  await control.setProfile('healthy');
  await shopper.sendCard(cards.mada);
  await shopper.sees('thanks', 'paid');
  await shopper.expectShippedOnce(orderId);
});
