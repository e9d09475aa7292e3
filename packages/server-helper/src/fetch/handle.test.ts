import { expect, it, vi } from 'vitest';
import { headerOf } from '../../test-support/shop-host.ts';
import { Shop } from '../../test-support/shop.ts';
import '../edges/arriving-bodies.test.ts';
import '../edges/checkout-body.test.ts';
import '../edges/checkout.test.ts';
import '../edges/cors.test.ts';
import '../edges/hostile-requests.test.ts';
import '../edges/hostile-routes.test.ts';
import '../edges/idempotency-key.test.ts';
import '../edges/limits.test.ts';
import '../edges/methods.test.ts';
import '../edges/return.test.ts';
import '../edges/routes.test.ts';
import '../edges/shop-below-a-path.test.ts';
import '../edges/status.test.ts';
import '../edges/webhook-signature.test.ts';
import '../edges/webhook.test.ts';

// The same tests once more, with the routes behind a Hono app instead of Express.
vi.mock('../../test-support/shop-host.ts', () => import('../../test-support/hono-host.ts'));

it('these tests run behind Hono here', async () => {
  const asked: unknown[] = [];
  const shop = await Shop.start({
    payments: {
      loadOrder: (_orderId, request) => {
        asked.push(request);
        return null;
      },
    },
  });
  await shop.checkout({ orderId: '1001' }, { cookie: 'mine' });
  expect(asked).toEqual([expect.any(Request)]);
  expect(headerOf(asked[0], 'cookie')).toBe('mine');
  await shop.close();
});
