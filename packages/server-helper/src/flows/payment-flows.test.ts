import { beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedShop, Step } from '../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../test-support/shop-of-test.ts';

const HOUR_MS = 3_600_000;
let simulation: ScriptedShop;

async function play(...steps: readonly Step[]): Promise<void> {
  await simulation.steps(...steps);
}
const orderId = 'a';
const wantToPay: Step = { kind: 'want-to-pay', orderId };
const confirm: Step = { kind: 'confirm', orderId };
const wait = (milliseconds: number): Step => ({ kind: 'wait', milliseconds });
const price = (amount: string): Step => ({ kind: 'reprice', orderId, amount });
const approve = (pick: number): Step => ({ kind: 'pay', orderId, pick, isApproved: true });
const state = async (): Promise<string | undefined> =>
  (await simulation.find(orderId))?.payment.state;

describe('one order,', () => {
  beforeEach(async () => void (simulation = await scriptedShop()));

  it('has one session, however many tabs ask for it at once', async () => {
    await play({ kind: 'two-tabs', orderId }, { kind: 'two-tabs', orderId });
    expect(simulation.gateway.sessions.size).toBe(1);
  });

  it('that is paid through two links of one amount ships once, and the second is a duplicate', async () => {
    await play(wantToPay, price('99.50'), wantToPay, price('115.00'), wantToPay);
    expect(simulation.gateway.sessions.size).toBe(3);
    await play(approve(0), approve(2), wait(6_000), confirm);
    const record = await simulation.find(orderId);
    expect(record?.payment.state).toBe('paid');
    expect(record?.ledger.map(({ kind }) => kind)).toEqual(['payment', 'duplicate']);
    expect(record?.reviews).toMatchObject([{ reason: 'duplicate_charge' }]);
    expect(simulation.shipped).toEqual([orderId]);
  });

  it('is asked about before it is given up, however recently it was asked about', async () => {
    await play(wantToPay, confirm, approve(0), { kind: 'cancel', orderId });
    const record = await simulation.find(orderId);
    expect(record?.payment).toMatchObject({ state: 'paid', cancelled: false });
  });

  it('gets a fresh name at the gateway when the answer to its link was lost', async () => {
    await play({ kind: 'mood', mood: 'create-answer-lost' }, wantToPay);
    await play({ kind: 'mood', mood: 'well' }, wantToPay);
    const record = await simulation.find(orderId);
    expect(record?.attempts).toMatchObject([
      { merchantOrderId: 'a~1', state: 'lost' },
      { merchantOrderId: 'a~2', state: 'open' },
    ]);
  });

  it('is recorded after all when the commit’s answer was lost, and ships once', async () => {
    const lose: Step = { kind: 'store-fault', fault: 'fail-after-commit' };
    await play(wantToPay, approve(0), lose, confirm);
    expect(await state()).toBe('paid');
    await play(wait(6_000), confirm);
    expect(simulation.shipped).toEqual([orderId]);
  });

  it('stays unpaid when its commit failed, and is paid by the next status check', async () => {
    const fail: Step = { kind: 'store-fault', fault: 'fail-before' };
    await play(wantToPay, approve(0), fail, confirm);
    expect(await state()).toBe('pending');
    expect(simulation.shipped).toEqual([]);
    await play(wait(70_000), { kind: 'tick' });
    expect(await state()).toBe('paid');
    expect(simulation.shipped).toEqual([orderId]);
  });

  it('is looked at on demand after nobody watches it any more', async () => {
    await play(wantToPay, wait(49 * HOUR_MS), { kind: 'tick' }, wait(300 * HOUR_MS));
    await play({ kind: 'tick' });
    const record = await simulation.find(orderId);
    expect(record?.attempts).toMatchObject([{ state: 'closed' }]);
    simulation.gateway.payLate(record?.attempts[0]?.sessionId ?? '');
    await play(wait(6_000), confirm);
    expect(await state()).toBe('paid_late');
  });

  it('is asked about at each of its links, although recording one of them fails', async () => {
    await play(wantToPay, price('99.50'), wantToPay, price('115.00'), wantToPay);
    await play(approve(0), approve(2), wait(6_000));
    // The newest link is asked about first, and its money cannot be recorded this time.
    await play({ kind: 'store-fault', fault: 'fail-before' }, confirm);
    const record = await simulation.find(orderId);
    expect(record?.payment.state).toBe('paid');
    expect(simulation.shipped).toEqual([orderId]);
  });
});
