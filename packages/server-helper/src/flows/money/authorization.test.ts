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

  it('holds the amount and pays nothing', async () => {
    expect(await authorize()).toMatchObject({ result: 'success', state: 'succeeded', html: null });
    expect(await play.payment()).toMatchObject({ state: 'authorized', capturedMinorUnits: 0 });
    await play.later(3_600_000);
    expect((await play.payment()).state).toBe('authorized');
    expect(play.events('paid')).toEqual([]);
    const refund = play.money().refund('a', { amount: '1.00', requestId: 'r-1' });
    await expect(refund).rejects.toMatchObject({ code: 'wrong_state' });
  });

  it('is captured once, in part, and what was captured can be refunded', async () => {
    await authorize();
    await expect(capture('115.01')).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(await capture('100.00')).toMatchObject({ state: 'succeeded', reference: 'capture-2' });
    expect(await play.payment()).toMatchObject({ state: 'captured', capturedMinorUnits: 10_000 });
    await expect(capture('15.00', 'c-2')).rejects.toMatchObject({ code: 'wrong_state' });
    await expect(voided()).rejects.toMatchObject({ code: 'wrong_state' });
    const more = play.money().refund('a', { amount: '100.01', requestId: 'r-1' });
    await expect(more).rejects.toMatchObject({ code: 'amount_too_large' });
    await play.money().refund('a', { amount: '100.00', requestId: 'r-2' });
    await play.later();
    expect((await play.payment()).state).toBe('refunded');
  });

  it('is voided before it is captured, and then neither captured nor offered a link', async () => {
    await authorize();
    expect(await voided()).toMatchObject({ state: 'succeeded', kind: 'void' });
    expect(await play.payment()).toMatchObject({ state: 'voided', capturedMinorUnits: 0 });
    await expect(capture('1.00')).rejects.toMatchObject({ code: 'wrong_state' });
    await play.steps({ kind: 'want-to-pay', orderId: 'a' });
    expect((await play.record()).attempts).toHaveLength(1);
  });

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

  it('behind a challenge is captured although no status tells that it is held', async () => {
    play.gateway.saleEnd = 'redirect';
    expect(await authorize()).toMatchObject({ result: 'redirect', html: '<form></form>' });
    await play.steps({ kind: 'pay', orderId: 'a', pick: 0, isApproved: true });
    await play.later();
    expect((await play.payment()).state).toBe('pending');
    expect(await capture('115.00')).toMatchObject({ state: 'succeeded' });
    expect((await play.payment()).state).toBe('captured');
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
