import { expect, test } from 'vitest';
import { post, validSale } from '../testing/embedded-for-test.ts';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { startForTest } from '../testing/sandbox-for-test.ts';

test('a message about a field of a request names the field as the profile does', async () => {
  const sandbox = await startForTest({
    profile: {
      operations: {
        sale: { body: { orderId: 'order_number' } },
        createWebhook: { body: { url: 'target', events: 'topics' } },
      },
    },
  });
  const { body } = await post(sandbox, '/payment/s2s/sale', { ...validSale, amount: 'x' });
  expect(body).toMatchObject({
    message: ['order_number should not be empty', 'amount must be a number'],
  });
  const portal = await PortalForTest.logIn(sandbox);
  const made = await portal.call('POST', 'webhooks', { topics: ['No'], active: true });
  expect(made.body).toMatchObject({
    message: [
      'target must be a URL address',
      expect.stringMatching(/^each value in topics must be/),
    ],
  });
});
