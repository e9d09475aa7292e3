import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { saveChange } from '../../../test-support/save-change.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { takeHint } from '../../payments/checks.ts';

const SECOND_MS = 1_000;

describe.each(flowStores)('an order with two payable links (%s store)', (name) => {
  let play: ScriptedShop;

  beforeEach(async () => {
    play = await ScriptedShop.open(name);
    const { orderId } = play;
    await play.steps({ kind: 'want-to-pay', orderId });
    await play.steps({ kind: 'reprice', orderId, amount: '99.50' });
    await play.steps({ kind: 'wait', milliseconds: 6 * SECOND_MS });
    await play.steps({ kind: 'want-to-pay', orderId });
    // Both were asked about, and what is asked without any hint is asked ever more rarely.
    for (let minute = 0; minute < 3; minute += 1) await play.later(60 * SECOND_MS);
    expect(play.gateway.sessions.size).toBe(2);
  });
  afterEach(() => play.end());

  const payment = () => play.payment();

  /** Somebody sends hints about the first link for a while; background work runs every second. */
  async function flood(seconds: number, hintsASecond: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      for (let hint = 0; hint < hintsASecond; hint += 1) {
        await play.steps({ kind: 'hint', orderId: play.orderId });
        await play.steps({ kind: 'wait', milliseconds: SECOND_MS / hintsASecond });
      }
      await play.steps({ kind: 'tick' });
    }
  }

  it('is found paid by its second link while forged hints name the first', async () => {
    await flood(11, 5);
    await play.steps({ kind: 'pay', orderId: play.orderId, pick: 1, isApproved: true });
    await flood(15, 5);
    expect((await payment()).state).toBe('paid');
  });

  it('is found paid by the hinted link at its next turn', async () => {
    await play.steps({ kind: 'pay', orderId: play.orderId, pick: 0, isApproved: true });
    await flood(11, 1);
    // Paid at the price before: a person must look.
    expect((await payment()).state).toBe('review');
  });

  it('is found paid by its hinted link though the other one is due at each tick', async () => {
    await play.steps({ kind: 'pay', orderId: play.orderId, pick: 1, isApproved: true });
    const record = await play.record();
    const at = Math.max(...record.attempts.map(({ lastCheckAt }) => lastCheckAt ?? 0)) + 10;
    await saveChange(
      play.store,
      takeHint(record, ({ number }) => number === 2, at)!,
    );
    for (let tick = 0; tick < 2; tick += 1) await play.later(300 * SECOND_MS);
    expect((await payment()).state).toBe('paid');
  });

  it('does not claim a hinted link again and again while another one’s look is too recent', async () => {
    await play.steps({ kind: 'wait', milliseconds: 6 * SECOND_MS });
    await play.steps({ kind: 'hint', orderId: play.orderId });
    const [waiting, asked] = (await play.record()).attempts.toSorted(
      (left, right) => (left.lastCheckAt ?? 0) - (right.lastCheckAt ?? 0),
    );
    const at = (asked?.lastCheckAt ?? 0) + 10;
    const isWaiting = (one: Attempt): boolean => one.number === waiting?.number;
    await saveChange(play.store, takeHint(await play.record(), isWaiting, at)!);
    const claims = vi.spyOn(play.store, 'claimDue');
    await play.steps({ kind: 'wait', milliseconds: SECOND_MS }, { kind: 'tick' });
    expect(claims.mock.calls.length).toBeLessThan(10);
  });
});
