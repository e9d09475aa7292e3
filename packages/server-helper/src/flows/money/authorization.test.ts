import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';

let play: ScriptedShop;
const authorize = (requestId = 's-1') =>
  play.money().sale('a', { auth: 'authorize', card: aCard, requestId });
const capture = (amount: string, requestId = 'c-1') =>
  play.money().capture('a', { amount, requestId });
const voided = (requestId = 'v-1') => play.money().void('a', { requestId });

/** Each test begins with a store that holds nothing. */
function playOn(name: (typeof flowStores)[number]): void {
  beforeEach(async () => {
    play = await ScriptedShop.open(name);
  });
  afterEach(() => play.end());
}

describe.each(flowStores)('an authorization, kept in %s,', (name) => {
  playOn(name);

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

  it('whose capture’s answer was lost is captured when the status shows it', async () => {
    await authorize();
    play.transactions.mood = 'answer-lost';
    expect(await capture('115.00')).toMatchObject({ state: 'unknown' });
    play.transactions.mood = 'well';
    await play.later();
    expect(await play.payment()).toMatchObject({ state: 'captured', capturedMinorUnits: 11_500 });
    expect(await capture('115.00')).toMatchObject({ state: 'succeeded', reason: 'evidence' });
    expect(play.sent('capture')).toBe(1);
  });

  it('whose void’s answer was lost is voided when the status shows it', async () => {
    await authorize();
    play.transactions.mood = 'answer-lost';
    expect(await voided()).toMatchObject({ state: 'unknown' });
    play.transactions.mood = 'well';
    await play.later();
    expect((await play.payment()).state).toBe('voided');
    expect(await voided()).toMatchObject({ state: 'succeeded', reason: 'evidence' });
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

  it('that the gateway ends by itself is voided by evidence', async () => {
    const { transactionId } = await authorize();
    const held = play.transactions.get(transactionId ?? '');
    if (held !== undefined) held.state = 'voided';
    await play.later(3_600_000);
    expect((await play.payment()).state).toBe('voided');
  });
});

describe.each(flowStores)('a recurring charge, kept in %s,', (name) => {
  playOn(name);

  const charge = (periodKey: string, amount = '50.00') =>
    play.money().chargeRecurring('a', { amount, periodKey });

  it('is made once per period, whatever is asked, and never moves the payment', async () => {
    await play.payByLink();
    expect(await charge('2026-11')).toMatchObject({
      state: 'succeeded',
      kind: 'recurring',
      requestId: '2026-11',
      operationId: 'period/a/2026-11',
      amount: '50.00',
    });
    expect(await charge('2026-11')).toMatchObject({ state: 'succeeded' });
    await expect(charge('2026-11', '60.00')).rejects.toMatchObject({ code: 'request_id_reused' });
    expect(await charge('2026-12')).toMatchObject({ state: 'succeeded' });
    expect(play.transactions.charges).toEqual(['a~r-2026-11', 'a~r-2026-12']);
    expect(await play.payment()).toMatchObject({ state: 'paid', capturedMinorUnits: 11_500 });
  });

  it('that is declined is failed, and its period is not charged again', async () => {
    await play.payByLink();
    play.gateway.chargeRecurring = async () => {
      play.transactions.posts.push({
        operation: 'chargeRecurring',
        transactionId: '',
        minorUnits: 0,
      });
      return { result: 'declined', paymentId: null, declineReason: 'no funds' };
    };
    expect(await charge('2026-11')).toMatchObject({ state: 'failed', reason: 'declined' });
    expect(await charge('2026-11')).toMatchObject({ state: 'failed' });
    expect(play.sent('chargeRecurring')).toBe(1);
  });

  it('whose words disagree, or whose answer is lost, stays unknown (I11, I15)', async () => {
    await play.payByLink();
    play.gateway.chargeRecurring = async () => ({
      result: 'unknown',
      paymentId: null,
      declineReason: null,
    });
    expect(await charge('2026-11')).toMatchObject({
      state: 'unknown',
      reason: 'contradicting_words',
    });
    Reflect.deleteProperty(play.gateway, 'chargeRecurring');
    play.transactions.mood = 'answer-lost';
    expect(await charge('2026-12')).toMatchObject({ state: 'unknown' });
    play.transactions.mood = 'well';
    await play.later(3_600_000);
    expect(await charge('2026-12')).toMatchObject({ state: 'unknown' });
    expect(play.transactions.charges).toEqual(['a~r-2026-12']);
    const settled = await play
      .money()
      .resolveOperation('period/a/2026-12', 'succeeded', 'seen on the dashboard');
    expect(settled).toMatchObject({ state: 'succeeded', reason: 'seen on the dashboard' });
  });

  it('needs a payment that brought a token', async () => {
    await authorize();
    await expect(charge('2026-11')).rejects.toMatchObject({ code: 'wrong_state' });
    await expect(charge('')).rejects.toMatchObject({ code: 'invalid_operation' });
    expect(play.sent('chargeRecurring')).toBe(0);
  });
});
