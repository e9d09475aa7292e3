import { expect, it, vi } from 'vitest';
import { Shop } from '../../test-support/shop.ts';
import '../edges/arriving-bodies.test.ts';
import '../edges/checkout-body.test.ts';
import '../edges/checkout.test.ts';
import '../edges/hostile-requests.test.ts';
import '../edges/hostile-routes.test.ts';
import '../edges/idempotency-key.test.ts';
import '../edges/limits.test.ts';
import '../edges/methods.test.ts';
import '../edges/return.test.ts';
import '../edges/routes.test.ts';
import '../edges/status.test.ts';
import '../edges/webhook-signature.test.ts';
import '../edges/webhook.test.ts';

// The same tests once more, with the router as the only listener of Node's own server.
vi.mock('../../test-support/shop-host.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  ...(await import('../../test-support/node-host.ts')),
}));

it('answers 404 to what is no route, since no one comes after it', async () => {
  const shop = await Shop.start();
  for (const path of ['/', '/pay', '/pay/nothing', '/own/page']) {
    const reply = await shop.send(path);
    expect([reply.status, reply.json['code']]).toEqual([404, 'not_found']);
  }
  await shop.close();
});
