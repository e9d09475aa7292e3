import { beforeEach, describe, expect, it } from 'vitest';
import { aCard } from '../../../test-support/operation-inputs.ts';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';

let play: ScriptedShop;
const authorize = (requestId = 's-1') =>
  play.money().sale('a', { auth: 'authorize', card: aCard, requestId });
const capture = (amount: string, requestId = 'c-1') =>
  play.money().capture('a', { amount, requestId });
const voided = (requestId = 'v-1') => play.money().void('a', { requestId });

describe('an authorization,', () => {
  beforeEach(async () => void (play = await scriptedShop()));

  it('is not voided while nobody knows whether it was captured, and the reverse (I10)', async () => {
    await authorize();
    play.transactions.mood = 'request-lost';
    expect(await capture('115.00')).toMatchObject({ state: 'unknown' });
    play.transactions.mood = 'well';
    await expect(voided()).rejects.toMatchObject({ code: 'operation_in_progress' });
    await expect(capture('115.00', 'c-2')).rejects.toMatchObject({ code: 'operation_in_progress' });
    await play.later();
    expect((await play.payment()).state).toBe('authorized');
    await play.money().resolveOperation('request/c-1', 'failed', 'not on the dashboard');
    expect(await voided()).toMatchObject({ state: 'succeeded' });
    expect(play.sent('capture') + play.sent('void')).toBe(2);
  });

  it('behind a challenge is not captured at the price of before', async () => {
    play.gateway.saleEnd = 'redirect';
    await authorize();
    await play.steps(
      { kind: 'pay', orderId: 'a', pick: 0, isApproved: true },
      { kind: 'reprice', orderId: 'a', amount: '1000.00' },
    );
    await play.later();
    await expect(capture('115.00')).rejects.toMatchObject({ code: 'wrong_state' });
    expect(play.sent('capture')).toBe(0);
    expect(play.events('captured')).toEqual([]);
    expect(await voided()).toMatchObject({ state: 'succeeded' });
  });
});
