import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';

const DAY_MS = 24 * 3_600_000;

describe.each(flowStores)('an unknown payment status (%s store)', (name) => {
  let play: ScriptedShop;

  beforeEach(async () => {
    play = await ScriptedShop.open(name);
    const { orderId } = play;
    await play.steps({ kind: 'want-to-pay', orderId });
    await play.steps({ kind: 'pay', orderId, pick: 0, isApproved: true });
    play.gateway.mood = 'status-unknown-words';
    await play.later();
  });
  afterEach(() => play.end());

  const unreadable = async () =>
    (await play.store.health.backlog(Date.now(), [])).unreadableAnswers;

  it('is counted until evidence ends it, and the order is paid then', async () => {
    expect(await unreadable()).toBe(1);
    for (let day = 0; day < 4; day += 1) await play.later(DAY_MS);
    expect((await play.payment()).state).toBe('pending');
    await play.steps({ kind: 'want-to-pay', orderId: play.orderId });
    expect(play.gateway.sessions.size).toBe(1);
    play.gateway.mood = 'well';
    await play.later(DAY_MS);
    expect((await play.payment()).state).toBe('paid');
    expect(await unreadable()).toBe(0);
  });
});
