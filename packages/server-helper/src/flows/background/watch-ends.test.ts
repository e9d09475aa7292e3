import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('a refund through a link that is closed', () => {
  let play: ScriptedShop;
  let statusCalls: () => number;

  beforeEach(async () => {
    play = await scriptedShop();
    await closeWithDoubtfulMoney();
    const asked = vi.spyOn(play.gateway, 'retrieveStatus');
    statusCalls = () => asked.mock.calls.length;
  });

  /** Another amount than was asked for came, and the link was watched to its end. */
  async function closeWithDoubtfulMoney(): Promise<void> {
    const { gateway } = play;
    await play.steps({ kind: 'want-to-pay', orderId: play.orderId });
    const [session] = gateway.sessions.values();
    gateway.pay(session?.id ?? '', true, 100);
    await play.later();
    for (let day = 0; day < 12; day += 1) await play.later(DAY_MS);
    expect(await play.record()).toMatchObject({
      payment: { state: 'review' },
      attempts: [{ state: 'closed', nextCheckAt: null }],
    });
  }

  const refund = async (): Promise<unknown> => {
    const [discrepancy] = (await play.record()).ledger;
    return play.money().refund(play.orderId, {
      amount: '1.00',
      requestId: 'r-1',
      transactionId: discrepancy?.transactionId ?? '',
    });
  };

  /** Asked by the background work, tick by tick. */
  async function askedWithin(milliseconds: number, ticks: number): Promise<number> {
    const before = statusCalls();
    for (let tick = 0; tick < ticks; tick += 1) await play.later(milliseconds / ticks);
    return statusCalls() - before;
  }

  it('is asked about by a schedule that ends, though its answer was lost', async () => {
    play.transactions.mood = 'request-lost';
    await refund();
    expect((await play.record()).operations).toMatchObject([{ state: 'unknown' }]);
    const inAnHour = await askedWithin(HOUR_MS, 60);
    expect(inAnHour).toBeGreaterThan(5);
    expect(inAnHour).toBeLessThan(15);
    await askedWithin(12 * DAY_MS, 24);
    expect((await play.record()).attempts).toMatchObject([{ state: 'closed', nextCheckAt: null }]);
    expect(await askedWithin(DAY_MS, 24)).toBe(0);
  });

  it('is asked about no more once the gateway has refused it', async () => {
    play.transactions.mood = 'refused';
    await refund();
    await askedWithin(10 * MINUTE_MS, 10);
    expect((await play.record()).attempts).toMatchObject([{ nextCheckAt: null }]);
    expect(await askedWithin(HOUR_MS, 60)).toBe(0);
  });

  it('does not watch the link again because a person asks about every session', async () => {
    play.transactions.mood = 'request-lost';
    await refund();
    await askedWithin(12 * DAY_MS, 24);
    play.gateway.mood = 'status-unreachable';
    await play.steps({ kind: 'confirm', orderId: play.orderId });
    expect((await play.record()).attempts).toMatchObject([{ nextCheckAt: null }]);
  });

  it('leaves a person with it where the gateway never says what became of it', async () => {
    play.transactions.settlesRefundsAtOnce = false;
    await refund();
    expect((await play.record()).operations).toMatchObject([{ state: 'pending' }]);
    play.gateway.mood = 'status-unreachable';
    await askedWithin(12 * DAY_MS, 24);
    expect(await play.record()).toMatchObject({
      attempts: [{ nextCheckAt: null }],
      operations: [{ state: 'unknown', reason: 'no_evidence' }],
    });
  });
});
