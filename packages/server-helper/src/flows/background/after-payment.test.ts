import { beforeEach, describe, expect, it } from 'vitest';
import { OTHER, refundedBy } from '../../../test-support/attacked-shop.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';

let shop: Shop;
/** The session that was paid. */
let session: string;
beforeEach(async () => void (shop = await startShop()));

const hint = () => shop.notify({ merchantOrderId: '1001~1' });
const attempts = async () => (await shop.record()).attempts;

describe('an order that is paid', () => {
  beforeEach(async () => {
    session = await shop.receive();
    expect(await shop.state()).toBe('paid');
  });

  it('follows a hint after its schedule has ended', async () => {
    await shop.pass(20 * DAY_MS, 40);
    const before = shop.gateway.statusCalls.length;
    await shop.pass(DAY_MS, 2);
    expect(shop.gateway.statusCalls).toHaveLength(before);
    shop.shows(session, refundedBy('115.00', 'FULL'));
    await hint();
    await expect.poll(() => shop.state()).toBe('refunded');
    // A status may lag behind: the last question is a quarter of an hour later.
    await shop.pass(16 * MINUTE_MS, 2);
    expect(await attempts()).toMatchObject([{ nextCheckAt: null }]);
  });

  it('is asked about again soon when the gateway gave no answer', async () => {
    shop.gateway.answerStatus(503);
    shop.shows(session, refundedBy('5.00'));
    await shop.pass(HOUR_MS);
    shop.gateway.script = undefined;
    await shop.pass(15 * MINUTE_MS);
    expect(await shop.state()).toBe('partially_refunded');
  });
});

describe('an order with an older link that is over', () => {
  let older: string;

  beforeEach(async () => {
    ({ session: older } = await shop.open());
    await shop.pass(12 * DAY_MS, 24);
    session = await shop.receive();
    await shop.pass(DAY_MS, 2);
    expect(await shop.record()).toMatchObject({
      payment: { state: 'paid' },
      attempts: [{ state: 'closed' }, { state: 'succeeded' }],
    });
  });

  it('follows a hint about the link that is over', async () => {
    shop.shows(older, { transactionId: OTHER });
    await hint();
    await shop.pass(6_000);
    expect((await shop.record()).reviews).toMatchObject([{ reason: 'duplicate_charge' }]);
    await shop.pass(16 * DAY_MS, 32);
    expect(await attempts()).toMatchObject([{ nextCheckAt: null }, { nextCheckAt: null }]);
  });

  it('is reached by confirm at the link that was paid', async () => {
    shop.shows(session, refundedBy('115.00', 'FULL'));
    shop.later();
    expect((await shop.payments.confirm('1001'))?.state).toBe('refunded');
  });
});
