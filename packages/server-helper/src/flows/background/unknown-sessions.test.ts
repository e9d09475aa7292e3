import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';

const HOUR_MS = 3_600_000;
/** The checks of old links that are claimed before the first answer. */
const CLAIMED_BEFORE = 10;
const LINKS = 15;
const unknown = { code: 404, message: 'Not found', errorCode: '404', data: null };

let shop: Shop;
beforeEach(async () => void (shop = await Shop.start({ payments: { limits: false } })));
afterEach(() => shop.close());

it('a gateway that does not know old sessions is asked about many at once: it answers', async () => {
  let asked = 0;
  let underWay = 0;
  let most = 0;
  shop.gateway.script = async (request, response) => {
    if (!request.path.endsWith('/status')) return shop.gateway.answerUsually(request, response);
    asked += 1;
    underWay += 1;
    if (asked > CLAIMED_BEFORE) most = Math.max(most, underWay);
    await sleep(100);
    underWay -= 1;
    sendJson(response, 404, unknown);
  };
  for (let order = 1; order <= LINKS; order += 1) {
    const orderId = `old-${order}`;
    shop.orders.set(orderId, { orderId, amount: '1.00', customer: { phone: '0501234567' } });
    await shop.payments.ensureLink(orderId);
  }
  shop.later(HOUR_MS);
  await shop.payments.tick();
  expect(asked).toBe(LINKS);
  expect(most).toBeGreaterThan(1);
});
