import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../test-support/durations.ts';

describe('an order that is paid', () => {
  let play: ScriptedShop;
  let statusCalls: () => number;

  beforeEach(async () => {
    play = await scriptedShop();
    await play.payByLink();
    expect((await play.payment()).state).toBe('paid');
    const asked = vi.spyOn(play.gateway, 'retrieveStatus');
    statusCalls = () => asked.mock.calls.length;
  });

  function refundElsewhere(minorUnits: number): void {
    const [session] = play.gateway.sessions.values();
    session?.transactions[0]?.refunds.push({ minorUnits, isSettled: true });
  }
  const hint = () => play.steps({ kind: 'hint', orderId: play.orderId });

  it('follows a hint after its schedule has ended', async () => {
    for (let day = 0; day < 20; day += 1) await play.later(DAY_MS);
    const before = statusCalls();
    await play.later(DAY_MS);
    expect(statusCalls()).toBe(before);
    refundElsewhere(11_500);
    await hint();
    expect((await play.payment()).state).toBe('refunded');
    // A status may lag behind: the last question is a quarter of an hour later.
    await play.later(16 * MINUTE_MS);
    expect((await play.record()).attempts).toMatchObject([{ nextCheckAt: null }]);
  });

  it('is asked about again soon when the gateway gave no answer', async () => {
    play.gateway.mood = 'status-unreachable';
    refundElsewhere(500);
    await play.later(HOUR_MS);
    play.gateway.mood = 'well';
    await play.later(15 * MINUTE_MS);
    expect((await play.payment()).state).toBe('partially_refunded');
  });
});

describe('an order with an older link that is over', () => {
  let play: ScriptedShop;

  beforeEach(async () => {
    play = await scriptedShop();
    const { orderId } = play;
    await play.steps({ kind: 'want-to-pay', orderId });
    for (let day = 0; day < 12; day += 1) await play.later(DAY_MS);
    await play.steps({ kind: 'want-to-pay', orderId });
    await play.steps({ kind: 'pay', orderId, pick: 1, isApproved: true });
    await play.later(DAY_MS);
    expect(await play.record()).toMatchObject({
      payment: { state: 'paid' },
      attempts: [{ state: 'closed' }, { state: 'succeeded' }],
    });
  });

  it('follows a hint about the link that is over', async () => {
    const [older] = play.gateway.sessions.values();
    play.gateway.payLate(older?.id ?? '');
    await play.steps({ kind: 'hint', orderId: play.orderId });
    await play.later(6 * SECOND_MS);
    expect((await play.record()).reviews).toMatchObject([{ reason: 'duplicate_charge' }]);
    for (let day = 0; day < 16; day += 1) await play.later(DAY_MS);
    const watched = (await play.record()).attempts.filter(
      ({ nextCheckAt }) => nextCheckAt !== null,
    );
    expect(watched).toEqual([]);
  });

  it('is reached by confirm at the link that was paid', async () => {
    const [, paid] = play.gateway.sessions.values();
    paid?.transactions[0]?.refunds.push({ minorUnits: 11_500, isSettled: true });
    await play.steps({ kind: 'wait', milliseconds: 6 * SECOND_MS });
    await play.steps({ kind: 'confirm', orderId: play.orderId });
    expect((await play.payment()).state).toBe('refunded');
  });
});
